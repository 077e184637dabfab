import { placeOf, pointAlias, projectionOf } from '#functions/engine/chart/map-spec.ts'
import { axisTitle, formatValue, nameOfCode, noValue, unitOf } from '#functions/engine/chart/format.ts'
import type { ChartInput } from '#functions/engine/chart/frame.ts'
import { sharedDecimals } from '#functions/engine/chart/measure.ts'
import { measuresOf } from '#functions/engine/chart/roles.ts'
import { phrasesOf } from '#functions/engine/chart/phrases.ts'
import { classesOf, type Classing, type MapClass } from '#functions/engine/map/classes.ts'
import type { MapPoint } from '#functions/engine/map/dots.ts'
import { regionFinder } from '#functions/engine/map/regions.ts'
import type { Ground } from '#functions/engine/map/draw-ground.ts'
import { groundViewOf, staticMap, type GroundView, type StaticMap } from '#functions/engine/map/static-map.ts'
import {
  tellAreas,
  tellCount,
  tellMissing,
  tellUndivided,
  type Missing,
} from '#functions/engine/map/words.ts'
import type { AnswerRow, Output } from '#functions/shapes/analytics.ts'
import { anchorsOf } from './anchors.ts'
import { areSimplified, denominatorsOf } from './denominators.ts'
import { inView, readShapes, type RegionShapes } from './shapes.ts'

/** What a map is drawn from, each row with the key it has on the map and in the list beside it. */
export interface MapKeys {
  setId: string
  shapes: RegionShapes
  kind: 'regions' | 'points'
  nameAlias: string
  /** Its points are circles of a region each, whose keys are those of the regions. */
  isClustered: boolean
  /** The column that colours regions or sizes points; null without one. */
  measureAlias: string | null
  rows: { key: string; row: AnswerRow; at?: [number, number] }[]
  /** What is on the map of all that the answer has. */
  matched: Matched
  /** Its values are divided by areas of its regions that are simplified; how many regions with a row have nothing to be divided by. */
  isOfSimplified: boolean
  undivided: number
  /** The region that a row names, by its value or by what that is called; null for points. */
  regionOfRow(row: AnswerRow): string | null
  /** What the thing of a row is called: its code by name where its field has one; '' without. */
  nameOf(row: AnswerRow): string
}

/**
 * How many values of the column of regions there are, which of them name none, and the rows without one; of points, how many rows have no
 * place.
 */
type Matched = Pick<Missing, 'values' | 'unmatched' | 'repeated' | 'unplaced' | 'outlines'> & {
  without: readonly AnswerRow[]
}

/** The regions of a map that names none and whose values name none. */
const defaultSet = 'us-states'

/** The sets of regions that values are looked for in, the smallest files first. */
const searchedSets = [defaultSet, 'world-countries', 'us-counties']

/** Reads the regions of a set that not everyone may see; null where who asks may not either. */
export type ReadOwn = (setId: string) => Promise<RegionShapes | null>

/** The regions of a set, and what a data set calls them. */
async function regionsOf(tiles: R2Bucket, setId: string, readOwn?: ReadOwn) {
  const everyones = await readShapes(tiles, setId)
  const shapes = everyones.features.length > 0 ? everyones : ((await readOwn?.(setId)) ?? everyones)
  // Names of counties repeat: with their state they are told apart.
  const parents = setId === 'us-counties' ? await readShapes(tiles, 'us-states') : undefined
  return { setId, shapes, regionOf: regionFinder(shapes, parents) }
}

/**
 * The regions that a map is of: those asked for, else the first set that at least half of its values are of, else the one with most.
 * `called`: each value, and what it is called where its field has a name for it.
 */
async function findRegions(
  tiles: R2Bucket,
  text: string | undefined,
  names: readonly (readonly [value: unknown, name: string])[],
  readOwn?: ReadOwn,
) {
  if (text !== undefined) return regionsOf(tiles, text, readOwn)
  let best: { found: Awaited<ReturnType<typeof regionsOf>>; matches: number } | null = null
  for (const setId of searchedSets) {
    const match = await regionsOf(tiles, setId)
    const matches = names.filter(([value, name]) => match.regionOf(value) ?? match.regionOf(name)).length
    if (2 * matches >= names.length) return match
    if (!best || matches > best.matches) best = { found: match, matches }
  }
  return best?.found ?? regionsOf(tiles, defaultSet)
}

type Answered = Pick<ChartInput, 'visualization' | 'output' | 'rows'>

/**
 * Reads what a map is made of: regions named by a column, or points, with a key for each row that has a place. With `readOwn` also regions
 * that not everyone may see: never where what is made of it is kept for everyone.
 */
export async function mapKeys(
  tiles: R2Bucket,
  { visualization, output, rows }: Answered,
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
  // What a map names goes before what its column is known to be of, and that before what its values look like.
  const set = boundarySetId ?? (region ? output.schema[region]?.region : undefined)
  const { setId, shapes, regionOf } = await findRegions(tiles, set, names, readOwn)
  if (region) {
    const nameOf = namer(region)
    const regionOfRow = (row: AnswerRow) => regionOf(row[region]) ?? regionOf(nameOf(row))
    const keyed = rows.map((row) => ({ key: regionOfRow(row), row }))
    const anchors = clusterByRegion ? anchorsOf(shapes) : null
    const rowsOfRegions = keyed.flatMap(({ key, row }) => {
      if (!key) return []
      const at = anchors?.get(key)
      return [at ? { key, row, at } : { key, row }]
    })
    const about = { name: shapes.name ?? setId, origin: shapes.origin ?? '' }
    return {
      ...{ setId, shapes, regionOfRow, nameAlias: region, nameOf },
      ...{ kind: clusterByRegion ? 'points' : 'regions', isClustered: clusterByRegion },
      isOfSimplified: per === 'area' && areSimplified(shapes),
      undivided: per ? undividedOf(keyed, denominatorsOf(shapes, per)) : 0,
      measureAlias: color ?? measuresOf(output)[0] ?? null,
      rows: rowsOfRegions,
      matched: {
        ...matchedOf(keyed, region, output),
        unplaced: 0,
        outlines: clusterByRegion ? about : outlinesOf(output, region, { setId, shapes }),
      },
    }
  }
  const geometry = pointAlias({ visualization, output })
  const placements = rows.flatMap((row, index) => {
    const at = placeOf(row, visualization, geometry)
    return at ? [{ key: String(index), row, at }] : []
  })
  const places = placements.map(({ at: [lon, lat] }) => ({ lon, lat }))
  const firstText = Object.keys(output.schema).find((alias) => output.schema[alias]?.type === 'text')
  const nameAlias = label ?? firstText ?? ''
  return {
    ...{ setId, kind: 'points', isClustered: false, rows: placements, regionOfRow: () => null },
    shapes: setId === 'us-counties' ? inView(shapes, places) : shapes,
    ...{ nameAlias, nameOf: namer(nameAlias) },
    ...{ isOfSimplified: false, undivided: 0 },
    measureAlias: size ?? null,
    matched: {
      ...{ values: 0, unmatched: [], without: [], repeated: 0, outlines: null },
      unplaced: rows.length - placements.length,
    },
  }
}

/** How many regions that rows name have nothing to be divided by. */
function undividedOf(
  keyed: readonly { key: string | null }[],
  denominators: ReadonlyMap<string, number>,
): number {
  return new Set(keyed.flatMap(({ key }) => (key !== null && !denominators.has(key) ? [key] : []))).size
}

function matchedOf(
  keyed: readonly { key: string | null; row: AnswerRow }[],
  region: string,
  { schema }: Output,
): Omit<Matched, 'unplaced' | 'outlines'> {
  const textOf = (row: AnswerRow) => formatValue(row[region], undefined, { locale: 'en', timeZone: 'UTC' })
  const texts = (of: typeof keyed) => [...new Set(of.map(({ row }) => textOf(row)))]
  // Codes that stand for no value are none either.
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

/** The set whose outlines decided which region each record is of, where the column of regions is calculated of it. */
function outlinesOf(
  { schema }: Output,
  region: string,
  { setId, shapes }: Pick<MapKeys, 'setId' | 'shapes'>,
) {
  const isOfSet = schema[region]?.regionOf?.boundarySetId === setId
  return isOfSet ? { name: shapes.name ?? setId, origin: shapes.origin ?? '' } : null
}

/** What a map says of what it has not of its answer, which lies outside of its picture in part; '' where it has all. */
export function tellMissingOf(
  keys: MapKeys,
  leftOut: LeftOut,
  input: Pick<ChartInput, 'output' | 'locale' | 'timeZone'>,
): string {
  const { locale } = input
  const nameless = keys.matched.without.length === 0 ? null : amountOf(keys, input)
  const about = { ...keys.matched, setId: keys.setId, nameless, ...leftOut, blank: blankOf(keys) }
  const missing = tellMissing(about, locale)
  const undivided = tellUndivided(keys.undivided, locale)
  return [missing, undivided, keys.isOfSimplified ? tellAreas(locale) : ''].filter(Boolean).join(' ')
}

/** What the measure of a map is of the one row that names no region: "Airports: 3"; '' where there is no such number. */
function amountOf(keys: MapKeys, input: Pick<ChartInput, 'output' | 'locale' | 'timeZone'>): string {
  const { measureAlias, matched } = keys
  const [row, ...others] = matched.without
  const value = measureAlias === null ? undefined : row?.[measureAlias]
  if (others.length > 0 || typeof value !== 'number' || measureAlias === null) return ''
  const measure = input.output.schema[measureAlias]
  return `${measure?.name ?? measureAlias}: ${formatValue(value, measure, input)}`
}

/** What lies outside of a picture: how many points, and which regions with a value. */
export type LeftOut = Pick<Missing, 'outside' | 'hidden'>
export const nothingLeft: LeftOut = { outside: 0, hidden: [] }

/** Why a map would be blank: there are no borders, or nothing of the answer is on it; null where something is. */
export function blankOf(keys: MapKeys): Missing['blank'] {
  const { kind, shapes, rows } = keys
  if (kind === 'points') return rows.length === 0 ? 'places' : null
  if (shapes.features.length === 0) return 'borders'
  if (rows.length === 0) return 'names'
  return [...regionValues(keys).values()].every((value) => value === null) ? 'numbers' : null
}

/** The measure of each region by its gid, that of the first row which names it; null where that has no number. */
export function regionValues({ rows, measureAlias }: MapKeys): Map<string, number | null> {
  const values = new Map<string, number | null>()
  for (const { key, row } of rows) {
    const value = measureAlias === null ? null : row[measureAlias]
    if (!values.has(key)) values.set(key, typeof value === 'number' ? value : null)
  }
  return values
}

/**
 * How the values of a map are written, and their unit ('' without one); those of regions with as many decimals each, whose
 * `step` is how far two of them are apart at least that are written differently.
 */
export function measureOf(
  keys: MapKeys,
  { output, locale, timeZone }: Pick<ChartInput, 'output' | 'locale' | 'timeZone'>,
): { unit: string; format(value: number): string; step?: number } {
  const { measureAlias, kind } = keys
  const measure = measureAlias === null ? undefined : output.schema[measureAlias]
  const options = { locale, timeZone, unit: '' }
  const unit = unitOf(measure, locale)
  if (kind === 'points') return { unit, format: (value) => formatValue(value, measure, options) }
  const numbers = [...regionValues(keys).values()].filter((value) => value !== null)
  const decimals = sharedDecimals(numbers, measure)
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
  const { format, step } = measureOf(keys, input)
  return classesOf(
    [...regionValues(keys).values()].filter((value) => value !== null),
    format,
    step,
    classingOf(input),
  )
}

/** How the author of a map divides and colours its values. */
function classingOf({ visualization: { settings } }: Pick<ChartInput, 'visualization'>): Classing {
  return { ...settings?.classes, ...(settings?.palette && { palette: settings.palette }) }
}

/** What the numbers of a map's regions are, with their unit: the heading of its legend; '' without a measure. */
function measureHeading({ measureAlias }: MapKeys, input: Pick<ChartInput, 'output' | 'locale'>): string {
  const measure = measureAlias === null ? undefined : input.output.schema[measureAlias]
  return measure ? axisTitle(measure, unitOf(measure, input.locale)) : ''
}

/** The region that stands out, as its series does in a chart. */
function outlineOf({ rows, nameAlias }: MapKeys, input: ChartInput): { outlined?: string } {
  const { highlight, output } = input
  if (highlight === undefined) return {}
  const labelOf = (row: AnswerRow) =>
    formatValue(row[nameAlias], output.schema[nameAlias], { locale: input.locale, timeZone: input.timeZone })
  const match = rows.find(({ row }) => labelOf(row) === highlight)
  return match ? { outlined: match.key } : {}
}

/** The points of a map; `isSized`: with the values that their circles stand for. */
function pointsOf({ rows, nameOf, measureAlias }: MapKeys, isSized = false): MapPoint[] {
  return rows.flatMap(({ row, at }) => {
    if (!at) return []
    const value = isSized && measureAlias !== null ? { value: Number(row[measureAlias]) } : {}
    return [{ lon: at[0], lat: at[1], label: nameOf(row), ...value }]
  })
}

/** So many circles of one point each can be told apart. */
const mostSized = 500

/**
 * Whether each point is a circle as large as its value: where the author says so, there are not too many, and each has a value of nothing or
 * more. Else circles count points, which is always true, and the legend says so.
 */
export function isSizedByValue(
  { kind, rows, measureAlias }: MapKeys,
  { visualization }: Pick<ChartInput, 'visualization'>,
): boolean {
  if (visualization.settings?.sizeByValue !== true || kind !== 'points' || measureAlias === null) return false
  const values = rows.map(({ row }) => row[measureAlias])
  return rows.length <= mostSized && values.every((value) => typeof value === 'number' && value >= 0)
}

/** What the pop-up of a row says besides its name and its measure: the columns that its author names, by their names. */
export function popupOf(
  { measureAlias }: MapKeys,
  {
    visualization,
    output,
    locale,
    timeZone,
  }: Pick<ChartInput, 'visualization' | 'output' | 'locale' | 'timeZone'>,
): { alias: string; label: string; lineOf(row: AnswerRow): string | null }[] {
  // A column that the answer has no more is left out.
  const aliases = (visualization.settings?.popup ?? []).filter((alias) => alias in output.schema)
  return aliases
    .filter((alias) => alias !== measureAlias)
    .map((alias) => {
      const field = output.schema[alias]
      const label = field?.name ?? alias
      const lineOf = (row: AnswerRow) =>
        row[alias] === null || row[alias] === undefined
          ? null
          : `${label}: ${formatValue(row[alias], field, { locale, timeZone })}`
      return { alias, label, lineOf }
    })
}

/** The parts of the earth that the map of an answer shows, for the ground around it; null where they are no boxes. */
export function mapView(keys: MapKeys, size: { width: number; height: number }): GroundView | null {
  const points = keys.kind === 'points' ? pointsOf(keys) : []
  return groundViewOf({ shapes: keys.shapes, points, ...size, projection: projectionOf(keys.setId) })
}

/** The map of an answer as SVG with what its legend says, `id` unique in its page. `isFixed`: it is shown in its own size. */
export function drawMap(
  keys: MapKeys,
  input: ChartInput,
  names: { id: string; title: string; description: string },
  size: { width: number; height: number; isFixed?: boolean },
  ground: Ground | null = null,
): StaticMap {
  const { unit, format: formatValueOf, step } = measureOf(keys, input)
  const isRegions = keys.kind === 'regions'
  const isSized = isSizedByValue(keys, input)
  const isMeasured = isRegions || isSized
  // A circle stands for points, whatever else is known of each, where its author does not say that it stands for a value.
  const format = isMeasured ? formatValueOf : (value: number) => tellCount(value, 'points', input.locale)
  const points = pointsOf(keys, isSized)
  const map = staticMap({
    ...{ shapes: keys.shapes, ...names, ...size },
    ...(keys.kind === 'regions' ? { values: regionValues(keys) } : { points, isSized }),
    legend: {
      ...(unit && isMeasured ? { unit } : {}),
      format,
      ...(step === undefined ? {} : { step }),
      classing: classingOf(input),
      noData: input.noValue ?? phrasesOf(input.locale).noData,
    },
    ...outlineOf(keys, input),
    isCounted: keys.isClustered,
    ...{ ground, isNamed: input.visualization.settings?.labels === true },
    projection: projectionOf(keys.setId),
  })
  const heading = isMeasured ? measureHeading(keys, input) : ''
  const { unit: _unit, ...legend } = map.legend
  return { ...map, legend: { ...legend, ...(heading && { unit: heading }) } }
}
