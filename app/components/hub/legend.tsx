import { hatchColour, hatchOpacity, hatchSign } from '#functions/engine/map/hatch.ts'
import { hubTexts } from './texts.ts'

export interface LegendProps {
  /** In ascending order. `fill`: a custom property of the theme; `radius`: a circle of that size. */
  classes: { label: string; fill: string; radius?: number }[]
  unit?: string
  /** The number of regions without a value; 0 omits their entry. */
  missing?: number
  locale: string
}

/** The legend of a map's colours or circles, in numbers. */
export function Legend({ classes, unit, missing = 0, locale }: LegendProps) {
  const w = hubTexts(locale)
  const isSized = classes.some(({ radius }) => radius !== undefined)
  return (
    <div className={isSized ? 'legend is-sized' : 'legend'}>
      {unit ? <p>{unit}</p> : null}
      <ul>
        {classes.map((one) => (
          <li key={one.label}>
            <Sign fill={one.fill} radius={one.radius} />
            {one.label}
          </li>
        ))}
        {missing > 0 ? (
          <li>
            <Sign fill="var(--map-land)" isHatched />
            {w.noData}
          </li>
        ) : null}
      </ul>
    </div>
  )
}

function Sign({ fill, radius, isHatched }: { fill: string; radius?: number; isHatched?: boolean }) {
  const size = radius === undefined ? 16 : Math.max(4, Math.ceil(radius * 2 + 2))
  return (
    <svg width={size} height={size} viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
      {radius === undefined ? (
        <rect width={size} height={size} rx="2" fill={fill} stroke="var(--border-strong)" strokeWidth="0.5" />
      ) : (
        <circle cx={size / 2} cy={size / 2} r={radius} fill={fill} fillOpacity="0.6" />
      )}
      {isHatched ? <path d={hatchSign} stroke={hatchColour} strokeOpacity={hatchOpacity} /> : null}
    </svg>
  )
}
