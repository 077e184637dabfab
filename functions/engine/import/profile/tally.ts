import { isText } from '#functions/shapes/fields/plain.ts'
import { numberFault } from '../map/numbers.ts'
import { isBlank, isNoValue, showValue } from '../map/reading.ts'
import { Distinct, type DistinctState } from './distinct.ts'
import { Frequent, type FrequentState } from './frequent.ts'
import { hashText } from './hash.ts'
import { isShape, tallyShape, tallyText } from './texts.ts'

const maxExamples = 5
const maxMisses = 10
const maxBag = 64
const itemsSeen = 100

/** The number of occurrences by name. */
export type CountsByName = Record<string, number>

const candidates = ['number', 'boolean', 'date', 'shape', 'text', '.', ',', 'monthFirst', 'dayFirst'] as const
/** Types that values may fail to have; including numbers and dates in a certain reading. */
export type Candidate = (typeof candidates)[number]

export interface Miss {
  row: number
  value: string
}

/** The counts of a column, which can be summed over parts. */
export type Counts = {
  /** Rows with a value: not null, not white space only, no word for a missing value. */
  values: number
  nulls: number
  blanks: number
  /** Words for a missing value. */
  words: CountsByName
  kinds: CountsByName
  /** How its numbers are written, see `formKey`. */
  forms: CountsByName
  /** For texts and numbers: without a fraction; with a leading zero; with digits that a double cannot represent. */
  integers: number
  zeroLed: number
  inexact: number
  /** How its dates are written; those that only the column decides by which readings are days of a calendar. */
  dates: CountsByName
  /** Those with a time of day, and those of them at midnight as written. */
  timed: number
  midnights: number
  /** Words for booleans. */
  truths: CountsByName
  shapes: CountsByName
  /** Kinds of the items of its lists. */
  items: CountsByName
}

/** Smallest and largest: lengths of texts, numbers as read with a point and with a comma, dates by order of month and day. */
export type Ranges = Partial<
  Record<'length' | '.' | ',' | 'monthFirst' | 'dayFirst', [least: number, most: number]>
>

export interface TallyState {
  counts: Counts
  ranges: Ranges
  examples: string[]
  misses: Record<Candidate, Miss[]>
  distinct: DistinctState
  frequent: FrequentState
}

/** The state of one column, in bounded memory, whatever the number of rows. */
export class Tally {
  counts: Counts = {
    ...{ values: 0, nulls: 0, blanks: 0, words: {}, kinds: {}, forms: {}, integers: 0, zeroLed: 0 },
    ...{ inexact: 0, dates: {}, timed: 0, midnights: 0, truths: {}, shapes: {}, items: {} },
  }
  ranges: Ranges = {}
  examples: string[] = []
  misses = Object.fromEntries(candidates.map((name): [Candidate, Miss[]] => [name, []])) as Record<
    Candidate,
    Miss[]
  >
  distinct = new Distinct()
  frequent = new Frequent()

  /** Rows in which the column is there at all. */
  get rowCount(): number {
    const { values, nulls, blanks, words } = this.counts
    return values + nulls + blanks + Object.values(words).reduce((sum, count) => sum + count, 0)
  }

  add(value: unknown, row: number): void {
    const { counts } = this
    if (value === null || value === undefined) counts.nulls += 1
    else if (typeof value === 'string') this.addText(value, row)
    else this.addOther(value, row)
  }

  /** A map whose members have columns of their own. */
  addMap(row: number): void {
    this.counts.values += 1
    count(this.counts.kinds, 'map')
    for (const name of notMaps) this.miss(name, row, '{…}')
  }

  miss(candidate: Candidate, row: number, value: unknown): void {
    const list = this.misses[candidate]
    if (list.length < maxMisses) list.push({ row, value: showValue(value) })
  }

  range(name: keyof Ranges, value: number): void {
    const range = this.ranges[name]
    if (!range) this.ranges[name] = [value, value]
    else if (value < range[0]) range[0] = value
    else if (value > range[1]) range[1] = value
  }

  merge(other: Tally): void {
    addCounts(this.counts, other.counts)
    for (const [name, range] of Object.entries(other.ranges) as [keyof Ranges, [number, number]][]) {
      for (const end of range) this.range(name, end)
    }
    for (const example of other.examples) this.example(example)
    for (const name of candidates)
      for (const { row, value } of other.misses[name]) this.miss(name, row, value)
    this.distinct.merge(other.distinct)
    this.frequent.merge(other.frequent)
  }

  toJSON(): TallyState {
    const { counts, ranges, examples, misses, distinct, frequent } = this
    return { counts, ranges, examples, misses, distinct: distinct.toJSON(), frequent: frequent.toJSON() }
  }

  static from(state: TallyState): Tally {
    const { ranges, examples, misses, ...rest } = structuredClone(state)
    // Stored before midnights were counted: their number is unknown.
    const counts = { ...rest.counts, midnights: (rest.counts as Partial<Counts>).midnights ?? 0 }
    const restored = { distinct: Distinct.from(state.distinct), frequent: Frequent.from(state.frequent) }
    return Object.assign(new Tally(), { counts, ranges, examples, misses }, restored)
  }

  private addText(value: string, row: number): void {
    const { counts } = this
    if (isBlank(value)) {
      counts.blanks += 1
      return
    }
    const text = value.trim()
    if (isNoValue(text)) {
      count(counts.words, text)
      return
    }
    const isKept = isText(value)
    this.value(isKept ? 'text' : 'unkept', value)
    if (!isKept) this.miss('text', row, value)
    this.range('length', value.length)
    tallyText(this, text, row)
  }

  private addOther(value: unknown, row: number): void {
    const { counts } = this
    if (typeof value === 'number') {
      const isExact = numberFault(value) === null
      this.value(isExact ? 'number' : 'inexact', String(value))
      if (Number.isInteger(value)) counts.integers += 1
      if (isExact) for (const decimal of ['.', ','] as const) this.range(decimal, value + 0)
      else {
        counts.inexact += 1
        this.miss('number', row, value)
        this.miss('text', row, value)
      }
      if (value === 0 || value === 1) count(counts.truths, String(value))
      else this.miss('boolean', row, value)
      this.miss('date', row, value)
      this.miss('shape', row, value)
      return
    }
    if (typeof value === 'boolean') {
      this.value('boolean', String(value))
      for (const name of ['number', 'date', 'shape'] as const) this.miss(name, row, value)
      return
    }
    if (value instanceof Date) {
      this.value('date', showValue(value))
      if (!Number.isNaN(value.getTime())) for (const order of orders) this.range(order, value.getTime())
      for (const name of ['number', 'boolean', 'shape'] as const) this.miss(name, row, value)
      return
    }
    const text = JSON.stringify(value) ?? ''
    this.value(Array.isArray(value) ? 'list' : isShape(value) ? 'shape' : 'map', text)
    if (Array.isArray(value))
      for (const item of value.slice(0, itemsSeen)) count(counts.items, itemKind(item))
    if (isShape(value)) tallyShape(this, value, row)
    else this.miss('shape', row, text)
    for (const name of ['number', 'boolean', 'date', 'text'] as const) this.miss(name, row, text)
  }

  private value(kind: string, text: string): void {
    this.counts.values += 1
    count(this.counts.kinds, kind)
    this.distinct.add(hashText(text))
    this.frequent.add(text)
    if (this.examples.length < maxExamples) this.example(text)
  }

  private example(text: string): void {
    const example = showValue(text)
    if (this.examples.length < maxExamples && !this.examples.includes(example)) this.examples.push(example)
  }
}

const notMaps = ['number', 'boolean', 'date', 'shape', 'text'] as const
const orders = ['monthFirst', 'dayFirst'] as const

/** Counts one more of a name; beyond 64 names they count as `…`. */
export function count(bag: CountsByName, name: string): void {
  const before = bag[name]
  if (before !== undefined) bag[name] = before + 1
  else if (Object.keys(bag).length < maxBag) bag[name] = 1
  else bag['…'] = (bag['…'] ?? 0) + 1
}

type TallyCounts = Record<string, number | CountsByName>

function addCounts(into: TallyCounts, from: TallyCounts): void {
  for (const [name, value] of Object.entries(from)) {
    const before = into[name]
    if (typeof value === 'number') into[name] = ((before as number | undefined) ?? 0) + value
    else
      for (const [key, times] of Object.entries(value))
        (before as CountsByName)[key] = ((before as CountsByName)[key] ?? 0) + times
  }
}

function itemKind(item: unknown): string {
  if (item === null || item === undefined) return 'null'
  if (Array.isArray(item)) return 'list'
  return typeof item === 'object' ? 'map' : typeof item
}
