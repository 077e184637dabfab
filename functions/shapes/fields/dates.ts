import type { CalendarPrecision } from '../field.ts'

/**
 * The instant of a date in milliseconds since 1970 UTC; null if invalid. Valid is `YYYY-MM-DDTHH:mm:ss` with an optional fraction of
 * any length and an optional `Z`; the zone is always UTC. Offsets, dates without a time, 24:00, second 60 and impossible days are
 * invalid. Fractions are truncated to milliseconds.
 */
export function parseInstant(value: unknown): number | null {
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
  // Date.UTC maps the years 0 to 99 to 1900 to 1999; the calendar repeats after 400 years.
  const cycle = year < 100 ? 146_097 * 86_400_000 : 0
  const instant = Date.UTC(year < 100 ? year + 400 : year, month - 1, day, hour, minute, second)
  return instant - cycle + Number(getMillisecondDigits(value))
}

/** The date as ISO text in UTC with milliseconds and `Z`; null if invalid. */
export function isoDate(value: unknown): string | null {
  const instant = parseInstant(value)
  if (instant === null) return null
  if (typeof value !== 'string') return new Date(instant).toISOString()
  return `${value.slice(0, 19)}.${getMillisecondDigits(value)}Z`
}

const halfDate = /^\d{4}(?:-\d{2})?$/
const fullDate = /^(\d{4}-\d{2}-\d{2})(?:T00:00:00(?:\.0+)?Z?)?$/

/**
 * The calendar date of a text as `YYYY-MM-DD`: of a year or month its first day; an instant at midnight in UTC is that day. Null for
 * anything else, for impossible days, and for the year 0, which Postgres lacks.
 */
export function parseCalendarDay(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const day = halfDate.test(value) ? `${value}-01-01`.slice(0, 10) : fullDate.exec(value)?.[1]
  if (day === undefined || day.startsWith('0000')) return null
  return parseInstant(`${day}T00:00:00`) === null ? null : day
}

const forms: Record<CalendarPrecision, RegExp> = {
  day: /^.{10}/,
  month: /^\d{4}-\d{2}(?:-01|$)/,
  year: /^\d{4}(?:-01-01|-01$|$)/,
}

/**
 * A value of a calendar field as stored, `YYYY-MM-DD`: for a month or year its first day. Null if it is less precise than the field (a
 * month is no day), or more precise (the 15th is no month).
 */
export function calendarDate(value: unknown, precision: CalendarPrecision): string | null {
  return typeof value === 'string' && forms[precision].test(value) ? parseCalendarDay(value) : null
}

/** Checks the format except the digits before the fraction. By position, as a regular expression took most of the time of an import. */
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

/** The milliseconds of a text in valid format. */
function getMillisecondDigits(text: string): string {
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
