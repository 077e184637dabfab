import type { Map as LiveMap } from 'maplibre-gl'
import { islandTexts } from './island-words.ts'
import { buildElement } from './build-element.ts'
import type { MapData } from './map-data.ts'

/** The layer of tiles that do not draw all of their lines and areas (`functions/edge/tiles/README.md`). */
const cutLayer = 'cut'

/** Says below the map whether lines or areas of its view are not drawn as such, which their tiles tell. */
export function addCutNotice(map: LiveMap, box: HTMLElement, data: Pick<MapData, 'style'>): void {
  const line = buildElement('p', { className: 'map-said map-cut' })
  line.setAttribute('role', 'status')
  const sources = Object.entries(data.style.sources).flatMap(([name, source]) =>
    source.type === 'vector' && source.tiles ? [name] : [],
  )
  const isShown = (source: string) =>
    data.style.layers.some(
      (layer) =>
        'source' in layer &&
        layer.source === source &&
        map.getLayer(layer.id) !== undefined &&
        map.getLayoutProperty(layer.id, 'visibility') !== 'none',
    )
  const isCut = (source: string) =>
    isShown(source) && map.querySourceFeatures(source, { sourceLayer: cutLayer }).length > 0
  map.on('idle', () => {
    const text = sources.some(isCut) ? islandTexts().mapCut : ''
    if (line.textContent !== text) line.textContent = text
  })
  map.once('load', () => box.parentElement?.insertAdjacentElement('afterend', line))
  map.once('remove', () => line.remove())
}
