import * as v from 'valibot'
import { ratings } from './speed.ts'
import { daysOption } from './usage.ts'

/** `format`: as a file. */
export const HubUsageOptions = v.strictObject({
  days: daysOption,
  format: v.optional(v.picklist(['json', 'csv'])),
})
export type HubUsageOptions = v.InferOutput<typeof HubUsageOptions>

/** The 75th percentile: milliseconds, for `cls` without a unit. */
const Measured = v.strictObject({
  p75: v.number(),
  rating: v.picklist(ratings),
  /** Number of measured loads. */
  loads: v.number(),
})
export type Measured = v.InferOutput<typeof Measured>

/** Null: not measured. */
const Speed = v.strictObject({
  lcp: v.nullable(Measured),
  cls: v.nullable(Measured),
  inp: v.nullable(Measured),
  ttfb: v.nullable(Measured),
})
export type Speed = v.InferOutput<typeof Speed>

/** A share of the views. Name null: all others together. */
const Part = v.strictObject({ name: v.nullable(v.string()), views: v.number(), visits: v.number() })
export type Part = v.InferOutput<typeof Part>

/** With the speed for the first ten names; null for others. */
const TimedPart = v.strictObject({ ...Part.entries, speed: Speed })
export type TimedPart = v.InferOutput<typeof TimedPart>

const Times = v.strictObject({ name: v.nullable(v.string()), times: v.number() })

/** The usage of a hub; lists are sorted by views, at most 50 names each. */
export const HubUsage = v.strictObject({
  views: v.number(),
  /** Views that did not come from another page of the hub. */
  visits: v.number(),
  speed: Speed,
  /** Every day (yyyy-mm-dd, UTC), oldest first. */
  days: v.array(v.strictObject({ day: v.string(), views: v.number(), visits: v.number() })),
  /** Paths without language prefix; '404': unknown paths. */
  pages: v.array(TimedPart),
  /** ISO 3166-1 alpha-2; 'XX': unknown. */
  countries: v.array(TimedPart),
  devices: v.array(TimedPart),
  locales: v.array(Part),
  /** Hosts; '': unknown. */
  referrers: v.array(Part),
  /** Downloads by source. */
  downloads: v.array(
    v.strictObject({ sourceId: v.nullable(v.string()), name: v.nullable(v.string()), times: v.number() }),
  ),
  /** Searches without results, three times or more in a day. */
  searches: v.array(Times),
})
export type HubUsage = v.InferOutput<typeof HubUsage>
