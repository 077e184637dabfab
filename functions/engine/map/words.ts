import { languages } from '#functions/shapes/language/index.ts'
import type { RegionKind } from '#functions/shapes/language/map.ts'
import { toLocale } from '#functions/shapes/locale.ts'
import { plural } from '#functions/shapes/plural.ts'

const kinds: Record<string, RegionKind> = {
  'us-states': 'state',
  'us-counties': 'county',
  'world-countries': 'country',
}

/** The numbers of records in a picture and in total, and of its marks. */
interface PictureCounts {
  /** All there are. */
  records: number
  /** The records represented by marks. */
  drawnCount: number
  /** Those that have a place outside of the picture. */
  outside: number
  marks: number
}

/** A number of records or points with their noun, as in the legend of circles: "2 points". */
export const describeCount = (n: number, of: 'records' | 'points', locale: string): string =>
  plural(languages[toLocale(locale)].map[of], n, locale)

/** The caption of a picture: how many records in how many circles, and which are not shown. */
export function describePictureCounts(
  { records, drawnCount, outside, marks }: PictureCounts,
  locale: string,
): string {
  const mapWords = languages[toLocale(locale)].map
  const of = plural(mapWords.records, drawnCount, locale)
  const unplaced = records - drawnCount - outside
  return [
    drawnCount === marks
      ? mapWords.single(of)
      : mapWords.gathered(of, plural(mapWords.circles, marks, locale)),
    ...(unplaced > 0 ? [plural(mapWords.unplaced, unplaced, locale)] : []),
    ...(outside > 0 ? [plural(mapWords.outside, outside, locale)] : []),
  ].join(' ')
}

/** The note for circles instead of lines and areas. */
export const describeManyShapes = (locale: string): string => languages[toLocale(locale)].map.manyShapes

/** The note for an interactive map with only some of the records. */
export function describeLiveMap(count: number, records: number, locale: string): string {
  const words = languages[toLocale(locale)].map
  return words.live(new Intl.NumberFormat(locale).format(count), plural(words.records, records, locale))
}

/** The note for records that a picture of several sources lacks; '' where it has them all. */
export function describeUnshownRecords(count: number, locale: string): string {
  return count > 0 ? plural(languages[toLocale(locale)].map.unshown, count, locale) : ''
}

/** The name of a measure normalised by area, per a number of square kilometres. */
export const describeMeasurePerArea = (measure: string, km2: number, locale: string): string =>
  languages[toLocale(locale)].map.perArea(
    measure,
    km2 === 1 ? '' : `${new Intl.NumberFormat(locale).format(km2)}\u00a0`,
  )

/** The name of a measure normalised by an attribute of its region, per `n` of `of`. */
export const describeMeasurePerAttribute = (measure: string, n: number, of: string, locale: string): string =>
  languages[toLocale(locale)].map.perAttribute(
    measure,
    n === 1 ? '' : `${new Intl.NumberFormat(locale).format(n)}\u00a0`,
    of,
  )

/** The note for regions with a value but without a denominator; '' without any. */
export const describeUndividedRegions = (n: number, locale: string): string =>
  n === 0 ? '' : plural(languages[toLocale(locale)].map.undivided, n, locale)

/** The column names of points counted by region. */
export const getRegionColumnNames = (locale: string) => languages[toLocale(locale)].map.byRegion

/** The note for values normalised by areas of simplified outlines. */
export const describeSimplifiedAreas = (locale: string): string => languages[toLocale(locale)].map.areas

/** The most unmatched values that are named; more are counted. */
const maxNamed = 5

/** What a map of regions or points leaves out of an answer. */
export interface MapGaps {
  setId: string
  /** The number of values in the region column, and those without a matching region. */
  values: number
  unmatched: readonly string[]
  /** The measure of rows without a region, '' where it is no number; null where each has one. */
  nameless: string | null
  /**
   * The set whose outlines determine the region of records, and its origin ('' if not stated); null where the records
   * contain it.
   */
  outlines: { name: string; origin: string } | null
  /** The number of regions with several rows. */
  repeated: number
  /** The number of rows without a location. */
  unplaced: number
  /** The number of points outside of the picture, and the names of regions with a value outside. */
  outside: number
  hidden: readonly string[]
  /** Why nothing is on the map; null where something is. */
  blank: 'borders' | 'names' | 'numbers' | 'places' | null
}

/** A sentence about why a map is blank, or what it leaves out of its answer; '' if it shows everything. */
export function describeGaps(missing: MapGaps, locale: string): string {
  const { setId, values, unmatched, nameless, outlines, repeated, unplaced, outside, hidden, blank } = missing
  const mapWords = languages[toLocale(locale)].map
  const set = kinds[setId] ?? 'region'
  const { format } = new Intl.NumberFormat(locale)
  const listNames = (names: readonly string[]) => ({
    names: names.slice(0, maxNamed).join(mapWords.comma),
    more: Math.max(0, names.length - maxNamed),
  })
  const n = unmatched.length
  const details = { n, total: values, set, ...listNames(unmatched), writeCount: format }
  return [
    blank === null ? '' : blank === 'names' ? mapWords.blank.names(set) : mapWords.blank[blank],
    n > 0 && blank !== 'borders' ? mapWords.unmatched(details) : '',
    nameless !== null && blank === null ? mapWords.nameless(set, nameless) : '',
    repeated > 0 && blank === null ? plural(mapWords.repeated, repeated, locale) : '',
    unplaced > 0 && blank === null ? plural(mapWords.unplacedRows, unplaced, locale) : '',
    outside > 0 ? plural(mapWords.outsidePoints, outside, locale) : '',
    hidden.length > 0 ? mapWords.hidden({ n: hidden.length, ...listNames(hidden), writeCount: format }) : '',
    outlines !== null && blank === null ? mapWords.located(outlines.name, outlines.origin) : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** The length of a scale bar that holds in the middle of its picture. */
export const describeMiddleScale = (length: string, locale: string): string =>
  languages[toLocale(locale)].map.scale.middle(length)

/** Of a picture of the whole earth: it has no scale, but areas are comparable. */
export const describeAreasOnly = (locale: string): string => languages[toLocale(locale)].map.scale.areasOnly
