import type { AnswerRow, Coverage, Moments, Output } from '#functions/shapes/analytics.ts'
import { findDatePart, type CalendarPrecision, type DateBucket } from '#functions/shapes/field.ts'
import { findDateBucket, localTime, computeNextBucketStart } from './local-time.ts'
import { toNumber } from './measure.ts'

/** Whether the data cover a bucket: `unknown` for the first and the last one of an answer without coverage. */
export type Extent = 'whole' | 'partial' | 'unknown'

const day = 86_400_000
const dayAt = (local: number) => Math.floor(local / day) * day

/** Date parts that are buckets themselves, and the conversion of their numbers to years. */
const yearConverters: Partial<Record<string, (part: number) => number>> = {
  year: (part) => part,
  customYear: (part) => part,
  decade: (part) => part * 10,
}

/** The time of a column's values: the bucket of each, undefined for instants; null for a column without times. */
export function findTimeColumn(
  output: Output,
  alias: string | undefined,
): { bucket: DateBucket | undefined; toLocalTime(value: unknown, timeZone: string): number | null } | null {
  const field = alias === undefined ? undefined : output.schema[alias]
  if (field?.type === 'date') return { bucket: findDateBucket(field), toLocalTime: localTime }
  const part = findDatePart(field) ?? ''
  const toYear = yearConverters[part]
  if (!toYear) return null
  const toLocalTime = (value: unknown) => {
    const number = toNumber(value)
    if (number === null) return null
    return new Date(0).setUTCFullYear(toYear(number), 0, 1)
  }
  return { bucket: part as DateBucket, toLocalTime }
}

/** The first and the last covered day, as local milliseconds: a date that stands for a month covers all of it. */
function daysCovered({ from, to, precision }: Coverage): [first: number, last: number] {
  const [first, last] = [new Date(from), new Date(to)]
  const months: Record<CalendarPrecision, number> = { day: 0, month: 1, year: 12 }
  const length = months[precision]
  if (length === 0) return [first.getTime(), last.getTime()]
  if (length === 12) {
    first.setUTCMonth(0, 1)
    last.setUTCMonth(0, 1)
  }
  first.setUTCDate(1)
  last.setUTCDate(1)
  last.setUTCMonth(last.getUTCMonth() + length)
  return [first.getTime(), last.getTime() - day]
}

const clockSpans = new Set<DateBucket | undefined>(['second', 'minute', 'hour'])

/**
 * Whether instants cover a bucket of a week or less that begins at local milliseconds: neither the instant before the
 * first nor the one after the last is in it. For irregular instants the next one is a millisecond away.
 */
function reachOver({ from, to, step = 1 }: Moments, bucket: DateBucket, timeZone: string) {
  const [first, last] = [localTime(from, timeZone) ?? 0, localTime(to, timeZone) ?? 0]
  return (start: number) => first - step < start && last + step >= computeNextBucketStart(start, bucket)
}

/**
 * Whether the data cover the buckets of a column, by value: a bucket is partial where the data begin after its first day
 * or end before its last one; for weeks, days and hours of instants, where they begin or end within it. Without coverage
 * in the answer that is unknown for its first and its last bucket.
 */
export function createExtentFinder(
  { output, rows, timeZone }: { output: Output; rows: AnswerRow[]; timeZone: string },
  alias: string | undefined,
): (value: unknown) => Extent {
  const times = findTimeColumn(output, alias)
  if (!times || times.bucket === undefined) return () => 'whole'
  const { bucket, toLocalTime } = times
  const { coverage } = output
  // A calendar date that is not cut is as exact as the data are.
  const field = alias === undefined ? undefined : output.schema[alias]
  if (field?.type === 'date' && field.measurement?.type !== 'bucket') return () => 'whole'
  const isShort = clockSpans.has(bucket)
  if (coverage?.alias === alias && coverage?.moments && (isShort || bucket === 'day' || bucket === 'week')) {
    const isCovered = reachOver(coverage.moments, bucket, timeZone)
    return (value) => {
      const start = toLocalTime(value, timeZone)
      return start === null || isCovered(isShort ? start : dayAt(start)) ? 'whole' : 'partial'
    }
  }
  if (coverage?.alias === alias && coverage !== undefined && !isShort) {
    const [first, last] = daysCovered(coverage)
    return (value) => {
      const start = toLocalTime(value, timeZone)
      if (start === null) return 'whole'
      const isCovered =
        first <= dayAt(start) && last >= dayAt(computeNextBucketStart(dayAt(start), bucket)) - day
      return isCovered ? 'whole' : 'partial'
    }
  }
  if (alias === undefined) return () => 'whole'
  let [least, most] = [Infinity, -Infinity]
  for (const row of rows) {
    const start = toLocalTime(row[alias], timeZone)
    if (start === null) continue
    least = Math.min(least, start)
    most = Math.max(most, start)
  }
  return (value) => {
    const start = toLocalTime(value, timeZone)
    return start === least || start === most ? 'unknown' : 'whole'
  }
}

/** The same bucket of the year before, by its first local day; null where there is none. */
export function yearBefore(start: number, bucket: DateBucket | undefined): number | null {
  // Weeks begin on the same weekday.
  if (bucket === 'week') return dayAt(start) - 364 * day
  if (bucket !== 'day' && bucket !== 'month' && bucket !== 'quarter' && bucket !== 'customQuarter')
    return null
  const before = new Date(dayAt(start))
  const month = before.getUTCMonth()
  before.setUTCFullYear(before.getUTCFullYear() - 1)
  return before.getUTCMonth() === month ? before.getTime() : null
}
