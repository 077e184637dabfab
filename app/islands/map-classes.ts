import type { ExpressionSpecification, Map as LiveMap } from 'maplibre-gl'
import { choroplethLayer, noDataLayer } from '#functions/engine/map/layer-names.ts'
import { islandTexts } from './island-words.ts'
import type { MapData } from './map-data.ts'

/** The index of a value's class in ascending order; the one after the last for no value. */
export function classAt(classes: readonly number[], value: number | undefined): number {
  if (value === undefined) return classes.length
  const above = classes.findIndex((from) => value < from)
  return above === -1 ? classes.length - 1 : Math.max(0, above - 1)
}

/** The class index of a region by key, on a map of values. */
export function getRegionClass({ classes = [], values }: MapData, key: string): number {
  return classAt(classes, values?.byKey[key])
}

/** Shows only the regions of enabled classes. */
export function showClasses(map: LiveMap, { classes = [] }: MapData, off: ReadonlySet<number>) {
  if (!map.getLayer(choroplethLayer)) return
  const [first = 1, ...others] = classes.map((_from, place) => (off.has(place) ? 0 : 1))
  const hasValue: ExpressionSpecification = ['==', ['typeof', ['feature-state', 'value']], 'number']
  const value: ExpressionSpecification = ['to-number', ['feature-state', 'value']]
  const steps = others.flatMap((opacity, i) => [classes[i + 1] ?? 0, opacity])
  // The type requires literal steps, but their number depends on the map.
  const classExpression = (
    steps.length > 0 ? ['step', value, first, ...steps] : first
  ) as ExpressionSpecification
  const without = off.has(classes.length) ? 0 : 1
  map.setPaintProperty(choroplethLayer, 'fill-opacity', ['case', hasValue, classExpression, without])
  map.setPaintProperty(noDataLayer, 'fill-opacity', ['case', hasValue, 0, without])
}

/**
 * Turns the entries of a legend into buttons that toggle their class; `off`: those initially disabled. Gives the live set. Legends of
 * circles have none.
 */
export function wireLegend(
  figure: HTMLElement,
  { classes }: MapData,
  off: ReadonlySet<number>,
  onChange: (off: ReadonlySet<number>) => void,
) {
  const list = figure.querySelector<HTMLElement>('.legend ul')
  if (!list || !classes || list.children.length < classes.length) return
  const hiddenClasses = new Set(off)
  list.setAttribute('role', 'group')
  list.setAttribute('aria-label', islandTexts().mapClasses)
  ;[...list.children].forEach((sign, place) => {
    // As a group of buttons it is no longer a list.
    sign.setAttribute('role', 'presentation')
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'legend-class'
    button.replaceChildren(...sign.childNodes)
    const updatePressed = () => button.setAttribute('aria-pressed', String(!hiddenClasses.has(place)))
    button.addEventListener('click', () => {
      if (!hiddenClasses.delete(place)) hiddenClasses.add(place)
      updatePressed()
      onChange(hiddenClasses)
    })
    updatePressed()
    sign.replaceChildren(button)
  })
}
