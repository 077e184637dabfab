import { BoundedMemory } from '#functions/platform/cache/bounded-memory.ts'
import type { OutputField } from '#functions/shapes/analytics.ts'
import { dateBuckets, isCalendarDate } from '#functions/shapes/field.ts'
import type { DateBucket } from '#functions/shapes/field.ts'
import { wallTime } from '#functions/shapes/wall-time.ts'

// Charts are drawn in the time zone of their place wherever they are rendered: in the Worker, in Node, in any browser.
// Scales in the machine's time zone would differ between them, so instants are converted to "local milliseconds":
// those at which a clock in UTC shows the local time.

const day = 86_400_000

/** A cache for Intl: the rows of a page are formatted in several languages, in charts and tables. */
const localTimes = new BoundedMemory<number>({ cost: 5000, estimateCost: () => 1 })

const plainDate = /^\d{4}-\d{2}-\d{2}$/
/**
 * The local milliseconds of a date: ISO text, epoch milliseconds or a Date. A plain `2020-01-31` has no zone and remains
 * that day. Null for anything else. Throws a RangeError for an unknown time zone.
 */
export function localTime(value: unknown, timeZone: string): number | null {
  if (typeof value !== 'string' && typeof value !== 'number' && !(value instanceof Date)) return null
  const instant = new Date(value).getTime()
  if (Number.isNaN(instant) || value === '') return null
  if (timeZone === 'UTC' || (typeof value === 'string' && plainDate.test(value))) return instant
  const name = `${timeZone} ${instant}`
  return localTimes.getOrMake(name, () => wallTime(instant, timeZone))
}

/** The bucket a date was cut down to, or that a calendar date is as exact as; undefined for a date that is an instant. */
export function findDateBucket(
  field: Pick<OutputField, 'type' | 'measurement' | 'precision'> | undefined,
): DateBucket | undefined {
  const value = field?.measurement?.type === 'bucket' ? field.measurement.value : undefined
  const bucket = dateBuckets.find((each) => each === value)
  return bucket ?? (field && isCalendarDate(field) ? field.precision : undefined)
}

const months: Partial<Record<DateBucket, number>> = {
  month: 1,
  quarter: 3,
  customQuarter: 3,
  year: 12,
  customYear: 12,
  decade: 120,
}
const lengths: Partial<Record<DateBucket, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day,
  week: 7 * day,
}

/** The local milliseconds at which the bucket after the one that starts at `start` starts. */
export function computeNextBucketStart(start: number, bucket: DateBucket): number {
  const length = lengths[bucket]
  if (length) return start + length
  const next = new Date(start)
  next.setUTCMonth(next.getUTCMonth() + (months[bucket] ?? 1))
  return next.getTime()
}
