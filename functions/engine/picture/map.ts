import { findPosition, pointAlias, getProjectionType } from '#functions/engine/chart/map-spec.ts'
import { axisTitle, formatValue, nameOfCode, noValue, getFieldUnit } from '#functions/engine/chart/format.ts'
import type { ChartInput } from '#functions/engine/chart/frame.ts'
import { formatOptions, computeSharedDecimals } from '#functions/engine/chart/measure.ts'
import { getMeasures } from '#functions/engine/chart/roles.ts'
import { getPhrases } from '#functions/engine/chart/phrases.ts'
import { classifyValues, type ClassOptions, type MapClass } from '#functions/engine/map/classes.ts'
import type { MapPoint } from '#functions/engine/map/dots.ts'
import { regionFinder } from '#functions/engine/map/regions.ts'
import type { Ground } from '#functions/engine/map/draw-ground.ts'
import {
  computeGroundView,
  staticMap,
  type GroundView,
  type StaticMap,
} from '#functions/engine/map/static-map.ts'
import {
  describeSimplifiedAreas,
  describeCount,
  describeGaps,
  describeUndividedRegions,
  type MapGaps,
} from '#functions/engine/map/words.ts'
import type { AnswerRow, Output } from '#functions/shapes/analytics.ts'
import { computeAnchors } from './anchors.ts'
import { areSimplified, computeDenominators } from './denominators.ts'
import { pickShapesInView, readShapes, type RegionShapes } from './shapes.ts'

/** The data of a map, each row with the key that map and list share. */
export interface MapKeys {
  setId: string
  shapes: RegionShapes
  kind: 'regions' | 'points'
  nameAlias: string
  /** Its points are circles per region, with the regions' keys. */
  isClustered: boolean
  /** The column that colours regions or sizes points; null without one. */
  measureAlias: string | null
  rows: { key: string; row: AnswerRow; at?: [number, number] }[]
  /** How much of the answer is on the map. */
  matched: MatchCounts
  /** Its values are normalised by areas of simplified outlines; the number of used regions without a denominator. */
  isOfSimplified: boolean
  undivided: number
  /** The region that a row names, by its value or by what that is called; null for points. */
  regionOfRow(row: AnswerRow): string | null
  /** The display name of a row's region or point: the name of its code where its field has one; '' without. */
  getRowName(row: AnswerRow): string
}

/**
 * The number of values in the region column, the unmatched ones, and the rows without one; for points, the number of
 * rows without a location.
 */
type MatchCounts = Pick<MapGaps, 'values' | 'unmatched' | 'repeated' | 'unplaced' | 'outlines'> & {
  without: readonly AnswerRow[]
}

/** The default set of regions. */
const defaultSet = 'us-states'

/** The sets that are searched for values, smallest files first. */
const searchedSets = [defaultSet, 'world-countries', 'us-counties']

/** Reads the regions of a private set; null where the actor may not see it. */
export type ReadOwn = (setId: string) => Promise<RegionShapes | null>

/** The regions of a set, with an index of their names and codes. */
async function readRegions(tiles: R2Bucket, setId: string, readOwn?: ReadOwn) {
  const everyones = await readShapes(tiles, setId)
  const shapes = everyones.features.length > 0 ? everyones : ((await readOwn?.(setId)) ?? everyones)
  // County names are not unique, so they are combined with their state.
  const parents = setId === 'us-counties' ? await readShapes(tiles, 'us-states') : undefined
  return { setId, shapes, findRegion: regionFinder(shapes, parents) }
}

/**
 * The regions of a map: the requested set, otherwise the first that matches at least half of its values, otherwise the
 * best. `names`: each value with its display name, if its field has one.
 */
async function findRegions(
  tiles: R2Bucket,
  text: string | undefined,
  names: readonly (readonly [value: unknown, name: string])[],
  readOwn?: ReadOwn,
) {
  if (text !== undefined) return readRegions(tiles, text, readOwn)
  let best: { found: Awaited<ReturnType<typeof readRegions>>; matches: number } | null = null
  for (const setId of searchedSets) {
    const match = await readRegions(tiles, setId)
    const matches = names.filter(([value, name]) => match.findRegion(value) ?? match.findRegion(name)).length
    if (2 * matches >= names.length) return match
    if (!best || matches > best.matches) best = { found: match, matches }
  }
  return best?.found ?? readRegions(tiles, defaultSet)
}

type MapInput = Pick<ChartInput, 'visualization' | 'output' | 'rows'>

/**
 * Prepares the data of a map: regions by a column, or points, with a key for each row that has a location. With
 * `readOwn` also private regions: never where the result is cached for everyone.
 */
export async function mapKeys(
  tiles: R2Bucket,
  { visualization, output, rows }: MapInput,
  readOwn?: ReadOwn,
): Promise<MapKeys> {
  const {
    region,
    color,
    size,
    label,
    boundarySetId,
    per,
    clusterByRegion = false,
  } = visualization.settings ?? {}
  const namer = (alias: string) => (row: AnswerRow) =>
    nameOfCode(row[alias], output.schema[alias]) ?? String(row[alias] ?? '')
  const names = region ? [...new Map(rows.map((row) => [row[region], namer(region)(row)]))] : []
  // The set of the map takes precedence over that of its column, and both over guessing from values.
  const set = boundarySetId ?? (region ? output.schema[region]?.region : undefined)
  const { setId, shapes, findRegion } = await findRegions(tiles, set, names, readOwn)
  if (region) {
    const getRowName = namer(region)
    const regionOfRow = (row: AnswerRow) => findRegion(row[region]) ?? findRegion(getRowName(row))
    const keyed = rows.map((row) => ({ key: regionOfRow(row), row }))
    const anchors = clusterByRegion ? computeAnchors(shapes) : null
    const rowsOfRegions = keyed.flatMap(({ key, row }) => {
      if (!key) return []
      const at = anchors?.get(key)
      return [at ? { key, row, at } : { key, row }]
    })
    const about = { name: shapes.name ?? setId, origin: shapes.origin ?? '' }
    return {
      ...{ setId, shapes, regionOfRow, nameAlias: region, getRowName },
      ...{ kind: clusterByRegion ? 'points' : 'regions', isClustered: clusterByRegion },
      isOfSimplified: per === 'area' && areSimplified(shapes),
      undivided: per ? countUndivided(keyed, computeDenominators(shapes, per)) : 0,
      measureAlias: color ?? getMeasures(output)[0] ?? null,
      rows: rowsOfRegions,
      matched: {
        ...countMatches(keyed, region, output),
        unplaced: 0,
        outlines: clusterByRegion ? about : findOutlineSet(output, region, { setId, shapes }),
      },
    }
  }
  const geometry = pointAlias({ visualization, output })
  const placements = rows.flatMap((row, index) => {
    const at = findPosition(row, visualization, geometry)
    return at ? [{ key: String(index), row, at }] : []
  })
  const places = placements.map(({ at: [lon, lat] }) => ({ lon, lat }))
  const firstText = Object.keys(output.schema).find((alias) => output.schema[alias]?.type === 'text')
  const nameAlias = label ?? firstText ?? ''
  return {
    ...{ setId, kind: 'points', isClustered: false, rows: placements, regionOfRow: () => null },
    shapes: setId === 'us-counties' ? pickShapesInView(shapes, places) : shapes,
    ...{ nameAlias, getRowName: namer(nameAlias) },
    ...{ isOfSimplified: false, undivided: 0 },
    measureAlias: size ?? null,
    matched: {
      ...{ values: 0, unmatched: [], without: [], repeated: 0, outlines: null },
      unplaced: rows.length - placements.length,
    },
  }
}

/** The number of used regions without a denominator. */
function countUndivided(
  keyed: readonly { key: string | null }[],
  denominators: ReadonlyMap<string, number>,
): number {
  return new Set(keyed.flatMap(({ key }) => (key !== null && !denominators.has(key) ? [key] : []))).size
}

function countMatches(
  keyed: readonly { key: string | null; row: AnswerRow }[],
  region: string,
  { schema }: Output,
): Omit<MatchCounts, 'unplaced' | 'outlines'> {
  const formatRegionText = (row: AnswerRow) =>
    formatValue(row[region], undefined, { locale: 'en', timeZone: 'UTC' })
  const texts = (of: typeof keyed) => [...new Set(of.map(({ row }) => formatRegionText(row)))]
  // Missing-value codes do not count.
  const isNamed = ({ row }: (typeof keyed)[number]) =>
    formatValue(row[region], schema[region], { locale: 'en', timeZone: 'UTC' }) !== noValue
  const rowsWithName = keyed.filter(isNamed)
  const counts = new Map<string, number>()
  for (const { key } of keyed) if (key) counts.set(key, (counts.get(key) ?? 0) + 1)
  return {
    values: texts(rowsWithName).length,
    unmatched: texts(rowsWithName.filter(({ key }) => key === null)),
    without: keyed.filter((each) => !isNamed(each)).map(({ row }) => row),
    repeated: [...counts.values()].filter((count) => count > 1).length,
  }
}

/** The set whose outlines determined the region of each record, where the region column is calculated by it. */
function findOutlineSet(
  { schema }: Output,
  region: string,
  { setId, shapes }: Pick<MapKeys, 'setId' | 'shapes'>,
) {
  const isOfSet = schema[region]?.regionOf?.boundarySetId === setId
  return isOfSet ? { name: shapes.name ?? setId, origin: shapes.origin ?? '' } : null
}

/**
 * A sentence on what a map does not show of its answer, including what is outside of its picture; '' where it shows
 * everything.
 */
export function describeMapGaps(
  keys: MapKeys,
  leftOut: LeftOut,
  input: Pick<ChartInput, 'output' | 'locale' | 'timeZone'>,
): string {
  const { locale } = input
  const nameless = keys.matched.without.length === 0 ? null : formatNamelessValue(keys, input)
  const about = { ...keys.matched, setId: keys.setId, nameless, ...leftOut, blank: findBlankReason(keys) }
  const missing = describeGaps(about, locale)
  const undivided = describeUndividedRegions(keys.undivided, locale)
  return [missing, undivided, keys.isOfSimplified ? describeSimplifiedAreas(locale) : '']
    .filter(Boolean)
    .join(' ')
}

/** The value of the single row without a region: "Airports: 3"; '' where there is none. */
function formatNamelessValue(
  keys: MapKeys,
  input: Pick<ChartInput, 'output' | 'locale' | 'timeZone'>,
): string {
  const { measureAlias, matched } = keys
  const [row, ...others] = matched.without
  const value = measureAlias === null ? undefined : row?.[measureAlias]
  if (others.length > 0 || typeof value !== 'number' || measureAlias === null) return ''
  const measure = input.output.schema[measureAlias]
  return `${measure?.name ?? measureAlias}: ${formatValue(value, measure, input)}`
}

/** What is outside of a picture: the number of points, and regions with a value. */
export type LeftOut = Pick<MapGaps, 'outside' | 'hidden'>
export const nothingLeft: LeftOut = { outside: 0, hidden: [] }

/** Why a map would be blank: there are no borders, or nothing of the answer is on it; null where something is. */
export function findBlankReason(keys: MapKeys): MapGaps['blank'] {
  const { kind, shapes, rows } = keys
  if (kind === 'points') return rows.length === 0 ? 'places' : null
  if (shapes.features.length === 0) return 'borders'
  if (rows.length === 0) return 'names'
  return [...regionValues(keys).values()].every((value) => value === null) ? 'numbers' : null
}

/** The value of each region by its gid, from the first row with it; null without a number. */
export function regionValues({ rows, measureAlias }: MapKeys): Map<string, number | null> {
  const values = new Map<string, number | null>()
  for (const { key, row } of rows) {
    const value = measureAlias === null ? null : row[measureAlias]
    if (!values.has(key)) values.set(key, typeof value === 'number' ? value : null)
  }
  return values
}

/**
 * The number format of a map's values, and their unit ('' without one); for regions with the same number of decimals,
 * where `step` is the smallest visible difference.
 */
export function buildMeasureFormat(
  keys: MapKeys,
  { output, locale, timeZone, dateLocale }: Pick<ChartInput, 'output' | 'locale' | 'timeZone' | 'dateLocale'>,
): { unit: string; format(value: number): string; step?: number } {
  const { measureAlias, kind } = keys
  const measure = measureAlias === null ? undefined : output.schema[measureAlias]
  const options = { locale, timeZone, dateLocale, unit: '' }
  const unit = getFieldUnit(measure, locale)
  if (kind === 'points') return { unit, format: (value) => formatValue(value, measure, options) }
  const numbers = [...regionValues(keys).values()].filter((value) => value !== null)
  const decimals = computeSharedDecimals(numbers, measure)
  const places = (decimals ?? 0) + (measure?.measurement?.type === 'percentage' ? 2 : 0)
  return {
    unit,
    format: (value) =>
      formatValue(value, measure, { ...options, ...(decimals === undefined ? {} : { decimals }) }),
    step: Number((10 ** -places).toPrecision(12)),
  }
}

/** The classes of a map's regions: the same wherever it is drawn. */
export function regionClasses(
  keys: MapKeys,
  input: Pick<ChartInput, 'visualization' | 'output' | 'locale' | 'timeZone'>,
): MapClass[] {
  const { format, step } = buildMeasureFormat(keys, input)
  return classifyValues(
    [...regionValues(keys).values()].filter((value) => value !== null),
    format,
    step,
    getClassOptions(input),
  )
}

/** How the author of a map divides and colours its values. */
function getClassOptions({ visualization: { settings } }: Pick<ChartInput, 'visualization'>): ClassOptions {
  return { ...settings?.classes, ...(settings?.palette && { palette: settings.palette }) }
}

/** The heading of a map's legend: its measure and unit; '' without a measure. */
function measureHeading({ measureAlias }: MapKeys, input: Pick<ChartInput, 'output' | 'locale'>): string {
  const measure = measureAlias === null ? undefined : input.output.schema[measureAlias]
  return measure ? axisTitle(measure, getFieldUnit(measure, input.locale)) : ''
}

/** The highlighted region, like a highlighted series in a chart. */
function findHighlightedRegion({ rows, nameAlias }: MapKeys, input: ChartInput): { outlined?: string } {
  const { highlight, output } = input
  if (highlight === undefined) return {}
  const formatRowLabel = (row: AnswerRow) =>
    formatValue(row[nameAlias], output.schema[nameAlias], formatOptions(input))
  const match = rows.find(({ row }) => formatRowLabel(row) === highlight)
  return match ? { outlined: match.key } : {}
}

/** The points of a map; `isSized`: with the values of their circles. */
function toMapPoints({ rows, getRowName, measureAlias }: MapKeys, isSized = false): MapPoint[] {
  return rows.flatMap(({ row, at }) => {
    if (!at) return []
    const value = isSized && measureAlias !== null ? { value: Number(row[measureAlias]) } : {}
    return [{ lon: at[0], lat: at[1], label: getRowName(row), ...value }]
  })
}

/** The most circles that can be distinguished. */
const maxSized = 500

/**
 * Whether circles are sized by value: where configured, there are not too many, and no value is missing or negative.
 * Otherwise circles show counts of points, and the legend says so.
 */
export function isSizedByValue(
  { kind, rows, measureAlias }: MapKeys,
  { visualization }: Pick<ChartInput, 'visualization'>,
): boolean {
  if (visualization.settings?.sizeByValue !== true || kind !== 'points' || measureAlias === null) return false
  const values = rows.map(({ row }) => row[measureAlias])
  return rows.length <= maxSized && values.every((value) => typeof value === 'number' && value >= 0)
}

/** Further columns in the pop-up of a row, as configured, with their names. */
export function getPopupColumns(
  { measureAlias }: MapKeys,
  {
    visualization,
    output,
    locale,
    timeZone,
    dateLocale,
  }: Pick<ChartInput, 'visualization' | 'output' | 'locale' | 'timeZone' | 'dateLocale'>,
): { alias: string; label: string; formatLine(row: AnswerRow): string | null }[] {
  // Columns that the answer no longer has are left out.
  const aliases = (visualization.settings?.popup ?? []).filter((alias) => alias in output.schema)
  return aliases
    .filter((alias) => alias !== measureAlias)
    .map((alias) => {
      const field = output.schema[alias]
      const label = field?.name ?? alias
      const formatLine = (row: AnswerRow) =>
        row[alias] === null || row[alias] === undefined
          ? null
          : `${label}: ${formatValue(row[alias], field, { locale, timeZone, dateLocale })}`
      return { alias, label, formatLine }
    })
}

/** The extent of an answer's map, for the base map; null where it is not a box. */
export function mapView(keys: MapKeys, size: { width: number; height: number }): GroundView | null {
  const points = keys.kind === 'points' ? toMapPoints(keys) : []
  return computeGroundView({
    shapes: keys.shapes,
    points,
    ...size,
    projection: getProjectionType(keys.setId),
  })
}

/** The map of an answer as SVG with its legend; `id` unique in its page. `isFixed`: it is shown in its own size. */
export function drawMap(
  keys: MapKeys,
  input: ChartInput,
  names: { id: string; title: string; description: string },
  size: { width: number; height: number; isFixed?: boolean },
  ground: Ground | null = null,
): StaticMap {
  const { unit, format: formatMeasureValue, step } = buildMeasureFormat(keys, input)
  const isRegions = keys.kind === 'regions'
  const isSized = isSizedByValue(keys, input)
  const isMeasured = isRegions || isSized
  // Circles show counts of points unless they are configured to show values.
  const format = isMeasured
    ? formatMeasureValue
    : (value: number) => describeCount(value, 'points', input.locale)
  const points = toMapPoints(keys, isSized)
  const map = staticMap({
    ...{ shapes: keys.shapes, ...names, ...size },
    ...(keys.kind === 'regions' ? { values: regionValues(keys) } : { points, isSized }),
    legend: {
      ...(unit && isMeasured ? { unit } : {}),
      format,
      ...(step === undefined ? {} : { step }),
      classing: getClassOptions(input),
      noData: input.noValue ?? getPhrases(input.locale).noData,
    },
    ...findHighlightedRegion(keys, input),
    ...(keys.shapes.origin ? { origin: keys.shapes.origin } : {}),
    ...{ isCounted: keys.isClustered, locale: input.locale },
    ...{ ground, isNamed: input.visualization.settings?.labels === true },
    projection: getProjectionType(keys.setId),
  })
  const heading = isMeasured ? measureHeading(keys, input) : ''
  const { unit: _unit, ...legend } = map.legend
  return { ...map, legend: { ...legend, ...(heading && { unit: heading }) } }
}
