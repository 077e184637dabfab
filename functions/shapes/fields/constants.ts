const numeric = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const isoDate =
  /^(\d{4})-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(Z|[+-]\d{2}:?\d{2})?)?)?$/

/** A finite number from a number or numeric text; undefined for anything else. */
export function asNumber(input: unknown): number | undefined {
  if (typeof input !== 'number' && !(typeof input === 'string' && numeric.test(input))) return undefined
  const number = Number(input)
  return Number.isFinite(number) ? number : undefined
}

/** ISO text in UTC from ISO text, where UTC is the default zone; undefined for invalid dates and years outside of 1 to 9999. */
export function asDate(input: unknown): string | undefined {
  const parts = typeof input === 'string' ? isoDate.exec(input) : null
  if (!parts) return undefined
  const [, year, month, day = '01', hour = '00', minute = '00', second = '00', fraction = '0', zone = 'Z'] =
    parts
  const lastDay = new Date(Date.UTC(2000, Number(month), 0))
  lastDay.setUTCFullYear(Number(year), Number(month), 0)
  // JavaScript accepts 24:00 as the next day; dates of records do not.
  if (Number(day) > lastDay.getUTCDate() || hour === '24') return undefined
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0')
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone
  return toIsoText(new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${offset}`))
}

/**
 * ISO text in UTC from anything a JS Date accepts: ISO text, other date text, epoch milliseconds as a number. Not from numeric text:
 * of "5" Date makes May 2001, and of milliseconds nothing.
 */
export function asLooseDate(input: unknown): string | undefined {
  if (typeof input !== 'string' && typeof input !== 'number') return undefined
  const isNumber = typeof input === 'string' && asNumber(input.trim()) !== undefined
  if (isNumber && !/^\d{4}$/.test(input)) return undefined
  return asDate(input) ?? toIsoText(new Date(input))
}

function toIsoText(date: Date): string | undefined {
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date.toISOString() : undefined
}
