import type { OutputField } from '#functions/shapes/analytics.ts'
import { isCalendarDate, type DateBucket, type Precision } from '#functions/shapes/field.ts'
import type { Clock } from './zone.ts'

/** The name of a bucket, by its local start as ISO text without a zone. */
const names: Partial<Record<string, (start: string) => string>> = {
  day: (start) => start.slice(0, 10),
  week: (start) => toIsoWeek(start.slice(0, 10)),
  month: (start) => start.slice(0, 7),
  quarter: (start) => `${start.slice(0, 4)}-Q${Math.ceil(Number(start.slice(5, 7)) / 3)}`,
  // Custom quarters have no common numbering, so the first month names them.
  customQuarter: (start) => start.slice(0, 7),
  customYear: (start) => start.slice(0, 7),
  year: (start) => start.slice(0, 4),
  decade: (start) => start.slice(0, 4),
} satisfies Partial<Record<DateBucket, (start: string) => string>>

/** The week of ISO 8601 that a day is in: `2012-W01` has the first Thursday of the year. */
function toIsoWeek(day: string): string {
  const thursday = new Date(`${day}T00:00:00Z`)
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  const year = thursday.getUTCFullYear()
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / 604_800_000) + 1
  return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}`
}

/** The bucket length of an answer's date column; undefined where it is not bucketed, or by day. */
export function findBucketSpan({ type, precision, measurement }: OutputField): string | undefined {
  if (type !== 'date') return undefined
  if (measurement?.type === 'bucket') return measurement.value
  return precision === 'month' || precision === 'year' ? precision : undefined
}

/**
 * The name of a bucket by its start: `2012-01-01` a day, `2012-W05` an ISO 8601 week, `2012-01` a month, `2012-Q1` a
 * quarter, `2012` a year and the first year of a decade. Custom quarters and years are named by their first month. Hours
 * and shorter ones are instants with their offset.
 */
export function spanText(
  value: string,
  { bucket, ...column }: { bucket: string; type?: string | undefined; precision?: Precision },
  clock: Clock,
): string {
  const name = Object.hasOwn(names, bucket) ? names[bucket] : undefined
  if (isCalendarDate(column)) return name ? name(`${value.slice(0, 10)}T00:00:00`) : value
  return name ? name(clock.wall(value)) : clock.text(value)
}
