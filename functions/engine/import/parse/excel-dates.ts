/** The components of a date or time that a number format shows, including hours beyond a day; null: a number. */
export interface TimeFormat {
  date: boolean
  time: boolean
  elapsed: boolean
}

const day = 86_400_000

/**
 * The built-in formats, which have a number but no code in a workbook (ECMA-376 18.8.30), including those for
 * East Asia.
 */
function builtIn(id: number): TimeFormat | null {
  const is = (date: boolean, time: boolean, elapsed = false) => ({ date, time, elapsed })
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || (id >= 50 && id <= 54) || (id >= 57 && id <= 58))
    return is(true, false)
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 55 && id <= 56)) return is(false, true)
  if (id === 22) return is(true, true)
  if (id === 36) return is(true, false)
  return id >= 45 && id <= 47 ? is(false, true, id === 46) : null
}

/** The components that a format shows, by its number and, for custom ones, its text. */
export function timeFormat(id: number, code?: string): TimeFormat | null {
  if (code === undefined) return builtIn(id)
  const elapsed = /\[(h+|m+|s+)\]/i.test(code)
  // Without texts, colours, conditions and padding; of the sections for signs only the first is used.
  const plain = (code.split(';')[0] ?? '')
    .replace(/\[(h+|m+|s+)\]/gi, '$1')
    .replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '')
    .replace(/general/gi, '')
  const date = /[yde]/i.test(plain) || (/m/i.test(plain) && !/[hs]/i.test(plain) && !elapsed)
  const time = /[hs]/i.test(plain)
  return date || time ? { date, time, elapsed } : null
}

/**
 * Converts a serial number to ISO text without a zone: `2024-02-29`, `2024-02-29T13:30:00`, `13:30:00`; hours may exceed
 * a day (`27:30:00`). The 1900 system has an invalid day, 29 February 1900: null for it, and for days before the first
 * or after the year 9999.
 */
export function dateText(serial: number, format: TimeFormat, is1904: boolean): string | null {
  const millis = Math.round(serial * day)
  if (!Number.isFinite(millis) || millis < 0) return null
  const time = clock(format.elapsed ? millis : millis % day)
  if (!format.date && (format.elapsed || millis < day)) return time
  const days = Math.floor(millis / day)
  if (!is1904 && (days === 60 || days === 0)) return null
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const date = new Date(epoch + days * day)
  if (date.getUTCFullYear() > 9999) return null
  const text = date.toISOString().slice(0, 10)
  return format.time || millis % day ? `${text}T${time}` : text
}

function clock(millis: number): string {
  const padTwoDigits = (n: number) => String(n).padStart(2, '0')
  const [hours, minutes, seconds] = [millis / 3_600_000, (millis / 60_000) % 60, (millis / 1000) % 60].map(
    Math.floor,
  )
  const rest = millis % 1000 ? `.${String(millis % 1000).padStart(3, '0')}` : ''
  return `${padTwoDigits(hours ?? 0)}:${padTwoDigits(minutes ?? 0)}:${padTwoDigits(seconds ?? 0)}${rest}`
}
