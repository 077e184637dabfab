import * as v from 'valibot'

const value = v.union([v.string(), v.number()])
const estimated = v.optional(v.literal(true))
const unit = v.picklist(['day', 'month', 'year', 'decade', 'century'])
const bar = <Edge extends v.GenericSchema>(edge: Edge) =>
  v.strictObject({ from: edge, to: edge, count: v.number() })

/** How many different values there are: exact to 10,000; `estimated`: more, by HyperLogLog, a figure that is out by 0.8 % as a rule. */
const Distinct = v.strictObject({ count: v.number(), estimated })

/**
 * What is known of the values of a field over all records, for one version of the data. Every number is exact unless something
 * beside it says otherwise. Null: does not go with the type of the field.
 */
export const FieldProfile = v.strictObject({
  /** Records with a value, and without. */
  count: v.number(),
  empty: v.number(),
  distinct: v.nullable(Distinct),
  /** Of numbers and dates. */
  min: v.nullable(value),
  max: v.nullable(value),
  /**
   * By nearest rank. `within`: how far an estimate may be from the value, as a part of it; of dates the length of the period that is named.
   */
  quantiles: v.nullable(
    v.strictObject({
      values: v.array(v.strictObject({ percent: v.number(), value: v.nullable(value) })),
      estimated,
      within: v.optional(v.union([v.number(), unit])),
    }),
  ),
  /**
   * Up to 50 of the most frequent values, equal counts by value, of how many different ones; `others`: records with another value. A long
   * text is cut after 100 characters. `tooLowBy`: how many more records each of the values may have; absent: the counts are exact.
   * Without any where no value is known to be more frequent than others.
   */
  top: v.nullable(
    v.strictObject({
      values: v.array(v.strictObject({ value, count: v.number() })),
      of: Distinct,
      others: v.number(),
      tooLowBy: v.optional(v.number()),
    }),
  ),
  /** Bars of equal width, each from `from` on and below `to`; of dates one for each `unit`. Null where all values are the same. */
  histogram: v.nullable(
    v.union([
      v.strictObject({ bars: v.array(bar(v.number())) }),
      v.strictObject({ unit, bars: v.array(bar(v.string())) }),
    ]),
  ),
  /** The days, months or years between the first and the last date, how many of them have a record, and the longest gaps. */
  coverage: v.nullable(
    v.strictObject({
      unit,
      /** Of instants: by whose clocks a day is one. */
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

/** What is kept of a field in every write. `min` and `max` of numbers and dates (ISO text), null without values. `values` null: too many. */
export interface FieldStat {
  min: number | string | null
  max: number | string | null
  nulls: number
  values: Record<string, number> | null
}

/** What an import read as no value in a field, as it is kept: `values` are counts of the first different texts. */
export interface EmptyTexts {
  count: number
  values?: Record<string, number>
}

/** What was read as no value: how many values, and the most frequent texts with their counts; `others`: values of other texts. */
export const ReadAsEmpty = v.strictObject({
  count: v.number(),
  values: v.array(v.strictObject({ value: v.string(), count: v.number() })),
  others: v.number(),
})
export type ReadAsEmpty = v.InferOutput<typeof ReadAsEmpty>

/**
 * Whether the profiles are of the data as they are now. pending: they are being made, and are null. tooLarge: those of so many
 * sources cannot be put together. `sources`, `records`: of how many.
 */
export const ProfileState = v.strictObject({
  state: v.picklist(['ready', 'pending', 'tooLarge']),
  sources: v.number(),
  records: v.number(),
})
export type ProfileState = v.InferOutput<typeof ProfileState>
