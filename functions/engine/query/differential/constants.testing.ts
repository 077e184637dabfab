import { Instant } from './cells.testing.ts'

/*
 * "Coerce every constant by the type of the field or argument it meets (text field keeps text, number field takes
 * numeric text, boolean field takes true/false, date field takes ISO text)". Undefined: it cannot be read as that.
 */

export function parseNumber(input: unknown): number | undefined {
  if (typeof input === 'number') return Number.isFinite(input) ? input : undefined
  if (typeof input !== 'string' || input.trim() !== input || input === '') return undefined
  // What JavaScript accepts as a number in text, except 0x10, Infinity and the like.
  if (!/^[-+.0-9eE]+$/.test(input)) return undefined
  const number = Number(input)
  return Number.isFinite(number) ? number : undefined
}

/** ISO text: a month, a day, or a time of a day; without a zone in UTC. Only valid days, years 1 to 9999. */
export function parseDate(input: unknown): Instant | undefined {
  if (typeof input !== 'string') return undefined
  const match =
    /^(?<year>\d{4})-(?<month>\d\d)(-(?<day>\d\d)([T ](?<hour>\d\d):(?<minute>\d\d)(:(?<second>\d\d)(\.(?<fraction>\d+))?)?(?<zone>Z|[-+]\d\d:?\d\d)?)?)?$/.exec(
      input,
    )
  if (!match?.groups) return undefined
  const { year, month, day, hour, minute, second, fraction, zone } = match.groups
  const number = (text: string | undefined, otherwise = 0) => (text === undefined ? otherwise : Number(text))
  const [y, m, d] = [number(year), number(month), number(day, 1)]
  const [h, min, s] = [number(hour), number(minute), number(second)]
  if (m < 1 || m > 12 || d < 1 || d > daysIn(y, m) || h > 23 || min > 59 || s > 59) return undefined
  const milliseconds = Math.floor(Number(`0.${fraction ?? '0'}`) * 1000 + 1e-9)
  const away = zone && zone !== 'Z' ? zone.replace(':', '') : '+0000'
  const [hours, minutes] = [Number(away.slice(1, 3)), Number(away.slice(3))]
  if (hours > 23 || minutes > 59) return undefined
  const offset = (away.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
  const ms = utc(y, m, d) + ((h * 60 + min) * 60 + s) * 1000 + milliseconds - offset
  const yearThen = new Date(ms).getUTCFullYear()
  return yearThen >= 1 && yearThen <= 9999 ? new Instant(ms) : undefined
}

/** The start of a day in UTC, in milliseconds; years below 100 are taken literally. */
export function utc(year: number, month: number, day: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getTime()
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
}

export function parseBoolean(input: unknown): boolean | undefined {
  if (typeof input === 'boolean') return input
  return input === 'true' ? true : input === 'false' ? false : undefined
}

export function parseText(input: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof input) ? String(input) : undefined
}

/** Everything that a JS Date accepts: for `before` and `after`. */
export function parseLooseDate(input: unknown): Instant | undefined {
  if (typeof input !== 'string' && typeof input !== 'number') return undefined
  const exactDate = parseDate(input)
  if (exactDate) return exactDate
  const date = new Date(input)
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? new Instant(date.getTime()) : undefined
}
