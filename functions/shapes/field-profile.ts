import * as v from 'valibot'

const value = v.union([v.string(), v.number()])
const estimated = v.optional(v.literal(true))
const unit = v.picklist(['day', 'month', 'year', 'decade', 'century'])
const bar = <Edge extends v.GenericSchema>(edge: Edge) =>
  v.strictObject({ from: edge, to: edge, count: v.number() })

/** The number of distinct values: exact up to 10,000; `estimated`: above, by HyperLogLog, with a typical error of 0.8 %. */
const Distinct = v.strictObject({ count: v.number(), estimated })

/**
 * Statistics of a field over all records, for one version of the data. Numbers are exact unless stated otherwise. Null: not applicable
 * to the field's type.
 */
export const FieldProfile = v.strictObject({
  /** Records with a value, and without. */
  count: v.number(),
  empty: v.number(),
  distinct: v.nullable(Distinct),
  /** For numbers and dates. */
  min: v.nullable(value),
  max: v.nullable(value),
  /** By nearest rank. `within`: the relative error bound of an estimate; for dates the length of the named period. */
  quantiles: v.nullable(
    v.strictObject({
      values: v.array(v.strictObject({ percent: v.number(), value: v.nullable(value) })),
      estimated,
      within: v.optional(v.union([v.number(), unit])),
    }),
  ),
  /**
   * Up to 50 of the most frequent values, ties by value, out of how many distinct ones; `others`: records with another value. A long
   * text is cut after 100 characters. `tooLowBy`: how much each count may be too low; absent: the counts are exact. Absent if no value
   * is known to be more frequent than others.
   */
  top: v.nullable(
    v.strictObject({
      values: v.array(v.strictObject({ value, count: v.number() })),
      of: Distinct,
      others: v.number(),
      tooLowBy: v.optional(v.number()),
    }),
  ),
  /** Bars of equal width, each from `from` (inclusive) to `to` (exclusive); for dates one per `unit`. Null if all values are equal. */
  histogram: v.nullable(
    v.union([
      v.strictObject({ bars: v.array(bar(v.number())) }),
      v.strictObject({ unit, bars: v.array(bar(v.string())) }),
    ]),
  ),
  /** The days, months or years between the first and the last date, how many of them have records, and the longest gaps. */
  coverage: v.nullable(
    v.strictObject({
      unit,
      /** For instants: the time zone of days. */
      timeZone: v.optional(v.literal('UTC')),
      from: v.string(),
      to: v.string(),
      periods: v.number(),
      filled: v.number(),
      gaps: v.number(),
      longestGaps: v.array(v.strictObject({ from: v.string(), to: v.string(), periods: v.number() })),
    }),
  ),
})
export type FieldProfile = v.InferOutput<typeof FieldProfile>

/**
 * Statistics of a field stored with every write. `min` and `max` of numbers and dates (ISO text), null without values. `values` null:
 * too many.
 */
export interface FieldStat {
  min: number | string | null
  max: number | string | null
  nulls: number
  values: Record<string, number> | null
}

/** What an import read as missing values of a field, as stored: `values` are counts of the first distinct texts. */
export interface EmptyTexts {
  count: number
  values?: Record<string, number>
}

/** Values read as missing: their number, and the most frequent texts with counts; `others`: values with other texts. */
export const ReadAsEmpty = v.strictObject({
  count: v.number(),
  values: v.array(v.strictObject({ value: v.string(), count: v.number() })),
  others: v.number(),
})
export type ReadAsEmpty = v.InferOutput<typeof ReadAsEmpty>

/**
 * Whether the statistics are current. pending: being computed, and null. tooLarge: those of so many sources cannot be merged.
 * `sources`, `records`: their numbers.
 */
export const ProfileState = v.strictObject({
  state: v.picklist(['ready', 'pending', 'tooLarge']),
  sources: v.number(),
  records: v.number(),
})
export type ProfileState = v.InferOutput<typeof ProfileState>
