import {
  addProtocol,
  GeolocateControl,
  Map as LiveMap,
  NavigationControl,
  Popup,
  setWorkerUrl,
} from 'maplibre-gl'
import type { MapGeoJSONFeature, StyleSpecification } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import 'maplibre-gl/dist/maplibre-gl.css'
import './live.css'
import './map-live.css'
import { getRecordKey, recordAt, recordsInView } from './map-records.ts'
import { getRegionClass, showClasses } from './map-classes.ts'
import { addCutNotice } from './map-cut.ts'
import { printAsShown, copyMapPicture } from './map-picture.ts'
import { showDuring } from './map-time.ts'
import { buildElement } from './build-element.ts'
import { popupContent } from './map-popup.ts'
import { readArchive, reportSourceErrors, retryTiles, waitForLoad } from './map-tiles.ts'
import { islandTexts } from './island-words.ts'
import type { Bounds, MapData, MapPoint } from './map-data.ts'
import type { Report } from './search.ts'
import { hatchImage, hatchImageName, hatchImageRatio } from '#functions/engine/map/hatch.ts'
import { choroplethLayer, clusterLayer } from '#functions/engine/map/layer-names.ts'
import { currentTheme, onTheme, type Theme } from './theme.ts'

export interface MapHandle {
  /** Moves the map to the thing with this key, opens its pop-up and highlights it. Unknown keys are ignored. */
  select: (key: string) => void
  /** Jumps to these bounds. */
  fitBounds: (bounds: Bounds) => void
  /** Shows or hides the layers of a switch. */
  toggleLayers: (name: string, isOn: boolean) => void
  /** Hides the regions of these classes, and shows all others. */
  filter: (off: ReadonlySet<number>) => void
  /** Shows the records of these periods; undefined for all. */
  during: (time: [from: string, to: string] | undefined) => void
  /** Whether the region with this key is in a disabled class. */
  isOff: (key: string) => boolean
  /** The visible bounds. */
  view: () => Bounds
  /** The current picture of the map. */
  copyPicture: () => HTMLCanvasElement
  /** Ends the map. */
  remove: () => void
}

export interface MapHooks {
  /** The accessible name of the map. */
  label: string
  onSelect: (key: string | undefined) => void
  /** Called after each move with the visible bounds, and whether the reader moved the map. */
  onView: (bounds: Bounds, isByHand: boolean) => void
  /** Called after a move by the reader, once tiles are loaded, with the records in view. */
  onFound: (visible: MapPoint[]) => void
  onShow: () => void
  /** The initially disabled switches. */
  off: ReadonlySet<string>
  /** The initially disabled legend classes. */
  offClasses: ReadonlySet<number>
  report: Report
}

export { wireLegend } from './map-classes.ts'
export { addParts } from './map-parts.ts'
export { addTime } from './map-time.ts'
export { addPicture, addPrint } from './map-picture.ts'
export { addEmbed, addFigureEmbed } from './map-embed.ts'
export { findStatePlace } from './map-place.ts'
export { addRegions } from './map-regions.ts'
export { wireMapView } from './map-view.ts'

let isReady = false

/** Once per page: MapLibre 6 needs its worker's URL, and pmtiles:// its protocol handler. */
function prepare() {
  if (isReady) return
  setWorkerUrl(workerUrl)
  addProtocol('pmtiles', readArchive)
  isReady = true
}

/** Draws the map into the box and gives its handle; rejects without WebGL or if the style fails. */
export async function startMap(box: HTMLElement, data: MapData, hooks: MapHooks): Promise<MapHandle> {
  prepare()
  // Labels use the page's font (the style has no glyphs), which must be loaded first.
  await document.fonts.load('500 14px "Public Sans Variable"').catch(() => [])
  const off = new Set(hooks.off)
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const map = await drawMap(box, data, off, hooks)
  reportSourceErrors(map, hooks.report)
  const regions = colourRegions(map, data, off, hooks.offClasses)
  hooks.onShow()
  map.resize()

  const popup = new Popup({ closeButton: true, maxWidth: '18rem' })
  popup.on('close', () => hooks.onSelect(undefined))
  const points = new Map((data.points ?? []).map((point) => [point.key, point]))
  const keys = new Map((data.points ?? []).map(({ id, key }) => [id ?? key, key]))
  const owners = new Map((data.records ?? []).flatMap((each) => each.layers.map((id) => [id, each] as const)))
  const layers = [...(data.layers ?? []), ...owners.keys()].filter((id) => map.getLayer(id))
  const clusters = [clusterLayer, ...(data.records ?? []).map(({ cluster }) => cluster)].filter((id) =>
    map.getLayer(id),
  )

  const open = (at: [number, number], content: Node, key: string | undefined) => {
    popup.setLngLat(at).setDOMContent(content).addTo(map)
    hooks.onSelect(key)
  }
  const reveal = (visible: MapPoint[]) => {
    for (const point of visible) if (!points.has(point.key)) points.set(point.key, point)
    hooks.onFound(visible)
  }
  const select = (key: string) => {
    const point = points.get(key)
    if (!point) return
    const at = point.at ?? (point.bounds ? computeCentre(point.bounds) : undefined)
    if (point.bounds) map.fitBounds(point.bounds, { padding: 32, maxZoom: 14, animate: !isCalm })
    else if (at) map.easeTo({ center: at, zoom: Math.max(map.getZoom(), 11), animate: !isCalm })
    const owner = data.records?.find((each) => key.startsWith(`${each.key}:`))
    if (at) open(at, popupContent(point, undefined, owner ?? data), key)
  }

  map.on('click', (event) => {
    const [feature] = layers.length > 0 ? map.queryRenderedFeatures(event.point, { layers }) : []
    if (!feature) return
    // Hidden regions cannot be selected.
    if (feature.layer.id === choroplethLayer && regions.isOff(getFeatureId(feature, data))) return
    const owner = owners.get(feature.layer.id)
    const id = owner ? getRecordKey(feature, owner) : getFeatureId(feature, data)
    const key = keys.get(id) ?? id
    if (owner && !points.has(key)) {
      const here = event.lngLat.toArray()
      reveal([recordAt(feature, here, owner), ...recordsInView(map, data.records ?? [])])
    }
    const point = points.get(key)
    if (data.opensRegions && point) return select(key)
    open(point?.at ?? event.lngLat.toArray(), popupContent(point, feature, owner ?? data), key)
  })
  openClusters(map, clusters, isCalm)
  pointAt(map, [...layers, ...clusters])
  followMoves(map, hooks, () => reveal(recordsInView(map, data.records ?? [])))
  const fitBounds = (bounds: Bounds) => void map.fitBounds(bounds, { animate: false })
  const toggleLayers = createLayerToggle(map, data, off, popup)
  const filter = (next: ReadonlySet<number>) => {
    regions.filter(next)
    popup.remove()
  }
  const copyPicture = () => copyMapPicture(map)
  const stopPrinting = printAsShown(box, map, regions.restyle)
  const remove = () => {
    regions.stop()
    stopPrinting()
    map.remove()
  }
  const during = createTimeHandler(map, data, popup)
  return {
    ...{ select, fitBounds, toggleLayers, filter, during, copyPicture, remove },
    isOff: regions.isOff,
    view: () => getViewBounds(map),
  }
}

/** Shows or hides the layers of a switch; `off` is updated. */
function createLayerToggle(
  map: LiveMap,
  data: MapData,
  off: Set<string>,
  popup: Popup,
): MapHandle['toggleLayers'] {
  return (name, isOn) => {
    if (isOn) off.delete(name)
    else off.add(name)
    const visibility = isOn ? 'visible' : 'none'
    for (const id of data.switches?.[name] ?? [])
      if (map.getLayer(id)) map.setLayoutProperty(id, 'visibility', visibility)
    if (!isOn) popup.remove()
  }
}

function createTimeHandler(map: LiveMap, data: MapData, popup: Popup): MapHandle['during'] {
  return (time) => {
    showDuring(map, data, time)
    popup.remove()
  }
}

/** Sets the values of regions and colours them in the current theme, except disabled classes. `off`: the disabled switches. */
function colourRegions(map: LiveMap, data: MapData, off: ReadonlySet<string>, offFirst: ReadonlySet<number>) {
  let offClasses = offFirst
  const putValues = () => {
    setValues(map, data)
    if (offClasses.size > 0) showClasses(map, data, offClasses)
  }
  putValues()
  const restyle = (theme: Theme) => {
    if (!data.darkStyle) return
    map.once('style.load', putValues)
    map.setStyle(getThemeStyle(data, off, theme))
  }
  const stop = onTheme(restyle)
  return {
    ...{ stop, restyle },
    filter(next: ReadonlySet<number>) {
      offClasses = next
      showClasses(map, data, next)
    },
    // Keys of records contain a colon.
    isOff: (key: string) =>
      data.classes !== undefined && !key.includes(':') && offClasses.has(getRegionClass(data, key)),
  }
}

/** Creates the map in its box, with its controls, and waits for its style. */
async function drawMap(
  box: HTMLElement,
  data: MapData,
  off: ReadonlySet<string>,
  hooks: MapHooks,
): Promise<LiveMap> {
  const isLocatable = await mayLocate()
  const map = new LiveMap({
    container: box,
    style: getThemeStyle(data, off, currentTheme()),
    bounds: data.bounds,
    ...(data.zoom?.least === undefined ? {} : { minZoom: data.zoom.least }),
    ...(data.zoom?.most === undefined ? {} : { maxZoom: data.zoom.most }),
    fitBoundsOptions: { padding: 16 },
    cooperativeGestures: true,
    attributionControl: { compact: false },
    locale: { ...islandTexts().mapControls, 'Map.Title': hooks.label },
    // The worker cannot resolve relative URLs.
    transformRequest: (url) => ({ url: url.startsWith('/') ? location.origin + url : url }),
  })
  map.addControl(new NavigationControl({ showCompass: false }))
  // The location is requested only when this is pressed, and sent to nobody.
  if (isLocatable) addHere(map, box)
  // Needed again after each change of style.
  map.setMissingStyleImageResolver((id) => {
    if (id === hatchImageName && !map.hasImage(id))
      map.addImage(id, hatchImage(), { pixelRatio: hatchImageRatio })
  })
  retryTiles(map, box, hooks.report)
  addCutNotice(map, box, data)
  try {
    await waitForLoad(map)
  } catch (error) {
    map.remove()
    throw error
  }
  return map
}

/** Whether the position can be requested. Not in a frame of a site that does not let it: a button would only fail. */
async function mayLocate(): Promise<boolean> {
  if (!('geolocation' in navigator)) return false
  // Chromium tells what the page around a frame allows; elsewhere the permission is denied there.
  const { featurePolicy } = document as Document & {
    featurePolicy?: { allowsFeature(feature: string): boolean }
  }
  if (featurePolicy?.allowsFeature('geolocation') === false) return false
  if (window === parent) return true
  const permission = await navigator.permissions.query({ name: 'geolocation' }).catch(() => null)
  return permission?.state !== 'denied'
}

/** Adds the geolocation button, with a message if it fails. */
function addHere(map: LiveMap, box: HTMLElement) {
  const here = new GeolocateControl({ fitBoundsOptions: { maxZoom: 13 } })
  const message = buildElement('p', { className: 'map-said' })
  message.setAttribute('role', 'status')
  here.on('error', () => {
    message.textContent = islandTexts().mapControls['GeolocateControl.LocationNotAvailable']
  })
  here.on('geolocate', () => (message.textContent = ''))
  map.addControl(here)
  map.once('load', () => box.parentElement?.insertAdjacentElement('afterend', message))
  map.once('remove', () => message.remove())
}

/** Zooms into clusters on click. */
function openClusters(map: LiveMap, clusters: readonly string[], isCalm: boolean) {
  for (const cluster of clusters)
    map.on('click', cluster, ({ lngLat }) => {
      map.easeTo({ center: lngLat, zoom: map.getZoom() + 2, animate: !isCalm })
    })
}

/** Shows a pointer cursor over these layers. */
function pointAt(map: LiveMap, layers: readonly string[]) {
  for (const layer of layers) {
    map.on('mouseenter', layer, () => (map.getCanvas().style.cursor = 'pointer'))
    map.on('mouseleave', layer, () => (map.getCanvas().style.cursor = ''))
  }
}

/** Reports each move, and calls `onRest` when the map is idle after a move by the reader. */
function followMoves(map: LiveMap, { onView }: MapHooks, onRest: () => void) {
  let isMoved = false
  map.on('idle', () => {
    if (!isMoved) return
    isMoved = false
    onRest()
  })
  map.on('moveend', ({ originalEvent }) => {
    if (originalEvent !== undefined) isMoved = true
    onView(getViewBounds(map), originalEvent !== undefined)
  })
}

function getViewBounds(map: LiveMap): Bounds {
  const [[west, south], [east, north]] = map.getBounds().toArray()
  return [west, south, east, north]
}

/** The style of a theme, without disabled layers. */
function getThemeStyle(data: MapData, off: ReadonlySet<string>, theme: Theme): StyleSpecification {
  const style = (theme === 'dark' && data.darkStyle) || data.style
  const hidden = new Set([...off].flatMap((name) => data.switches?.[name] ?? []))
  if (hidden.size === 0) return style
  const layers = style.layers.map((layer) =>
    hidden.has(layer.id) ? { ...layer, layout: { ...layer.layout, visibility: 'none' } } : layer,
  )
  return { ...style, layers: layers as StyleSpecification['layers'] }
}

function setValues(map: LiveMap, { values }: MapData) {
  if (!values) return
  const { source, sourceLayer, byKey } = values
  for (const [id, value] of Object.entries(byKey)) map.setFeatureState({ source, sourceLayer, id }, { value })
}

function getFeatureId(feature: MapGeoJSONFeature, { keyProperty }: MapData): string {
  return String((keyProperty ? feature.properties[keyProperty] : feature.id) ?? '')
}

function computeCentre([west, south, east, north]: [number, number, number, number]): [number, number] {
  return [(west + east) / 2, (south + north) / 2]
}
