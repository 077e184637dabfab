import { words } from './words.ts'

export interface MapSwitch {
  /** Its `data-map-switch`: the style sheet and the live map know it by this. */
  key: string
  name: string
  /** A custom property of the theme; without it the switch stands for no colour. */
  fill?: string
  count?: string
  isOn: boolean
}

/**
 * What a map shows, each with a switch: the legend of its colours as well. The switches work on the picture by the style
 * sheet alone; the map island turns the layers of the live map.
 */
export function MapLayers({ switches, locale }: { switches: MapSwitch[]; locale: string }) {
  return (
    <fieldset className="map-switches">
      <legend>{words(locale).mapLayers}</legend>
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
