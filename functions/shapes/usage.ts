import * as v from 'valibot'
import { buildWholeNumberShape } from './options.ts'
import { TimeOrNull } from './returns.ts'

const UsageDay = v.strictObject({
  /** yyyy-mm-dd, UTC. */
  day: v.string(),
  requests: v.number(),
  /** The requests that were file exports. */
  exports: v.number(),
  /** At the time of counting; null: not counted. */
  records: v.nullable(v.number()),
  storageBytes: v.nullable(v.number()),
})
export type UsageDay = v.InferOutput<typeof UsageDay>

/** Maximum number of days in responses, and of stored hub usage. */
export const maxDays = 400

/** The number of days, including today: 1 to 400, default 30. */
export const daysOption = v.optional(
  v.pipe(
    buildWholeNumberShape(maxDays, `Must be 1 to ${maxDays} days.`),
    v.check((days) => days > 0, `Must be 1 to ${maxDays} days.`),
  ),
)
export const UsageOptions = v.strictObject({ days: daysOption })
export type UsageOptions = v.InferOutput<typeof UsageOptions>

/** The contents of a place, and its requests on each of the last days, oldest first. */
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
/** As returned by the domain: times are dates until serialized. */
export type DataTypeUsage = Omit<v.InferOutput<typeof DataTypeUsage>, 'lastUpdate'> & {
  lastUpdate: Date | null
}
