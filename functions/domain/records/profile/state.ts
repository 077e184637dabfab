import { Distinct } from '#functions/engine/import/profile/distinct.ts'
import { columnType } from '#db/data-table.ts'
import type { Field } from '#functions/shapes/field.ts'
import {
  binsFrom,
  mergeBins,
  mergeBuckets,
  computeBucket,
  bucketsFrom,
  stepFor,
  type Bins,
  type Buckets,
} from './numbers.ts'
import {
  mergePeriods,
  dayOfInstant,
  periodsFrom,
  shortestUnit,
  type Periods,
  type PeriodUnit,
} from './periods.ts'

/** Up to this many distinct values, all are stored with their counts. */
export const maxValues = 10_000
/** With more distinct values, only this many of the most frequent are stored. */
export const mostFrequent = 1000
/** Longer texts are stored as a prefix of this many characters and a hash. */
export const longestValue = 100

/** How a field's values are aggregated; of `other` only the number of values is counted. */
export type Kind = 'text' | 'number' | 'boolean' | 'instant' | 'day' | 'other'

const kinds: Record<string, Kind> = {
  text: 'text',
  'double precision': 'number',
  boolean: 'boolean',
  timestamptz: 'instant',
  date: 'day',
}

export function getFieldKind(field: Field): Kind {
  return kinds[columnType(field)] ?? 'other'
}

/** A value as it is stored: numbers as numbers, dates as ISO text, booleans as text. */
export type Value = string | number

/**
 * The aggregate of a field's values in a set of records, bounded in size. Aggregates of disjoint sets can be
 * merged (`mergeStates`); the result equals that of one pass, except for `top` where `leftOut` is not 0.
 */
export interface FieldState {
  kind: Kind
  records: number
  empty: number
  /** Of numbers and dates; null for others, and where there is no value. */
  min: Value | null
  max: Value | null
  /**
   * Values with their counts, the most frequent first, equal counts in the order of the values. All of them
   * where there are at most 10,000.
   */
  top: [value: Value, count: number][]
  /** The highest count that a value outside `top` can have. 0: `top` has all values. */
  leftOut: number
  /** By how much the true count of a value in `top` can exceed the stored one. */
  tooLowBy: number
  /** HyperLogLog registers, one character each. Null: unknown, because no value could be hashed. */
  registers: string | null
  /** Of numbers where `top` does not have all values; otherwise null. */
  buckets: Buckets | null
  bins: Bins | null
  /** Of dates where `top` does not have all values; otherwise null. */
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

/** Sorts by count, highest first; equal counts by value, texts by code point. */
export function byCount([a, m]: [Value, number], [b, n]: [Value, number]): number {
  return n - m || compare(a, b)
}

/** Compares like Postgres with collation "C": by code points, not by UTF-16 units. */
function compare(a: Value, b: Value): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b)
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  // The difference is in the second half of a surrogate pair: compare the whole pair.
  if (at > 0 && isSecondHalf(a.charCodeAt(at)) && isSecondHalf(b.charCodeAt(at))) at -= 1
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1)
}

const isSecondHalf = (code: number) => code >= 0xdc00 && code <= 0xdfff

/**
 * Merges the aggregates of two disjoint sets of records. `unit`: the shortest period that the field
 * distinguishes.
 */
export function mergeStates(a: FieldState, b: FieldState, unit: PeriodUnit): FieldState {
  if (a.records === a.empty || b.records === b.empty) {
    const [some, none] = a.records === a.empty ? [b, a] : [a, b]
    return { ...some, records: some.records + none.records, empty: some.empty + none.empty }
  }
  const sums = new Map(a.top)
  for (const [value, count] of b.top) sums.set(value, (sums.get(value) ?? 0) + count)
  const top = [...sums].sort(byCount)
  const isAll = isWhole(a) && isWhole(b) && top.length <= maxValues
  const tooLowBy = isAll
    ? 0
    : Math.max(a.tooLowBy + b.tooLowBy, a.tooLowBy + b.leftOut, a.leftOut + b.tooLowBy)
  const tooFew = isAll ? 0 : (top[mostFrequent]?.[1] ?? 0) + tooLowBy
  const both: FieldState = {
    kind: a.kind,
    records: a.records + b.records,
    empty: a.empty + b.empty,
    min: edge(a.min, b.min, -1),
    max: edge(a.max, b.max, 1),
    top: isAll ? top : top.slice(0, mostFrequent),
    leftOut: isAll ? 0 : Math.max(a.leftOut + b.leftOut, tooFew),
    tooLowBy,
    registers: mergeRegisters(a.registers, b.registers),
    buckets: null,
    bins: null,
    periods: null,
  }
  if (isAll) return both
  const { kind, min, max } = both
  if (kind === 'number' && typeof min === 'number' && typeof max === 'number') {
    both.buckets = mergeBuckets(getBuckets(a), getBuckets(b))
    both.bins = mergeBins(getBins(a), getBins(b), [min, max])
  }
  if (kind === 'instant' || kind === 'day')
    both.periods = mergePeriods(getPeriods(a, unit), getPeriods(b, unit))
  return both
}

function edge(a: Value | null, b: Value | null, sign: 1 | -1): Value | null {
  if (a === null || b === null) return a ?? b
  return compare(a, b) * sign > 0 ? a : b
}

/** The stored buckets, or else those of `top`, which then has all values. */
export function getBuckets({ buckets, top }: FieldState): Buckets {
  return buckets ?? bucketsFrom(top.map(([value, count]) => [computeBucket(Number(value)), count]))
}

export function getBins({ bins, top, min, max }: FieldState): Bins {
  return bins ?? binsFrom(top as [number, number][], stepFor(Number(min), Number(max)))
}

/**
 * The stored periods, or else those of `top`, which then has all values. `unit`: the shortest that the field
 * distinguishes.
 */
export function getPeriods({ periods, top }: FieldState, unit: PeriodUnit): Periods {
  return (
    periods ??
    periodsFrom(
      top.map(([value, count]) => [dayOfInstant(Date.parse(String(value))), count]),
      unit,
    )
  )
}

export const getFieldUnit = (field: Field) => shortestUnit(field.precision)

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const registerBits = 14
/** Bits of a hash that remain for the rank (53 without those of the register). */
const rankBits = 39

/** HyperLogLog registers, from the smallest remainder of a hash in each. */
export function registersFrom(smallest: Iterable<readonly [register: number, rest: number]>): string {
  const registers = new Array<string>(1 << registerBits).fill('A')
  for (const [register, rest] of smallest)
    registers[register] = digits[rest === 0 ? rankBits + 1 : rankBits - Math.floor(Math.log2(rest))] ?? 'A'
  return registers.join('')
}

const sketch = (registers: string) => Distinct.from({ sample: [], limit: 0, registers })

function mergeRegisters(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  const all = sketch(a)
  all.merge(sketch(b))
  return all.toJSON().registers
}

/** The number of distinct values: exact where all are stored, otherwise an estimate. */
export function distinctIn(state: FieldState): number {
  if (isWhole(state)) return state.top.length
  const { top, records, empty, registers } = state
  const guess = registers === null ? top.length : sketch(registers).count()
  return Math.min(Math.max(guess, maxValues + 1), records - empty)
}
