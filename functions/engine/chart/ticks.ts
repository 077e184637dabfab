import { dateFormat } from './date-format.ts'

/** A tick with its label; of two lines the second names the larger unit (a year). */
export interface Tick {
  value: number
  label: string | string[]
}

const steps = [1, 2, 2.5, 5, 10]

/** The smallest round step (1, 2, 2.5 or 5 times a power of ten) that cuts `span` into at most `count` parts. */
export function roundStep(span: number, count: number): number {
  if (!(span > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(span / count))
  const step = steps.find((candidate) => candidate * power >= (span / count) * (1 - 1e-9)) ?? 10
  return Number((step * power).toPrecision(12))
}

/** Round numbers from at or below `low` to at or above `high`, in about `count` steps, at least two numbers. */
export function roundNumbers(low: number, high: number, count: number, isWhole = false): number[] {
  const span = high > low ? high - low : Math.abs(high) || 1
  const step = isWhole ? Math.max(1, Math.ceil(roundStep(span, count))) : roundStep(span, count)
  const first = Math.floor(low / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9))
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}

type Unit = 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const candidates: { unit: Unit; count: number; ms: number }[] = [
  ...[1, 5, 15, 30].map((count) => ({ unit: 'second' as const, count, ms: count * 1000 })),
  ...[1, 5, 15, 30].map((count) => ({ unit: 'minute' as const, count, ms: count * minute })),
  ...[1, 3, 6, 12].map((count) => ({ unit: 'hour' as const, count, ms: count * hour })),
  ...[1, 2, 7, 14].map((count) => ({ unit: 'day' as const, count, ms: count * day })),
  ...[1, 3, 6].map((count) => ({ unit: 'month' as const, count, ms: count * 30.4 * day })),
  ...[1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].map((count) => ({
    unit: 'year' as const,
    count,
    ms: count * 365.25 * day,
  })),
]

function startsWithin(low: number, high: number, unit: Unit, count: number, ms: number): number[] {
  const rows: number[] = []
  if (unit === 'year' || unit === 'month') {
    const perYear = unit === 'year' ? 1 : 12
    const start = new Date(low)
    const index = start.getUTCFullYear() * perYear + (unit === 'month' ? start.getUTCMonth() : 0)
    for (let at = Math.floor(index / count) * count; ; at += count) {
      const date = new Date(0)
      date.setUTCFullYear(Math.floor(at / perYear), unit === 'month' ? ((at % 12) + 12) % 12 : 0, 1)
      // Ends the loop for NaN, where an end is invalid or out of range.
      if (!(date.getTime() <= high)) return rows
      if (date.getTime() >= low) rows.push(date.getTime())
    }
  }
  // Weeks start on a Monday; 5 January 1970 was one
  const origin = unit === 'day' && count >= 7 ? 4 * day : 0
  for (let at = origin + Math.ceil((low - origin) / ms) * ms; at <= high; at += ms) rows.push(at)
  return rows
}

const smallest: Record<string, number> = {
  minute,
  hour,
  day,
  week: 7 * day,
  month: 30 * day,
  quarter: 91 * day,
  customQuarter: 91 * day,
  year: 365 * day,
  customYear: 365 * day,
  decade: 3652 * day,
}

/**
 * At most `count` ticks between two local times, at the starts of years, months, days or hours and never finer than
 * `bucket`. A second line under the first tick and at each change names the year (or, for hours, the day).
 */
export function timeTicks(low: number, high: number, count: number, locale: string, bucket?: string): Tick[] {
  const least = smallest[bucket ?? ''] ?? 0
  const usable = candidates.filter(({ ms }) => ms * 1.02 >= least)
  let scale: { unit: Unit; values: number[] } = { unit: 'year', values: [low] }
  for (const { unit, count: every, ms } of usable) {
    if ((high - low) / ms > count * 2) continue
    const values = startsWithin(low, high, unit, every, ms)
    if (values.length > count) continue
    if (values.length > 0) scale = { unit, values }
    break
  }
  const { unit, values } = scale
  const options: Record<Unit, Intl.DateTimeFormatOptions> = {
    second: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
    minute: { hour: 'numeric', minute: '2-digit' },
    hour: { hour: 'numeric' },
    day: { day: 'numeric', month: 'short' },
    month: { month: 'short' },
    year: { year: 'numeric' },
  }
  const larger: Intl.DateTimeFormatOptions | undefined =
    unit === 'year'
      ? undefined
      : unit === 'month' || unit === 'day'
        ? { year: 'numeric' }
        : { day: 'numeric', month: 'short' }
  let text = ''
  return values.map((value) => {
    // Without Intl: a year is its number, also before 1000 and in locales that add an era
    if (!larger) return { value, label: String(new Date(value).getUTCFullYear()) }
    const label = dateFormat(locale, options[unit]).format(value)
    const second = dateFormat(locale, larger).format(value)
    if (second === text) return { value, label }
    text = second
    return { value, label: [label, second] }
  })
}
