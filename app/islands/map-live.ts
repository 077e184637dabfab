import { addProtocol, Map as LiveMap, NavigationControl, Popup, setWorkerUrl } from 'maplibre-gl'
import type { MapGeoJSONFeature } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import 'maplibre-gl/dist/maplibre-gl.css'
import { Protocol } from 'pmtiles'
import './map-live.css'
import type { Bounds, MapData, MapPoint } from './map-data.ts'
import type { Report } from './search.ts'
import { clusterLayer } from '#app/maps/layer-names.ts'
import { currentTheme, onTheme } from './theme.ts'

export interface MapHandle {
  /** Moves the map to the thing with this key, opens its popup and marks it. Unknown keys do nothing. */
  select: (key: string) => void
  /** Shows this part of the earth at once. */
  look: (bounds: Bounds) => void
}

export interface MapHooks {
  /** The name of the map, for screen readers. */
  label: string
  /** What its controls say in the page's language, by MapLibre's names; what is missing is English. */
  words: Record<string, string>
  onSelect: (key: string | undefined) => void
  /** After each move: what part of the earth is to be seen, and whether the reader moved it there by hand. */
  onView: (bounds: Bounds, isByHand: boolean) => void
  onShow: () => void
  report: Report
}

let isReady = false

/** Set once for the page: MapLibre 6 finds its worker only when told, and pmtiles:// needs its reader. */
function prepare() {
  if (isReady) return
  setWorkerUrl(workerUrl)
  addProtocol('pmtiles', new Protocol({ metadata: true }).tile)
  isReady = true
}

/** Draws the map into the box and gives its handle once it is drawn; rejects without WebGL or when the style fails. */
export async function startMap(box: HTMLElement, data: MapData, hooks: MapHooks): Promise<MapHandle> {
  prepare()
  // Labels are drawn from the page's own face (the style names no glyphs), which has to be there first.
  await document.fonts.load('500 14px "Public Sans Variable"').catch(() => [])
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const map = new LiveMap({
    container: box,
    style: styleOf(data),
    bounds: data.bounds,
    fitBoundsOptions: { padding: 16 },
    cooperativeGestures: true,
    attributionControl: { compact: false },
    locale: { ...hooks.words, 'Map.Title': hooks.label },
    // Its worker knows no page that a path could belong to.
    transformRequest: (url) => ({ url: url.startsWith('/') ? location.origin + url : url }),
  })
  map.addControl(new NavigationControl({ showCompass: false }))
  try {
    await loaded(map)
  } catch (error) {
    map.remove()
    throw error
  }
  map.on('error', (event) => hooks.report(event.error))
  setValues(map, data)
  hooks.onShow()
  map.resize()
  onTheme(() => {
    if (!data.darkStyle) return
    map.once('style.load', () => setValues(map, data))
    map.setStyle(styleOf(data))
  })

  const popup = new Popup({ closeButton: true, maxWidth: '18rem' })
  popup.on('close', () => hooks.onSelect(undefined))
  const points = new Map((data.points ?? []).map((point) => [point.key, point]))
  const keys = new Map((data.points ?? []).map(({ id, key }) => [id ?? key, key]))
  const layers = (data.layers ?? []).filter((id) => map.getLayer(id))

  const open = (at: [number, number], content: Node, key: string | undefined) => {
    popup.setLngLat(at).setDOMContent(content).addTo(map)
    hooks.onSelect(key)
  }
  const select = (key: string) => {
    const point = points.get(key)
    if (!point) return
    const at = point.at ?? (point.bounds ? middle(point.bounds) : undefined)
    if (point.bounds) map.fitBounds(point.bounds, { padding: 32, maxZoom: 14, animate: !isCalm })
    else if (at) map.easeTo({ center: at, zoom: Math.max(map.getZoom(), 11), animate: !isCalm })
    if (at) open(at, content(point, undefined, data), key)
  }

  map.on('click', (event) => {
    const [feature] = layers.length > 0 ? map.queryRenderedFeatures(event.point, { layers }) : []
    if (!feature) return
    const id = idOf(feature, data)
    const key = keys.get(id) ?? id
    const point = points.get(key)
    open(point?.at ?? event.lngLat.toArray(), content(point, feature, data), key)
  })
  // A circle of many opens up.
  map.on('click', clusterLayer, ({ lngLat }) => {
    map.easeTo({ center: lngLat, zoom: map.getZoom() + 2, animate: !isCalm })
  })
  for (const layer of [...layers, ...(map.getLayer(clusterLayer) ? [clusterLayer] : [])]) {
    map.on('mouseenter', layer, () => (map.getCanvas().style.cursor = 'pointer'))
    map.on('mouseleave', layer, () => (map.getCanvas().style.cursor = ''))
  }
  map.on('moveend', ({ originalEvent }) => {
    const [[west, south], [east, north]] = map.getBounds().toArray()
    hooks.onView([west, south, east, north], originalEvent !== undefined)
  })
  const look = (bounds: Bounds) => void map.fitBounds(bounds, { animate: false })
  return { select, look }
}

function styleOf(data: MapData) {
  return (currentTheme() === 'dark' && data.darkStyle) || data.style
}

function loaded(map: LiveMap) {
  return new Promise<void>((resolve, reject) => {
    map.once('load', () => resolve())
    map.once('error', (event) => reject(event.error))
  })
}

function setValues(map: LiveMap, { values }: MapData) {
  if (!values) return
  const { source, sourceLayer, byKey } = values
  for (const [id, value] of Object.entries(byKey)) map.setFeatureState({ source, sourceLayer, id }, { value })
}

function idOf(feature: MapGeoJSONFeature, { keyProperty }: MapData): string {
  return String((keyProperty ? feature.properties[keyProperty] : feature.id) ?? '')
}

function middle([west, south, east, north]: [number, number, number, number]): [number, number] {
  return [(west + east) / 2, (south + north) / 2]
}

/** Text nodes only: names and values come from people, never as markup. */
function content(point: MapPoint | undefined, feature: MapGeoJSONFeature | undefined, data: MapData): Node {
  const box = document.createElement('div')
  const line = (text: string, tag: 'strong' | 'p') => {
    if (text === '') return
    const element = document.createElement(tag)
    element.textContent = text
    box.appendChild(element)
  }
  line(point?.name ?? String(feature?.properties[data.nameProperty ?? 'name'] ?? ''), 'strong')
  line(point?.value ?? '', 'p')
  for (const { property, label } of data.popup ?? []) {
    const value: unknown = feature?.properties[property]
    if (value !== undefined && value !== null && value !== '') line(`${label}: ${String(value)}`, 'p')
  }
  return box
}
