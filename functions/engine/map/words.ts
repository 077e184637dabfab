import { languages } from '#functions/shapes/language/index.ts'
import type { RegionKind } from '#functions/shapes/language/map.ts'
import { localeOf } from '#functions/shapes/locale.ts'
import { plural } from '#functions/shapes/plural.ts'

const kinds: Record<string, RegionKind> = {
  'us-states': 'state',
  'us-counties': 'county',
  'world-countries': 'country',
}

/** How many records a picture of places has of how many, and in how many marks it gathers them. */
interface Pictured {
  /** All there are. */
  records: number
  /** Those that the picture's marks stand for. */
  drawn: number
  /** Those that have a place outside of the picture. */
  outside: number
  marks: number
}

/** So many records or points with their noun, as the legend of circles has them: "2 points". */
export const tellCount = (n: number, of: 'records' | 'points', locale: string): string =>
  plural(languages[localeOf(locale)].map[of], n, locale)

/** What a picture of places shows: how many records in how many circles, and which it does not show. */
export function tellPictured({ records, drawn, outside, marks }: Pictured, locale: string): string {
  const say = languages[localeOf(locale)].map
  const of = plural(say.records, drawn, locale)
  const unplaced = records - drawn - outside
  return [
    drawn === marks ? say.single(of) : say.gathered(of, plural(say.circles, marks, locale)),
    ...(unplaced > 0 ? [plural(say.unplaced, unplaced, locale)] : []),
    ...(outside > 0 ? [plural(say.outside, outside, locale)] : []),
  ].join(' ')
}

/** Said where a picture has circles in the place of lines and areas. */
export const tellManyShapes = (locale: string): string => languages[localeOf(locale)].map.manyShapes

/** Said where the live map has only some of the records. */
export function tellLive(count: number, records: number, locale: string): string {
  const say = languages[localeOf(locale)].map
  return say.live(new Intl.NumberFormat(locale).format(count), plural(say.records, records, locale))
}

/** Said of records that a picture of several sources has not; '' where it has them all. */
export function tellUnshown(count: number, locale: string): string {
  return count > 0 ? plural(languages[localeOf(locale)].map.unshown, count, locale) : ''
}

/** What a measure is called that is divided by the area of its region, told for so many square kilometres. */
export const tellPerArea = (measure: string, km2: number, locale: string): string =>
  languages[localeOf(locale)].map.perArea(
    measure,
    km2 === 1 ? '' : `${new Intl.NumberFormat(locale).format(km2)}\u00a0`,
  )

/** What a measure is called that is divided by a number of its region, told for so many of what is called `of`. */
export const tellPerAttribute = (measure: string, n: number, of: string, locale: string): string =>
  languages[localeOf(locale)].map.perAttribute(
    measure,
    n === 1 ? '' : `${new Intl.NumberFormat(locale).format(n)}\u00a0`,
    of,
  )

/** How many regions with a value have nothing that it could be divided by; '' where all have. */
export const tellUndivided = (n: number, locale: string): string =>
  n === 0 ? '' : plural(languages[localeOf(locale)].map.undivided, n, locale)

/** What the columns of points that are counted by region are called. */
export const tellByRegion = (locale: string) => languages[localeOf(locale)].map.byRegion

/** Said where values are divided by areas of outlines that are simplified. */
export const tellAreas = (locale: string): string => languages[localeOf(locale)].map.areas

/** So many values are named that match no region; more are counted. */
const mostNamed = 5

/** What of an answer a map of regions or of points has not. */
export interface Missing {
  setId: string
  /** How many values of the column of regions there are, and those that name no region. */
  values: number
  unmatched: readonly string[]
  /** Some rows name no region at all: what the measure is of them, '' where that is no number; null where each names one. */
  nameless: string | null
  /** The set whose outlines decide which region a record is of, and where they come from ('' where nobody said so); null where records say it. */
  outlines: { name: string; origin: string } | null
  /** How many regions several rows name. */
  repeated: number
  /** How many rows of a map of points have no place. */
  unplaced: number
  /** How many of its points lie outside of the picture, and the names of regions with a value that do. */
  outside: number
  hidden: readonly string[]
  /** Nothing is on the map, and why. */
  blank: 'borders' | 'names' | 'numbers' | 'places' | null
}

/** Why a map is blank, or what of its answer it has not; '' where it has all. */
export function tellMissing(missing: Missing, locale: string): string {
  const { setId, values, unmatched, nameless, outlines, repeated, unplaced, outside, hidden, blank } = missing
  const say = languages[localeOf(locale)].map
  const set = kinds[setId] ?? 'region'
  const { format } = new Intl.NumberFormat(locale)
  const listed = (names: readonly string[]) => ({
    names: names.slice(0, mostNamed).join(say.comma),
    more: Math.max(0, names.length - mostNamed),
  })
  const n = unmatched.length
  const details = { n, total: values, set, ...listed(unmatched), writeCount: format }
  return [
    blank === null ? '' : blank === 'names' ? say.blank.names(set) : say.blank[blank],
    n > 0 && blank !== 'borders' ? say.unmatched(details) : '',
    nameless !== null && blank === null ? say.nameless(set, nameless) : '',
    repeated > 0 && blank === null ? plural(say.repeated, repeated, locale) : '',
    unplaced > 0 && blank === null ? plural(say.unplacedRows, unplaced, locale) : '',
    outside > 0 ? plural(say.outsidePoints, outside, locale) : '',
    hidden.length > 0 ? say.hidden({ n: hidden.length, ...listed(hidden), writeCount: format }) : '',
    outlines !== null && blank === null ? say.located(outlines.name, outlines.origin) : '',
  ]
    .filter(Boolean)
    .join(' ')
}
