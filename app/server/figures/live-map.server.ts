import type { FeatureCollection } from 'geojson'
import type { Bounds, MapData, MapPoint } from '#app/islands/map-data.ts'
import type { ChartTheme } from '#functions/engine/chart/palette.ts'
import type { MapClass } from '#functions/engine/map/classes.ts'
import { listFarParts } from '#functions/engine/map/far-parts.ts'
import { detectFarRegions } from '#functions/engine/map/far-regions.ts'
import { namesOfRegions } from '#functions/engine/map/region-names.ts'
import { choroplethLayer, pointLayer, setSource } from '#functions/engine/map/layer-names.ts'
import { boxOfMost } from '#functions/engine/map/initial-view.ts'
import { mapStyle, type MapSet } from '#functions/engine/map/style.ts'
import { memoize } from '#functions/platform/cache/memo.ts'
import type { Context } from '#functions/context.ts'
import type { ChartInput } from '#functions/engine/chart/frame.ts'
import type { Points } from '#functions/engine/map/point-layers.ts'
import {
  isSizedByValue,
  buildMeasureFormat,
  getPopupColumns,
  regionValues,
  type MapKeys,
} from '#functions/engine/picture/map.ts'
import type { AnswerRow } from '#functions/shapes/analytics.ts'
import { computeFeatureBox, computeFrame, type RegionShapes } from '#functions/engine/picture/shapes.ts'
import { readManifest, setLayers, setLevel } from '#functions/engine/tile/manifest.ts'
import { escapeHtml } from '#functions/shapes/html-text.ts'
import { liveClasses, mapColours } from './map-colours.ts'
import { groundArchive } from './ground.server.ts'
import type { MapTiles } from './map-tiles.server.ts'

export const font = 'Public Sans Variable'
const wholeWorld: Bounds = [-170, -55, 180, 75]

/** The tile archive and its level for each set of regions. */
export const levels: Record<string, { set: string; level: string }> = {
  'us-states': { set: 'us', level: 'state' },
  'us-counties': { set: 'us', level: 'county' },
  'world-countries': { set: 'world', level: 'country' },
}

/** Maximum number of items in the list beside a map. */
export const maxListed = 500

/**
 * The data file that hydrates a map: its styles and its features; null if the basemap tiles were not built. With record tiles
 * (`tiles`) it holds only the records in the list. `credit`: where the data are from, and their date; '' if unknown.
 */
export async function liveMap(
  ctx: Context,
  keys: MapKeys,
  input: Pick<ChartInput, 'visualization' | 'output' | 'locale' | 'timeZone'>,
  classes: MapClass[],
  { tiles, credit }: { tiles: MapTiles | null; credit: string },
): Promise<MapData | null> {
  const { locale } = input
  const { labels, zoom } = input.visualization.settings ?? {}
  const manifest = await memoize(ctx, 'hub', 'tiles', () => readManifest(ctx.tiles))
  const own = findOwnMapSet(keys)
  const at = findLevel(keys)
  if (!manifest || !at) return null
  const sets = own ? [own] : manifest.sets
  const ground = await groundArchive(ctx)
  const style = (theme: ChartTheme) =>
    mapStyle({
      sets: sets.filter(({ name }) => name === at.set),
      // The hub answers on two hosts: without an origin the tiles are loaded from the current one.
      origin: '',
      dark: theme === 'dark',
      colours: mapColours(theme),
      font,
      locale,
      ...(ground ? { ground } : {}),
      ...(own ? {} : { basemap: at.set }),
      ...(keys.kind === 'regions'
        ? { choropleth: { ...at, classes: liveClasses(classes, theme) } }
        : { points: tiles ? { tiles: tiles.address } : pointData(keys, input) }),
      ...(labels === undefined ? {} : { isNamed: labels }),
    })
  return {
    style: style('light'),
    darkStyle: style('dark'),
    bounds: getInitialBounds(keys),
    ...(zoom ? { zoom } : {}),
    points: listMapPoints(keys, input, tiles),
    ...(credit === '' ? {} : { credits: [{ text: credit }] }),
    ...(keys.kind === 'regions'
      ? {
          ...regionState(keys),
          classes: classes.map(({ from }) => from),
          parts: listDistantParts(keys, locale),
        }
      : {
          layers: [pointLayer],
          ...(keys.isClustered ? { opensRegions: true as const, parts: listDistantParts(keys, locale) } : {}),
          keyProperty: tiles?.idProperty ?? 'key',
          ...(tiles ? { nameProperty: tiles.nameProperty, popup: tiles.popup } : {}),
        }),
  }
}

/** Sets of more regions are finer than those that base maps name. */
const maxNamed = 100

/** An organization's own boundary set as a map set; undefined for built-in sets and those without tiles. */
export function buildOwnMapSet(setId: string, shapes: RegionShapes): MapSet | undefined {
  if (!shapes.tiles) return undefined
  const attribution = escapeHtml(shapes.origin || shapes.name || '')
  const names = shapes.features.flatMap(({ properties }) => String(properties?.name ?? '') || [])
  return {
    ...shapes.tiles,
    ...{ name: setId, isOwn: true, attribution, layers: setLayers },
    ...(names.length <= maxNamed ? { names } : {}),
  }
}

const findOwnMapSet = ({ setId, shapes }: MapKeys) => buildOwnMapSet(setId, shapes)

/** The archive and level of a map's regions; undefined without tiles. */
function findLevel(keys: MapKeys): { set: string; level: string } | undefined {
  return findOwnMapSet(keys) ? { set: keys.setId, level: setLevel } : levels[keys.setId]
}

/** The values of regions for a live map, and the property that identifies a region; empty for a set without tiles. */
export function regionState(keys: MapKeys): Pick<MapData, 'values' | 'layers' | 'keyProperty' | 'regions'> {
  const at = findLevel(keys)
  if (!at) return {}
  const values = [...regionValues(keys)].filter((entry): entry is [string, number] => entry[1] !== null)
  return {
    values: { source: setSource(at.set), sourceLayer: at.level, byKey: Object.fromEntries(values) },
    layers: [choroplethLayer],
    keyProperty: 'gid',
    regions: keys.setId,
  }
}

/** The points of a map as a file; with values they are scaled by them. */
function pointData(
  keys: MapKeys,
  input: Pick<ChartInput, 'visualization' | 'output' | 'locale' | 'timeZone'>,
): Points {
  const { rows, getRowName, measureAlias } = keys
  const isSized = isSizedByValue(keys, input)
  const values = measureAlias === null ? [] : rows.map(({ row }) => Number(row[measureAlias]))
  const { format } = buildMeasureFormat(keys, input)
  const data: FeatureCollection = {
    type: 'FeatureCollection',
    features: rows.flatMap(({ key, row, at }, n) =>
      at
        ? [
            {
              type: 'Feature' as const,
              properties: {
                ...{ key, name: getRowName(row) },
                ...(isSized ? { value: values[n] } : {}),
                ...(keys.isClustered ? { label: format(values[n] ?? 0) } : {}),
              },
              geometry: { type: 'Point' as const, coordinates: at },
            },
          ]
        : [],
    ),
  }
  return isSized ? { data, mostValue: Math.max(...values), isCounted: keys.isClustered } : { data }
}

/** The list items and pop-ups of a map. */
function listMapPoints(
  keys: MapKeys,
  input: Pick<ChartInput, 'visualization' | 'output' | 'locale' | 'timeZone'>,
  tiles: MapTiles | null,
): MapPoint[] {
  const { unit, format } = buildMeasureFormat(keys, input)
  const withUnit = (value: number) => [format(value), unit].filter(Boolean).join(' ')
  const popup = getPopupColumns(keys, input)
  const getPopupLines = (row: AnswerRow) => popup.flatMap(({ formatLine }) => formatLine(row) ?? [])
  const points = keys.kind === 'regions' ? regionPoints(keys, withUnit) : toMapPoints(keys, tiles, withUnit)
  if (popup.length === 0) return points
  const rows = new Map(keys.rows.map(({ key, row }) => [key, row]))
  return points.map((point) => {
    const row = rows.get(point.key)
    return row ? { ...point, lines: getPopupLines(row) } : point
  })
}

function toMapPoints(
  { rows, getRowName, measureAlias, isClustered, shapes }: MapKeys,
  tiles: MapTiles | null,
  format: (value: number) => string,
): MapPoint[] {
  const firstRows = tiles ? rows.slice(0, maxListed) : rows
  const regions = new Map(
    isClustered ? shapes.features.map((feature) => [String(feature.properties?.gid), feature] as const) : [],
  )
  return firstRows.flatMap(({ key, row, at }) => {
    if (!at) return []
    const value = measureAlias === null ? null : row[measureAlias]
    const text = typeof value === 'number' ? { value: format(value) } : {}
    const region = regions.get(key)
    const bounds = region ? { bounds: computeFrame([region]) ?? computeFeatureBox(region) } : {}
    const point = { key, name: getRowName(row), at, ...bounds, ...text }
    return [tiles ? { ...point, id: String(row[tiles.idAlias]) } : point]
  })
}

/** The regions that have a row: name, position and value. */
export function regionPoints(
  { shapes, rows, getRowName, measureAlias }: MapKeys,
  format: (value: number) => string,
): MapPoint[] {
  const byGid = new Map(shapes.features.map((feature) => [String(feature.properties?.gid), feature]))
  return rows.flatMap(({ key, row }) => {
    const feature = byGid.get(key)
    const value = measureAlias === null ? null : row[measureAlias]
    if (!feature) return []
    const name = getRowName(row) || key
    return [
      {
        key,
        name,
        bounds: computeFrame([feature]) ?? computeFeatureBox(feature),
        ...(typeof value === 'number' ? { value: format(value) } : {}),
      },
    ]
  })
}

/** Groups of regions far from the initial view of a map, such as overseas territories. */
function listDistantParts(keys: MapKeys, locale: string): NonNullable<MapData['parts']> {
  const far = findInsetRegions(keys)
  if (far) return far.groups.map(({ regions, bounds }) => ({ name: namesOfRegions(regions, locale), bounds }))
  return listFarParts(
    keys.setId,
    keys.rows.map(({ key }) => key),
    locale,
  )
}

/** The far groups of an own boundary set, which the static picture shows as insets. */
const findInsetRegions = ({ kind, isClustered, shapes }: MapKeys) =>
  (kind === 'regions' || isClustered) && shapes.tiles ? detectFarRegions(shapes) : null

/** Whether bounds span the whole earth, as those of something on both sides of the antimeridian do. */
const isAround = ([west, , east]: Bounds) => east - west > 180

function getInitialBounds(keys: MapKeys): Bounds {
  const { rows, setId, shapes } = keys
  const far = findInsetRegions(keys)
  if (far) return far.opens
  if (shapes.tiles)
    return (isAround(shapes.tiles.bounds) && computeFrame(shapes.features)) || shapes.tiles.bounds
  const places = rows.flatMap(({ at }) => (at ? [at] : []))
  const setBounds: Bounds = setId.startsWith('us-') ? [-125, 24, -66, 50] : wholeWorld
  return boxOfMost(places.map(([lon, lat]) => ({ lon, lat }))) ?? setBounds
}
