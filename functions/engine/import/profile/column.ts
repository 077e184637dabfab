import type { ColumnReading, NumberSign } from '../map/reading.ts'
import { booleanWords, numberSigns } from '../map/reading.ts'
import { accepts } from '../map/numbers.ts'
import type { CountsByName, Candidate, Counts, Miss, Ranges, Tally } from './tally.ts'
import { mayBeMissing } from './missing.ts'
import { parseFormKey } from './texts.ts'

const topValues = 20

/** A possible type of a column: the number of values that have it, in the best reading. */
export interface Fit {
  parsed: number
  /** Of all rows with a value; 0 for an empty column. */
  ratio: number
  /** How the column is then read. */
  reading: ColumnReading
  /** Another reading with the same number of matches but other values; null: none. */
  alternative: ColumnReading | null
  /** Smallest and largest: numbers, or ISO texts of dates as clocks of the place show them. */
  least: number | string | null
  most: number | string | null
}

/** The profile of one column after all rows. */
export interface ColumnProfile {
  /** Dot path in the row. */
  path: string
  /** The rows of the source, including those without the column. */
  rows: number
  /** Rows with a value; `counts` has the reasons for the others. */
  values: number
  /** Rows in which the column is not there. */
  missing: number
  counts: Counts
  ranges: Ranges
  distinct: number
  isDistinctExact: boolean
  /** The number of distinct values with known counts, and of those that occur more than once. */
  repeats: { of: number; repeated: number }
  /** The 20 most frequent values; counts are too low by at most `topError`. */
  top: { value: string; count: number }[]
  topError: number
  /** Further values that may stand for a missing one, as far as they are known. */
  maybeMissing: { value: string; count: number }[]
  /** All distinct values; null where there are too many. */
  all: string[] | null
  examples: string[]
  /** Example rows whose value does not have the type. */
  misses: Record<Candidate, Miss[]>
  fits: Record<'number' | 'integer' | 'boolean' | 'date' | 'point' | 'text', Fit>
  /** Different in every row; or all digits of one length, some led by a zero. */
  looksLikeId: boolean
}

/** The profile of a column, in a source with that number of rows. */
export function columnProfile(path: string, tally: Tally, rows: number): ColumnProfile {
  const { counts, ranges, examples, misses, distinct } = structuredClone({
    ...tally.toJSON(),
    distinct: {
      count: tally.distinct.count(),
      isExact: tally.distinct.isExact,
      repeats: tally.distinct.repeats(),
    },
  })
  const { values: frequent, error } = tally.frequent.top(Infinity)
  const top = frequent.slice(0, topValues)
  const isWhole = error === 0 && distinct.isExact && frequent.length === distinct.count
  const all = isWhole ? frequent.map(({ value }) => value) : null
  const buildFit = (parsed: number, rest: Partial<Fit> = {}): Fit => ({
    ...{
      parsed,
      ratio: counts.values ? parsed / counts.values : 0,
      reading: {},
      alternative: null,
      least: null,
      most: null,
    },
    ...rest,
  })
  const number = numberFit(counts, ranges, buildFit)
  const isUnique = counts.values > 1 && distinct.repeats.repeated === 0
  const isWide = ranges.length !== undefined && ranges.length[0] === ranges.length[1] && counts.zeroLed > 0
  return {
    ...{ path, rows, values: counts.values, missing: rows - tally.rowCount, counts, ranges },
    ...{ distinct: distinct.count, isDistinctExact: distinct.isExact, repeats: distinct.repeats },
    ...{
      top,
      topError: error,
      maybeMissing: frequent.slice(topValues).filter(({ value }) => mayBeMissing(value)),
      all,
      examples,
      misses,
    },
    fits: {
      number,
      integer: buildFit(Math.min(counts.integers, number.parsed), {
        reading: number.reading,
        least: number.least,
        most: number.most,
      }),
      boolean: booleanFit(counts, buildFit),
      date: dateFit(counts, ranges, buildFit),
      point: buildFit(counts.shapes.point ?? 0),
      text: buildFit(sum(counts.kinds, ['text', 'number', 'boolean', 'date'])),
    },
    looksLikeId: isUnique || isWide,
  }
}

type MakeFit = (parsed: number, rest?: Partial<Fit>) => Fit

const sum = (bag: CountsByName, names: string[]) => names.reduce((total, name) => total + (bag[name] ?? 0), 0)

/** The number of numeric values in a reading. */
export function countParsedNumbers({ kinds, forms }: Counts, reading: ColumnReading): number {
  return Object.entries(forms).reduce(
    (total, [key, times]) => (key !== '…' && accepts(reading, parseFormKey(key)) ? total + times : total),
    kinds.number ?? 0,
  )
}

/** Example rows with values that are no numbers, or no dates, in a reading; by row. */
export function getMisses(
  { misses }: ColumnProfile,
  type: 'number' | 'date',
  reading: ColumnReading,
): Miss[] {
  const others =
    type === 'number' ? misses[reading.decimal ?? '.'] : reading.order ? misses[reading.order] : []
  return [...misses[type], ...others].sort((a, b) => a.row - b.row)
}

const groups = { '.': [',', ' ', "'"], ',': ['.', ' ', "'"] } as const

function numberFit(counts: Counts, ranges: Ranges, of: MakeFit): Fit {
  const signs: (NumberSign | undefined)[] = [undefined, ...numberSigns]
  const readings = (['.', ','] as const).flatMap((decimal) =>
    groups[decimal].flatMap((group) => signs.map((sign) => buildReading(decimal, group, sign))),
  )
  const all = readings.map((reading) => ({ reading, parsed: countParsedNumbers(counts, reading) }))
  const best = all.reduce((first, next) => (next.parsed > first.parsed ? next : first))
  const decimal = best.reading.decimal ?? '.'
  // With an ambiguous separator, the other decimal sign gives other numbers.
  const isOpen = Object.keys(counts.forms).some((key) => parseFormKey(key).isOpen)
  const other =
    isOpen &&
    all.find(({ reading, parsed }) => parsed === best.parsed && (reading.decimal ?? '.') !== decimal)
  const [least = null, most = null] = ranges[decimal] ?? []
  return of(best.parsed, { reading: best.reading, alternative: other ? other.reading : null, least, most })
}

/** Contains only deviations from the default. */
function buildReading(
  decimal: '.' | ',',
  group: ColumnReading['group'],
  sign: NumberSign | undefined,
): ColumnReading {
  const reading: ColumnReading = {}
  if (decimal === ',') reading.decimal = ','
  if (group !== (decimal === '.' ? ',' : '.')) reading.group = group
  if (sign) reading.sign = sign
  return reading
}

/** The number of boolean values in a reading. */
export function countParsedBooleans({ kinds, truths }: Counts, reading: ColumnReading): number {
  const own = [...(reading.true ?? []), ...(reading.false ?? [])]
  const words = own.length > 0 ? own : [...booleanWords.keys()]
  return (kinds.boolean ?? 0) + sum(truths, words)
}

const pairs: [yes: string[], no: string[]][] = [
  [['on'], ['off']],
  [
    ['ja', 'j'],
    ['nein', 'n'],
  ],
  [
    ['oui', 'o'],
    ['non', 'n'],
  ],
  [
    ['sí', 'si', 's'],
    ['no', 'n'],
  ],
  [['vrai'], ['faux']],
  [['wahr'], ['falsch']],
]

function booleanFit(counts: Counts, of: MakeFit): Fit {
  const readings: ColumnReading[] = [{}, ...pairs.map(([yes, no]) => ({ true: yes, false: no }))]
  const all = readings.map((reading) => ({ reading, parsed: countParsedBooleans(counts, reading) }))
  const best = all.reduce((first, next) => (next.parsed > first.parsed ? next : first))
  return of(best.parsed, { reading: best.reading })
}

/** The number of date values in a reading. Local times in a gap are not detected here. */
export function countParsedDates({ kinds, dates }: Counts, { order }: ColumnReading): number {
  const open = {
    both: dates['open both'] ?? 0,
    monthFirst: dates['open monthFirst'] ?? 0,
    dayFirst: dates['open dayFirst'] ?? 0,
  }
  const fixed = sum(dates, Object.keys(dates)) - open.both - open.monthFirst - open.dayFirst
  const openDates = order === undefined ? open.monthFirst + open.dayFirst : open.both + open[order]
  return (kinds.date ?? 0) + fixed + openDates
}

function dateFit(counts: Counts, ranges: Ranges, of: MakeFit): Fit {
  const { dates } = counts
  const [month, day] = [dates['open monthFirst'] ?? 0, dates['open dayFirst'] ?? 0]
  const isOpen = (dates['open both'] ?? 0) > 0
  // Days beyond the twelfth decide for all; without them it is ambiguous.
  const order = month === day ? undefined : month > day ? 'monthFirst' : 'dayFirst'
  const reading: ColumnReading = isOpen && order ? { order } : {}
  const range = ranges[order ?? 'monthFirst'] ?? ranges.dayFirst
  const [least = null, most = null] = range?.map((wall) => new Date(wall).toISOString().slice(0, 19)) ?? []
  return of(countParsedDates(counts, reading), { reading, least, most })
}
