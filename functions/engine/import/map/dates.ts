import type { CalendarPrecision } from '#functions/shapes/field.ts'
import { calendarDate, parseCalendarDay, isoDate } from '#functions/shapes/fields/dates.ts'
import { wallTime } from '#functions/shapes/wall-time.ts'
import { dateText, computeWallTime, type DatePattern, type DateText } from './date-text.ts'
import type { ColumnReading } from './reading.ts'
import type { Zone } from '#functions/shapes/zone.ts'

const noDate = 'Not a date.'
const noSuchDay = 'There is no such day or time.'
const firstInstant = Date.parse('0001-01-01T00:00:00Z')
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')
const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** A parsed date: ISO text in UTC with `Z`; otherwise a sentence that says why not. */
type DateRead = { iso: string } | { fault: string }

const fault = (text: string): DateRead => ({ fault: text })

/**
 * Parses a trimmed text as an instant. Without an offset it is local time of the place, and a day alone is its first
 * instant. Ambiguous texts are rejected with both readings, unless the column's reading decides; so are local times in a
 * gap. Precision beyond milliseconds is truncated, as in date fields.
 */
export function readDate(text: string, reading: ColumnReading, zone: Zone): DateRead {
  if (text.endsWith('Z') && text[10] === 'T') {
    const iso = isoDate(text)
    if (iso !== null && !iso.startsWith('0000')) return { iso }
  }
  const date = dateText(text)
  if (date === null) return fault(/^\d{4}$/.test(text) ? 'A year alone is no date.' : noDate)
  if (typeof date === 'string') return fault(date)
  if (date.instant !== undefined) return instantRead(date.instant)
  const wall = wallOfText(date, reading.order)
  if (typeof wall === 'string') return fault(wall)
  if (date.offset !== null)
    return Number.isNaN(date.offset)
      ? fault('No zone has that offset.')
      : instantRead(wall - date.offset * 60_000)
  if (date.time === null) return instantRead(zone.startOfDay(wall))
  return toInstant(wall, reading.twice, zone)
}

/** Patterns with a month and no day. */
export const monthPatterns: readonly DatePattern[] = ['YYYY-MM', 'MM/YYYY']

/**
 * Parses a trimmed text as a calendar date `YYYY-MM-DD`, independent of time zones. A time of day must be midnight: as
 * written, or local. A month alone is no day, and the 15th is no month.
 */
export function readCalendarDate(
  text: string,
  reading: ColumnReading,
  zone: Zone,
  precision: CalendarPrecision,
): { day: string } | { fault: string } {
  if (precision === 'year' && /^\d{4}$/.test(text)) {
    const year = parseCalendarDay(text)
    return year === null ? { fault: noSuchDay } : { day: year }
  }
  const date = dateText(text)
  if (date === null) return { fault: /^\d{4}$/.test(text) ? 'A year alone is no date.' : noDate }
  if (typeof date === 'string') return { fault: date }
  if (date.instant !== undefined) return calendarDay(date.instant, zone, precision)
  const wall = wallOfText(date, reading.order)
  if (typeof wall === 'string') return { fault: wall }
  if (precision === 'day' && monthPatterns.includes(date.pattern))
    return { fault: 'A month alone is no day.' }
  if (wall % dayMs === 0) return toDayAtPrecision(wall, precision)
  if (date.offset === null || Number.isNaN(date.offset)) return { fault: hasTime }
  return calendarDay(wall - date.offset * 60_000, zone, precision)
}

/** The calendar date that an instant is: midnight in UTC, or on the clocks of the place. */
export function calendarDay(
  instant: number,
  zone: Zone,
  precision: CalendarPrecision,
): { day: string } | { fault: string } {
  if (!(instant >= firstInstant && instant <= lastInstant)) return { fault: 'Beyond the years 1 to 9999.' }
  if (instant % dayMs === 0) return toDayAtPrecision(instant, precision)
  const wall = wallTime(instant, zone.name)
  return wall % dayMs === 0 ? toDayAtPrecision(wall, precision) : { fault: hasTime }
}

const dayMs = 86_400_000
const hasTime = 'Has a time of day, and the field holds calendar dates.'

function toDayAtPrecision(wall: number, precision: CalendarPrecision): { day: string } | { fault: string } {
  const day = calendarDate(new Date(wall).toISOString().slice(0, 10), precision)
  return day === null ? { fault: `More exact than the field, which holds a ${precision}.` } : { day }
}

/** A text's time as milliseconds on a clock of UTC, or a sentence. `order`: see `ColumnReading`. */
export function wallOfText(date: DateText, order: ColumnReading['order']): number | string {
  const { year, month, day, time, weekday } = date
  const wall =
    date.pattern === 'open' ? openWall(date, order) : (computeWallTime(year, month, day, time) ?? noSuchDay)
  if (typeof wall === 'string' || weekday === null) return wall
  const isDay = new Date(wall).getUTCDay()
  return isDay === weekday ? wall : `That day is a ${names[isDay]}.`
}

function openWall(
  { year, month: first, day: second, time }: DateText,
  order: ColumnReading['order'],
): number | string {
  const monthFirst = computeWallTime(year, first, second, time)
  const dayFirst = computeWallTime(year, second, first, time)
  if (order !== undefined) return (order === 'monthFirst' ? monthFirst : dayFirst) ?? noSuchDay
  if (monthFirst === null || dayFirst === null) return monthFirst ?? dayFirst ?? noSuchDay
  if (monthFirst === dayFirst) return monthFirst
  const [a, b] = [new Date(monthFirst), new Date(dayFirst)].map((date) => date.toISOString().slice(0, 10))
  return `May be ${a} (month first) or ${b} (day first): nothing in the column decides.`
}

function toInstant(wall: number, twice: ColumnReading['twice'], zone: Zone): DateRead {
  const [first, second] = zone.instants(wall)
  const text = new Date(wall).toISOString().replace('T', ' ').slice(0, 16)
  if (first === undefined) return fault(`The clocks of ${zone.name} skip ${text}.`)
  if (second === undefined || twice === 'first') return instantRead(first)
  if (twice === 'second') return instantRead(second)
  const [a, b] = [first, second].map((instant) => new Date(instant).toISOString().replace('.000Z', 'Z'))
  return fault(`The clocks of ${zone.name} show ${text} twice: ${a} or ${b}.`)
}

/** Milliseconds since 1970 as a date; a sentence beyond the years 1 to 9999, which a date field has. */
export function instantRead(instant: number): DateRead {
  if (!(instant >= firstInstant && instant <= lastInstant)) return fault('Beyond the years 1 to 9999.')
  return { iso: new Date(instant).toISOString() }
}
