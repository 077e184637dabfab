/**
 * The instant of a date in milliseconds since 1970 UTC, or null if it is none. A date is `YYYY-MM-DDTHH:mm:ss` with
 * an optional fraction of any length and an optional `Z`; without `Z` it means UTC. Offsets, dates without a time,
 * 24:00, second 60 and days that no calendar has are no dates. What is finer than a millisecond is cut off.
 */
export function instantOf(value: unknown): number | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.getTime()
  if (typeof value !== 'string' || !hasForm(value)) return null
  const year = digits(value, 0, 4)
  const month = digits(value, 5, 2)
  const day = digits(value, 8, 2)
  const hour = digits(value, 11, 2)
  const minute = digits(value, 14, 2)
  const second = digits(value, 17, 2)
  // A part that is not all digits is NaN, and every comparison with NaN is false.
  const isDay = year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
  if (!isDay || !(hour <= 23 && minute <= 59 && second <= 59)) return null
  // Date.UTC takes the years 0 to 99 for 1900 to 1999; 400 years are a whole cycle of the calendar.
  const cycle = year < 100 ? 146_097 * 86_400_000 : 0
  const instant = Date.UTC(year < 100 ? year + 400 : year, month - 1, day, hour, minute, second)
  return instant - cycle + Number(millisecondsOf(value))
}

/** The date as ISO text in UTC with milliseconds and `Z`, or null if it is no date. */
export function isoDate(value: unknown): string | null {
  const instant = instantOf(value)
  if (instant === null) return null
  if (typeof value !== 'string') return new Date(instant).toISOString()
  return `${value.slice(0, 19)}.${millisecondsOf(value)}Z`
}

/** Looks at all but the digits before the fraction. By position: a pattern took most of the time of an import. */
function hasForm(text: string): boolean {
  const isParted =
    text[4] === '-' && text[7] === '-' && text[10] === 'T' && text[13] === ':' && text[16] === ':'
  if (!isParted || text.length < 19) return false
  const end = text.endsWith('Z') ? text.length - 1 : text.length
  if (end === 19) return true
  if (text[19] !== '.' || end === 20) return false
  for (let at = 20; at < end; at += 1) if (!isDigit(text.charCodeAt(at))) return false
  return true
}

/** The three digits after the point of a text that has the form. */
function millisecondsOf(text: string): string {
  return text[19] === '.' ? text.slice(20, 23).replace('Z', '').padEnd(3, '0') : '000'
}

function digits(text: string, at: number, count: number): number {
  let number = 0
  for (let index = at; index < at + count; index += 1) {
    const code = text.charCodeAt(index)
    if (!isDigit(code)) return Number.NaN
    number = number * 10 + code - 48
  }
  return number
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
