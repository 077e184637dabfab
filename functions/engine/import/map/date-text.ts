import { parseInstant } from '#functions/shapes/fields/dates.ts'
import { monthName, getMonthNumber } from './month-names.ts'

/** A date format. `open`: only the column tells which of the first two numbers is the month. */
export type DatePattern =
  | 'YYYY-MM-DD'
  | 'YYYYMMDD'
  | 'YYYY-MM'
  | 'MM/YYYY'
  | 'D.M.YYYY'
  | 'open'
  | 'D Month YYYY'
  | '/Date()/'

/** The parts of a date in a text, before calendar and time zone are applied. */
export interface DateText {
  pattern: DatePattern
  year: number
  /** Of an open date: the first number. */
  month: number
  /** Of an open date: the second number. */
  day: number
  /** `HH:mm:ss.SSS`; null: a day without time. */
  time: string | null
  /** Minutes ahead of UTC; null: not stated. */
  offset: number | null
  /** The stated weekday, 0 for Sunday. */
  weekday: number | null
  /** `/Date(…)/`: milliseconds since 1970. */
  instant?: number
}

const maxLength = 80
const weekdays = 'sun mon tue wed thu fri sat'.split(' ')
/** Names of zones that mail may use (RFC 2822, 4.3), in hours. */
const zoneHours: Record<string, number> = {
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
}

const clock = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?(?:\s*(?<half>[ap])\.?m\.?)?(?:\s*(?<zone>z|utc?|gmt|[ecmp][sd]t|(?:gmt|utc)?\s?[+-]\d{2}(?::?\d{2})?))?(?:\s\([^()]*\))?`
const weekday = String.raw`(?:(?<weekday>sun|mon|tue|wed|thu|fri|sat)(?:[a-z]{3,6})?\.?,?\s+)?`
const dateTimePattern = (date: string) => new RegExp(`^${date}(?:(?:t|,?\\s+(?:at\\s+)?)${clock})?$`, 'i')

const forms: [DatePattern, RegExp][] = [
  [
    'YYYY-MM-DD',
    dateTimePattern(String.raw`(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})`),
  ],
  ['open', dateTimePattern(String.raw`(?<month>\d{1,2})(?<mark>[-/])(?<day>\d{1,2})\k<mark>(?<year>\d{4})`)],
  // With points the day always comes first.
  ['D.M.YYYY', dateTimePattern(String.raw`(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})`)],
  [
    'YYYYMMDD',
    /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?:t(?<hour>\d{2})(?<minute>\d{2})(?<second>\d{2})?(?<zone>z)?)?$/i,
  ],
  ['YYYY-MM', /^(?<year>\d{4})-(?<month>\d{2})$/],
  ['MM/YYYY', /^(?<month>\d{1,2})[-/](?<year>\d{4})$/],
  // 1st March, 1. März, 1er mars, 1 de marzo de.
  [
    'D Month YYYY',
    dateTimePattern(
      String.raw`${weekday}(?<day>\d{1,2})(?:st|nd|rd|th|er|[.º°])?[-\s]\s*(?:de\s+)?${monthName},?[-\s]\s*(?:del?\s+)?(?<year>\d{4})`,
    ),
  ],
  ['YYYY-MM-DD', /^(?<year>\d{4})年(?<month>\d{1,2})月(?<day>\d{1,2})日$/],
  [
    'D Month YYYY',
    dateTimePattern(String.raw`${weekday}${monthName}\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})`),
  ],
]
const microsoft = /^\/Date\((-?\d{1,16})(?:[+-]\d{4})?\)\/$/
const shortYear =
  /^(?:\d{1,2}[-/.]\d{1,2}[-/.]\d{2}|\d{1,2}[-\s][a-z]{3,9}[-\s]\d{2}|[a-z]{3,9} \d{1,2}, \d{2})(?![\d])(?:$|[,t\s])/i

/** Parses a trimmed text as a date; a sentence for an invalid one; null where it is none. */
export function dateText(text: string): DateText | string | null {
  if (text.length > maxLength || text.length < 6) return null
  if (text.length === 10) {
    const day = parseIsoDay(text)
    if (day) return day
  }
  const isDigit = isDigitAt(text, 0)
  for (const [pattern, form] of forms) {
    // A text that begins with a letter can only have the format with month names.
    if (!isDigit && pattern !== 'D Month YYYY') continue
    const match = form.exec(text)
    if (match?.groups) return assemble(pattern, match.groups)
  }
  const milliseconds = microsoft.exec(text)?.[1]
  if (milliseconds !== undefined) return { ...nothing, pattern: '/Date()/', instant: Number(milliseconds) }
  return shortYear.test(text) ? 'The year has only two digits: its century is not guessed.' : null
}

/** The fast path for `YYYY-MM-DD`. */
function parseIsoDay(text: string): DateText | null {
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return null
  for (let at = 0; at < 10; at += 1) if (at !== 4 && at !== 7 && !isDigitAt(text, at)) return null
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))]
  return { pattern: 'YYYY-MM-DD', year, month, day, time: null, offset: null, weekday: null }
}

const nothing = { year: 0, month: 1, day: 1, time: null, offset: null, weekday: null }

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

function assemble(pattern: DatePattern, part: Record<string, string | undefined>): DateText | string {
  const time = formatTime(part)
  if (time !== null && !/^\d/.test(time)) return time
  return {
    pattern,
    year: Number(part.year),
    month: part.name === undefined ? Number(part.month) : getMonthNumber(part.name),
    day: Number(part.day ?? 1),
    time,
    offset: part.zone === undefined ? null : parseOffset(part.zone.toLowerCase()),
    weekday: part.weekday === undefined ? null : weekdays.indexOf(part.weekday.toLowerCase()),
  }
}

/** `HH:mm:ss.SSS`, null without a time, otherwise a sentence. Precision beyond milliseconds is truncated, as in date fields. */
function formatTime({
  hour,
  minute = '00',
  second = '00',
  fraction = '',
  half,
}: Record<string, string | undefined>): string | null {
  if (hour === undefined) return null
  let hours = Number(hour)
  if (half !== undefined) {
    if (hours < 1 || hours > 12) return 'No such time: with AM or PM hours go from 1 to 12.'
    hours = (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  }
  return `${String(hours).padStart(2, '0')}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`
}

/** NaN for an offset that no zone has. */
function parseOffset(zone: string): number {
  if (Object.hasOwn(zoneHours, zone)) return (zoneHours[zone] ?? 0) * 60
  const match = /([+-])(\d{2}):?(\d{2})?$/.exec(zone)
  if (!match) return 0
  const [hours, minutes] = [Number(match[2]), Number(match[3] ?? 0)]
  return hours > 15 || minutes > 59 ? Number.NaN : (hours * 60 + minutes) * (match[1] === '-' ? -1 : 1)
}

/** The milliseconds at which a clock in UTC shows that day and time, or null if no calendar or clock has it. */
export function computeWallTime(
  year: number,
  month: number,
  day: number,
  time: string | null,
): number | null {
  const padTwoDigits = (number: number) => String(number).padStart(2, '0')
  if (year === 0) return null
  return parseInstant(
    `${String(year).padStart(4, '0')}-${padTwoDigits(month)}-${padTwoDigits(day)}T${time ?? '00:00:00'}`,
  )
}
