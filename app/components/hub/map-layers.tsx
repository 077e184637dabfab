import { hubTexts } from './texts.ts'

export interface MapSwitch {
  /** Its `data-map-switch`, used by the style sheet and the live map. */
  key: string
  name: string
  /** A custom property of the theme; absent without a colour. */
  fill?: string
  count?: string
  isOn: boolean
}

/**
 * The switches of a map's layers, which are also its legend. They work on the static picture by style sheet alone; the map island
 * applies them to the live map.
 */
export function MapLayers({ switches, locale }: { switches: MapSwitch[]; locale: string }) {
  return (
    <fieldset className="map-switches">
      <legend>{hubTexts(locale).mapLayers}</legend>
      {switches.map(({ key, name, fill, count, isOn }) => (
        <label key={key}>
          <input type="checkbox" defaultChecked={isOn} data-map-switch={key} />
          {fill ? (
            <svg width="12" height="12" aria-hidden="true">
              <circle cx="6" cy="6" r="5.5" fill={fill} />
            </svg>
          ) : null}
          <span>
            {name}
            {/* The space is of neither direction: within the count it would stand on its other side. */}
            {count ? ' ' : null}
            {count ? <span className="map-value">{count}</span> : null}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
