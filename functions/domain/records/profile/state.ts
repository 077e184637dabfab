import { Distinct } from '#functions/engine/import/profile/distinct.ts'
import { columnType } from '#db/dataTable.ts'
import type { Field } from '#functions/shapes/field.ts'
import {
  binsFrom,
  bothBins,
  bothBuckets,
  bucketOf,
  bucketsFrom,
  stepFor,
  type Bins,
  type Buckets,
} from './numbers.ts'
import {
  bothPeriods,
  dayOfInstant,
  periodsFrom,
  shortestUnit,
  type Periods,
  type PeriodUnit,
} from './periods.ts'

/** Different values of which all are kept with their counts. */
export const mostValues = 10_000
/** Where there are more, so many of the most frequent ones. */
export const mostFrequent = 1000
/** A longer text is kept by its beginning and its hash. */
export const longestValue = 100

/** How the values of a field are looked at; of others it is only counted how many there are. */
export type Kind = 'text' | 'number' | 'boolean' | 'instant' | 'day' | 'other'

const kinds: Record<string, Kind> = {
  text: 'text',
  'double precision': 'number',
  boolean: 'boolean',
  timestamptz: 'instant',
  date: 'day',
}

export function kindOf(field: Field): Kind {
  return kinds[columnType(field)] ?? 'other'
}

/** A value as it is counted: numbers as they are, dates as ISO text, true and false as text. */
export type Value = string | number

/**
 * What is known of the values of a field in some records, in bounded memory. That of other records can be added: the sum is what
 * would be known of all of them at once, but for `top` where `leftOut` is not 0.
 */
export interface FieldState {
  kind: Kind
  records: number
  empty: number
  /** Of numbers and dates. */
  min: Value | null
  max: Value | null
  /** The most frequent values first, equal counts by value; all of them where there are no more than 10,000. */
  top: [value: Value, count: number][]
  /** The most records that a value may have which is not in `top`. 0: there is none. */
  leftOut: number
  /** How many more records than its count says a value of `top` may have. */
  tooLowBy: number
  /** Of HyperLogLog, a character each; null: not known, for there is no value that could be hashed. */
  registers: string | null
  /** Of numbers, and where `top` has not all values. */
  buckets: Buckets | null
  bins: Bins | null
  /** Of dates, likewise. */
  periods: Periods | null
}

export const isWhole = ({ leftOut }: FieldState) => leftOut === 0

export function emptyState(kind: Kind, records = 0): FieldState {
  const nothing = { min: null, max: null, top: [], leftOut: 0, tooLowBy: 0 }
  return {
    ...{ kind, records, empty: records, ...nothing },
    ...{ registers: null, buckets: null, bins: null, periods: null },
  }
}

/** The highest count first; values of equal counts in their order, texts in that of their characters. */
export function byCount([a, m]: [Value, number], [b, n]: [Value, number]): number {
  return n - m || compare(a, b)
}

/** As the database compares them: not by halves of characters. */
function compare(a: Value, b: Value): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b)
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  // Within a character of two halves the first ones are the same.
  if (at > 0 && isSecondHalf(a.charCodeAt(at)) && isSecondHalf(b.charCodeAt(at))) at -= 1
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1)
}

const isSecondHalf = (code: number) => code >= 0xdc00 && code <= 0xdfff

/** What is known of the records of two parts together. */
export function bothStates(a: FieldState, b: FieldState, unit: PeriodUnit): FieldState {
  if (a.records === a.empty || b.records === b.empty) {
    const [some, none] = a.records === a.empty ? [b, a] : [a, b]
    return { ...some, records: some.records + none.records, empty: some.empty + none.empty }
  }
  const sums = new Map(a.top)
  for (const [value, count] of b.top) sums.set(value, (sums.get(value) ?? 0) + count)
  const top = [...sums].sort(byCount)
  const isAll = isWhole(a) && isWhole(b) && top.length <= mostValues
  const tooLowBy = isAll
    ? 0
    : Math.max(a.tooLowBy + b.tooLowBy, a.tooLowBy + b.leftOut, a.leftOut + b.tooLowBy)
  const cut = isAll ? 0 : (top[mostFrequent]?.[1] ?? 0) + tooLowBy
  const both: FieldState = {
    kind: a.kind,
    records: a.records + b.records,
    empty: a.empty + b.empty,
    min: edge(a.min, b.min, -1),
    max: edge(a.max, b.max, 1),
    top: isAll ? top : top.slice(0, mostFrequent),
    leftOut: isAll ? 0 : Math.max(a.leftOut + b.leftOut, cut),
    tooLowBy,
    registers: bothRegisters(a.registers, b.registers),
    buckets: null,
    bins: null,
    periods: null,
  }
  if (isAll) return both
  const { kind, min, max } = both
  if (kind === 'number' && typeof min === 'number' && typeof max === 'number') {
    both.buckets = bothBuckets(bucketsOf(a), bucketsOf(b))
    both.bins = bothBins(binsOf(a), binsOf(b), [min, max])
  }
  if (kind === 'instant' || kind === 'day') both.periods = bothPeriods(periodsOf(a, unit), periodsOf(b, unit))
  return both
}

function edge(a: Value | null, b: Value | null, sign: 1 | -1): Value | null {
  if (a === null || b === null) return a ?? b
  return compare(a, b) * sign > 0 ? a : b
}

/** Kept, or made of all values. */
export function bucketsOf({ buckets, top }: FieldState): Buckets {
  return buckets ?? bucketsFrom(top.map(([value, count]) => [bucketOf(Number(value)), count]))
}

export function binsOf({ bins, top, min, max }: FieldState): Bins {
  return bins ?? binsFrom(top as [number, number][], stepFor(Number(min), Number(max)))
}

/** `unit`: the shortest that the field can say. */
export function periodsOf({ periods, top }: FieldState, unit: PeriodUnit): Periods {
  return (
    periods ??
    periodsFrom(
      top.map(([value, count]) => [dayOfInstant(Date.parse(String(value))), count]),
      unit,
    )
  )
}

export const unitOf = (field: Field) => shortestUnit(field.precision)

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const registerBits = 14
/** Of a hash that is left for the rank. */
const rankBits = 39

/** Registers of hashes, from the smallest rest of a hash in each of them. */
export function registersFrom(smallest: Iterable<readonly [register: number, rest: number]>): string {
  const registers = new Array<string>(1 << registerBits).fill('A')
  for (const [register, rest] of smallest)
    registers[register] = digits[rest === 0 ? rankBits + 1 : rankBits - Math.floor(Math.log2(rest))] ?? 'A'
  return registers.join('')
}

const sketch = (registers: string) => Distinct.from({ sample: [], limit: 0, registers })

function bothRegisters(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  const all = sketch(a)
  all.merge(sketch(b))
  return all.toJSON().registers
}

/** How many different values there are: exact where all are known, else an estimate. */
export function distinctIn(state: FieldState): number {
  if (isWhole(state)) return state.top.length
  const { top, records, empty, registers } = state
  const guess = registers === null ? top.length : sketch(registers).count()
  return Math.min(Math.max(guess, mostValues + 1), records - empty)
}
