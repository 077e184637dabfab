import { BoundedMemory } from '#functions/platform/cache/bounded-memory.ts'
import type { OutputField } from '#functions/shapes/analytics.ts'
import { dateBuckets, isCalendarDate } from '#functions/shapes/field.ts'
import type { DateBucket } from '#functions/shapes/field.ts'
import { wallTime } from '#functions/shapes/wallTime.ts'

// A chart is drawn in the time of its place wherever it is drawn: in the Worker, in Node, in any reader's browser.
// Scales that follow the machine's own zone would differ between the three, so each instant is turned into
// "local milliseconds" here: the milliseconds at which a clock in UTC shows what the clock of the place shows.

const day = 86_400_000

/** What Intl gave before: the rows of a page are written in several languages, and stand in charts and tables. */
const localTimes = new BoundedMemory<number>({ cost: 5000, costOf: () => 1 })

const plainDate = /^\d{4}-\d{2}-\d{2}$/
/**
 * Local milliseconds of a date: ISO text, epoch milliseconds or a Date. A plain `2020-01-31` has no zone and stays
 * that day. Null when the value is no date. Throws a RangeError for an unknown time zone.
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
export function bucketOf(
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
export function nextBucket(start: number, bucket: DateBucket): number {
  const length = lengths[bucket]
  if (length) return start + length
  const next = new Date(start)
  next.setUTCMonth(next.getUTCMonth() + (months[bucket] ?? 1))
  return next.getTime()
}
