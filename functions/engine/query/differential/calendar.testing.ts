import { utc } from './constants.testing.ts'

/** A local time. Years before 1 are 0, -1, … */
interface WallTime {
  year: number
  month: number
  day: number
  /** Since midnight. */
  ms: number
}

const day = 86_400_000
const formats = new Map<string, Intl.DateTimeFormat>()
const offsets = new Map<string, Map<number, number>>()

function getZoneFormat(zone: string): Intl.DateTimeFormat {
  const cachedFormat = formats.get(zone)
  if (cachedFormat) return cachedFormat
  const newFormat = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(zone, newFormat)
  return newFormat
}

/** The offset of a zone from UTC at a moment, in milliseconds. */
export function offsetAt(ms: number, zone: string): number {
  if (zone === 'UTC') return 0
  const second = Math.floor(ms / 1000) * 1000
  const zoneOffsets = offsets.get(zone) ?? new Map<number, number>()
  offsets.set(zone, zoneOffsets)
  const cachedOffset = zoneOffsets.get(second)
  if (cachedOffset !== undefined) return cachedOffset
  const parts = new Map(
    getZoneFormat(zone)
      .formatToParts(second)
      .map(({ type, value }) => [type, value]),
  )
  const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
  const year = parts.get('era')?.startsWith('B') ? 1 - number('year') : number('year')
  const wallMs =
    utc(year, number('month'), number('day')) +
    ((number('hour') * 60 + number('minute')) * 60 + number('second')) * 1000
  if (zoneOffsets.size > 200_000) zoneOffsets.clear()
  zoneOffsets.set(second, wallMs - second)
  return wallMs - second
}

/** The local time in a zone at a moment. */
function wallAt(ms: number, zone: string): WallTime {
  return toWallTime(ms + offsetAt(ms, zone))
}

/** Wall time from milliseconds that count as if the wall were in UTC. */
function toWallTime(local: number): WallTime {
  const start = Math.floor(local / day) * day
  const date = new Date(start)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    ms: local - start,
  }
}

/**
 * The moment of a local time. In a gap: with the offset before it. Where it is ambiguous: the second one. Like Postgres,
 * and like the original product.
 */
function toInstant(local: number, zone: string): number {
  const around = [-30, -24, -18, -12, -6, -3, 0, 3, 6, 12, 18, 24, 30].map((hours) =>
    offsetAt(local + hours * 3_600_000, zone),
  )
  const fitting = around
    .map((offset) => local - offset)
    .filter((moment) => moment + offsetAt(moment, zone) === local)
  if (fitting.length > 0) return Math.max(...fitting)
  const earliest = local - Math.max(...around)
  return local - offsetAt(earliest, zone)
}

/** The last change of a zone's offset after `from` and not after `to`; undefined for none. */
function changeBetween(from: number, to: number, zone: string): number | undefined {
  const before = offsetAt(from, zone)
  if (offsetAt(to, zone) === before) return undefined
  let [low, high] = [Math.floor(from / 1000), Math.floor(to / 1000)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * 1000, zone) === before) low = middle
    else high = middle
  }
  return high * 1000
}

const spans: Record<string, number> = { second: 1000, minute: 60_000, hour: 3_600_000 }

/** The last moment, not after this one, at which the clocks showed a full second, minute or hour. */
function fullSpan(ms: number, span: number, zone: string): number {
  const since = (at: number, offset: number) => {
    const rest = (at + offset) % span
    return at - (rest < 0 ? rest + span : rest)
  }
  const start = since(ms, offsetAt(ms, zone))
  const change = changeBetween(start - 1, ms, zone)
  if (change === undefined || start >= change) return start
  const justBefore = change - 1
  return since(justBefore, offsetAt(justBefore, zone))
}

/**
 * The start of the span that a moment falls into, by the clocks of a zone. A custom year starts with the month
 * `yearStart` and its quarters every three months from there; weeks start on Monday, decades in years that end in 0.
 */
export function bucketStart(unit: string, ms: number, zone: string, yearStart: number): number {
  const span = spans[unit]
  if (span !== undefined) return fullSpan(ms, span, zone)
  const { year, month, day: date } = wallAt(ms, zone)
  const getMonthStart = (y: number, m: number) => toInstant(utc(y, m, 1), zone)
  switch (unit) {
    case 'day':
      return toInstant(utc(year, month, date), zone)
    case 'week':
      return toInstant(utc(year, month, date - (weekday(year, month, date) - 1)), zone)
    case 'month':
      return getMonthStart(year, month)
    case 'quarter':
      return getMonthStart(year, Math.floor((month - 1) / 3) * 3 + 1)
    case 'year':
      return getMonthStart(year, 1)
    case 'decade':
      return getMonthStart(Math.floor(year / 10) * 10, 1)
    case 'customYear':
      return getMonthStart(month >= yearStart ? year : year - 1, yearStart)
    case 'customQuarter': {
      const since = (12 + month - yearStart) % 12
      const start = yearStart + Math.floor(since / 3) * 3
      return getMonthStart(month >= yearStart ? year : year - 1, start)
    }
  }
  throw new TypeError(`no unit ${unit}`)
}

/** Monday is 1, Sunday 7. */
function weekday(year: number, month: number, date: number): number {
  return new Date(utc(year, month, date)).getUTCDay() || 7
}

/** A part of a date, as the calendar of a zone shows it. */
export function datePart(unit: string, ms: number, zone: string, yearStart: number): number {
  const { year, month, day: date, ms: since } = wallAt(ms, zone)
  const customMonth = ((12 + month - yearStart) % 12) + 1
  switch (unit) {
    case 'hourOfDay':
      return Math.floor(since / 3_600_000)
    case 'dayOfWeek':
      return weekday(year, month, date)
    case 'dayOfMonth':
      return date
    case 'dayOfYear':
      return Math.round((utc(year, month, date) - utc(year, 1, 1)) / day) + 1
    case 'week': {
      // The week of the year that has its Thursday.
      const thursday = new Date(utc(year, month, date - weekday(year, month, date) + 4))
      return Math.floor((thursday.getTime() - utc(thursday.getUTCFullYear(), 1, 1)) / (7 * day)) + 1
    }
    case 'month':
      return month
    case 'customMonth':
      return customMonth
    case 'quarter':
      return Math.ceil(month / 3)
    case 'customQuarter':
      return Math.ceil(customMonth / 3)
    case 'year':
      return year
    case 'customYear':
      return yearStart > 1 && month >= yearStart ? year + 1 : year
    case 'decade':
      return Math.floor(year / 10)
  }
  throw new TypeError(`no unit ${unit}`)
}

/** An ISO 8601 duration in days and milliseconds: a year is 365 days, a month 30. Undefined for invalid and empty ones. */
export function parseDuration(text: string): { days: number; ms: number } | undefined {
  const whole = /^([-+]?)P(.*)$/.exec(text)
  if (!whole || text.length > 128) return undefined
  const [date = '', time, ...more] = (whole[2] ?? '').split('T')
  if (more.length > 0 || time === '' || (date === '' && time === undefined)) return undefined
  const inDate = amounts(date, 'YMWD')
  const inTime = amounts(time ?? '', 'HMS')
  if (!inDate || !inTime) return undefined
  const sign = whole[1] === '-' ? -1 : 1
  const [years = 0, months = 0, weeks = 0, days = 0] = inDate
  const [hours = 0, minutes = 0, seconds = 0] = inTime
  const all = sign * (years * 365 + months * 30 + weeks * 7 + days)
  const rest = sign * (hours * 3600 + minutes * 60 + seconds) * 1000
  const wholeDays = Math.trunc(all)
  const ms = rest + (all - wholeDays) * day
  const isTooLong = Math.abs(wholeDays) + Math.abs(ms) / day > 1900 * 365
  return (wholeDays === 0 && ms === 0) || isTooLong ? undefined : { days: wholeDays, ms }
}

function amounts(text: string, units: string): number[] | undefined {
  const amountsByUnit: number[] = Array.from(units, () => 0)
  let [rest, next] = [text, 0]
  while (rest !== '') {
    const part = /^([-+]?\d+(?:[.,]\d+)?)([A-Z])/.exec(rest)
    const at = part ? units.indexOf(part[2] ?? '') : -1
    if (!part || at < next) return undefined
    amountsByUnit[at] = Number((part[1] ?? '').replace(',', '.'))
    next = at + 1
    rest = rest.slice(part[0].length)
  }
  return amountsByUnit
}

/** The start of today in a zone, less a duration counted by the clock on the wall. */
export function startLess(now: number, duration: { days: number; ms: number }, zone: string): number {
  const { year, month, day: date } = wallAt(now, zone)
  return toInstant(utc(year, month, date) - duration.days * day - duration.ms, zone)
}
