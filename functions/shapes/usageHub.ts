import * as v from 'valibot'
import { ratings } from './speed.ts'
import { daysOption } from './usage.ts'

/** `format`: as one file instead. */
export const HubUsageOptions = v.strictObject({
  days: daysOption,
  format: v.optional(v.picklist(['json', 'csv'])),
})
export type HubUsageOptions = v.InferOutput<typeof HubUsageOptions>

/** What three quarters of the measured loads did not exceed: milliseconds, of `cls` a number without a unit. */
const Measured = v.strictObject({
  p75: v.number(),
  rating: v.picklist(ratings),
  /** Loads it was measured of. */
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

/** A part of the views. Name null: all the others together. */
const Part = v.strictObject({ name: v.nullable(v.string()), views: v.number(), visits: v.number() })
export type Part = v.InferOutput<typeof Part>

/** The speed of the first ten names; of others all of it is null. */
const TimedPart = v.strictObject({ ...Part.entries, speed: Speed })
export type TimedPart = v.InferOutput<typeof TimedPart>

const Times = v.strictObject({ name: v.nullable(v.string()), times: v.number() })

/** How the readers of a hub used it; the lists by views, at most 50 names each. */
export const HubUsage = v.strictObject({
  views: v.number(),
  /** Views that did not come from another page of the hub. */
  visits: v.number(),
  speed: Speed,
  /** Every day (yyyy-mm-dd, UTC), oldest first. */
  days: v.array(v.strictObject({ day: v.string(), views: v.number(), visits: v.number() })),
  /** Paths without their language; '404': those that the hub has not. */
  pages: v.array(TimedPart),
  /** ISO 3166-1 alpha-2; 'XX': not known. */
  countries: v.array(TimedPart),
  devices: v.array(TimedPart),
  locales: v.array(Part),
  /** Hosts; '': none was said. */
  referrers: v.array(Part),
  /** Files taken of each source. */
  downloads: v.array(
    v.strictObject({ sourceId: v.nullable(v.string()), name: v.nullable(v.string()), times: v.number() }),
  ),
  /** What was searched for in vain three times or more in a day. */
  searches: v.array(Times),
})
export type HubUsage = v.InferOutput<typeof HubUsage>
