const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthName = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*'
const clock = '(\\d{1,2}):(\\d\\d)(?::(\\d\\d)(?:\\.\\d+)?)?'

/**
 * Parses a text as a date in ISO text: with a zone in UTC (`2019-05-15T10:00:00.000Z`), without one unchanged
 * (`2019-05-15`, `2016-01-01T23:31:23`). In numeric dates the month comes before the day. Null: it is no date.
 */
export function dateIn(text: string): string | null {
  return isoDate(text) ?? numberDate(text) ?? parseMonthNameDate(text) ?? zonedDate(text)
}

function isoDate(text: string): string | null {
  const match =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?: ?([AP]M))?(Z|[+-]\d\d:?\d\d)?)?$/i.exec(
      text,
    )
  if (!match) return null
  const [, year, month, day, hour, minute, second = '00', half, zone] = match
  const date = formatDay(Number(year), Number(month), Number(day))
  if (!date || hour === undefined) return date
  const time = formatTime(Number(hour), minute ?? '', second, half)
  if (!time) return null
  const fraction = /\.\d+/.exec(text)?.[0] ?? ''
  if (!zone) return `${date}T${time}${fraction}`
  const plain = zone.toUpperCase() === 'Z' ? 'Z' : zone.replace(/^(...)(\d\d)$/, '$1:$2')
  return utc(`${date}T${time}${fraction}${plain}`)
}

function numberDate(text: string): string | null {
  const [, month, , day, year] = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})$/.exec(text) ?? []
  if (year) return formatDay(Number(year), Number(month), Number(day))
  const [, only, in_] = /^(\d{1,2})[/-](\d{4})$/.exec(text) ?? []
  return in_ ? formatDay(Number(in_), Number(only), 1) : null
}

function parseMonthNameDate(text: string): string | null {
  const [, month, day, year] =
    new RegExp(`^${monthName}\\.? (\\d{1,2})(?:st|nd|rd|th)?, (\\d{4})$`, 'i').exec(text) ?? []
  return month ? formatDay(Number(year), getMonthNumber(month), Number(day)) : null
}

/** Parses the formats of mail and HTTP (RFC 2822), and longer texts with a zone as programs print them. */
function zonedDate(text: string): string | null {
  const mail = new RegExp(
    `^(?:[a-z]{3}, )?(\\d{1,2}) ${monthName} (\\d{4}) ${clock} (GMT|UTC|Z|[+-]\\d{4})$`,
    'i',
  ).exec(text)
  if (mail) {
    const [, day, month = '', year, hour, minute, second, zone] = mail
    return withZone(year, getMonthNumber(month), day, hour, minute, second, zone)
  }
  if (text.length < 25) return null
  const program = new RegExp(
    `^(?:[a-z]{3} )?${monthName} (\\d{1,2}),? (\\d{4}) ${clock} (?:GMT|UTC)?([+-]\\d{4})(?: \\([^)]*\\))?$`,
    'i',
  ).exec(text)
  if (!program) return null
  const [, month = '', day, year, hour, minute, second, zone] = program
  return withZone(year, getMonthNumber(month), day, hour, minute, second, zone)
}

function withZone(...parts: (string | number | undefined)[]): string | null {
  const [year, month, day, hour, minute, second = '00', zone] = parts
  const date = formatDay(Number(year), Number(month), Number(day))
  const time = formatTime(Number(hour), String(minute), String(second))
  const offset = /^[+-]/.test(String(zone)) ? String(zone).replace(/(..)$/, ':$1') : 'Z'
  return date && time ? utc(`${date}T${time}${offset}`) : null
}

const getMonthNumber = (month: string) => months.indexOf(month.slice(0, 3).toLowerCase()) + 1

const padTwoDigits = (n: number) => String(n).padStart(2, '0')

function formatDay(year: number, month: number, day: number): string | null {
  const text = `${String(year).padStart(4, '0')}-${padTwoDigits(month)}-${padTwoDigits(day)}`
  return new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) ? text : null
}

function formatTime(hour: number, minute: string, second: string, half?: string): string | null {
  if (half && (hour < 1 || hour > 12)) return null
  const of24 = half ? (hour % 12) + (half.toUpperCase() === 'PM' ? 12 : 0) : hour
  return of24 > 23 || Number(minute) > 59 || Number(second) > 59
    ? null
    : `${padTwoDigits(of24)}:${minute}:${second}`
}

function utc(text: string): string | null {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
