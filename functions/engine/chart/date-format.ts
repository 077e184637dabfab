import type { DateBucket } from '#functions/shapes/field.ts'
import { computeNextBucketStart } from './local-time.ts'
import { getPhrases } from './phrases.ts'

const day = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** The locale of a page's words, and that of its dates if it is another. */
interface DateReading {
  locale: string
  dateLocale?: string | undefined
}

/** The locale of dates. */
export const dateLocaleIn = ({ locale, dateLocale }: DateReading): string => dateLocale ?? locale

/** A cached date formatter for local milliseconds (in UTC), Gregorian as the data are. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  let match = formats.get(key)
  if (!match) {
    match = new Intl.DateTimeFormat(locale, { ...options, calendar: 'gregory', timeZone: 'UTC' })
    formats.set(key, match)
  }
  return match
}

/**
 * Formats local milliseconds with the precision of their bucket: `Jan 5, 2012`, `January 2012`, `Q1 2012`, `2012`,
 * `2010s`. Weeks and custom quarters and years are ranges, since their names are ambiguous. Without a bucket the day
 * and, unless it is midnight, the time. `compact` shortens month names. Words such as "Q1" are the page's.
 */
export function formatDate(
  local: number,
  bucket: DateBucket | undefined,
  reading: DateReading,
  compact = false,
): string {
  const { locale } = reading
  const dateLocale = dateLocaleIn(reading)
  const month = compact ? 'short' : 'long'
  const write = (options: Intl.DateTimeFormatOptions) => dateFormat(dateLocale, options).format(local)
  const span = (options: Intl.DateTimeFormatOptions) =>
    dateFormat(dateLocale, options).formatRange(local, computeNextBucketStart(local, bucket ?? 'day') - day)
  const year = new Date(local).getUTCFullYear()
  switch (bucket) {
    case 'decade':
      return getPhrases(locale).decade(year)
    case 'year':
      return String(year)
    case 'customYear':
      return new Date(local).getUTCMonth() === 0 ? String(year) : span({ year: 'numeric', month: 'short' })
    case 'quarter':
      return getPhrases(locale).quarterOfYear(Math.floor(new Date(local).getUTCMonth() / 3) + 1, year)
    case 'customQuarter':
      return span({ year: 'numeric', month: 'short' })
    case 'month':
      return write({ year: 'numeric', month })
    case 'week':
      return span({ year: 'numeric', month: 'short', day: 'numeric' })
    case 'day':
      return write({ dateStyle: 'medium' })
    case 'second':
      return write({ dateStyle: 'medium', timeStyle: 'medium' })
    case 'hour':
    case 'minute':
      return write({ dateStyle: 'medium', timeStyle: 'short' })
    case undefined:
      return write(local % day === 0 ? { dateStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' })
  }
}
