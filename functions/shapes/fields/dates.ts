const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?Z?$/

/**
 * The instant of a date in milliseconds since 1970 UTC, or null if it is none. A date is `YYYY-MM-DDTHH:mm:ss` with
 * an optional fraction of any length and an optional `Z`; without `Z` it means UTC. Offsets, dates without a time,
 * 24:00, second 60 and days that no calendar has are no dates. What is finer than a millisecond is cut off.
 */
export function instantOf(value: unknown): number | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.getTime()
  if (typeof value !== 'string') return null
  const parts = form.exec(value)
  if (parts === null) return null
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const [hour, minute, second] = [Number(parts[4]), Number(parts[5]), Number(parts[6])]
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null
  if (hour > 23 || minute > 59 || second > 59) return null
  const millisecond = parts[7] === undefined ? 0 : Number(parts[7].slice(0, 3).padEnd(3, '0'))
  // Date.UTC takes the years 0 to 99 for 1900 to 1999; 400 years are a whole cycle of the calendar.
  const cycle = year < 100 ? 146_097 * 86_400_000 : 0
  return Date.UTC(year < 100 ? year + 400 : year, month - 1, day, hour, minute, second, millisecond) - cycle
}

/** The date as ISO text in UTC with milliseconds and `Z`, or null if it is no date. */
export function isoDate(value: unknown): string | null {
  const instant = instantOf(value)
  return instant === null ? null : new Date(instant).toISOString()
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
