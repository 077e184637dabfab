import * as v from 'valibot'
import { wholeNumber } from './options.ts'
import { TimeOrNull } from './returns.ts'

const UsageDay = v.strictObject({
  /** yyyy-mm-dd, UTC. */
  day: v.string(),
  requests: v.number(),
  /** Of the requests, those that were a file of records. */
  exports: v.number(),
  /** As they stood when that day was counted; null: it was not. */
  records: v.nullable(v.number()),
  storageBytes: v.nullable(v.number()),
})
export type UsageDay = v.InferOutput<typeof UsageDay>

/** The most days that are told of, and that are kept of what the readers of hubs do. */
export const mostDays = 400

/** How many days are told of, today's included: 1 to 400, 30 when not said. */
export const daysOption = v.optional(
  v.pipe(
    wholeNumber(mostDays, `Must be 1 to ${mostDays} days.`),
    v.check((days) => days > 0, `Must be 1 to ${mostDays} days.`),
  ),
)
export const UsageOptions = v.strictObject({ days: daysOption })
export type UsageOptions = v.InferOutput<typeof UsageOptions>

/** What a place holds, and what was asked of it on each of the last days, oldest first. */
export const PlaceUsage = v.strictObject({
  dataTypes: v.number(),
  sources: v.number(),
  data: v.number(),
  insights: v.number(),
  users: v.number(),
  storageBytes: v.number(),
  days: v.array(UsageDay),
})
export type PlaceUsage = v.InferOutput<typeof PlaceUsage>

/** The same for one data type in a place. `requests` is the sum of the days. */
export const DataTypeUsage = v.strictObject({
  records: v.number(),
  sources: v.number(),
  lastUpdate: TimeOrNull,
  requests: v.number(),
  days: v.array(UsageDay),
})
/** As the domain gives it: times are dates until they are JSON. */
export type DataTypeUsage = Omit<v.InferOutput<typeof DataTypeUsage>, 'lastUpdate'> & {
  lastUpdate: Date | null
}
