const amount = '([+-]?\\d+(?:[.,]\\d+)?)'
const iso = new RegExp(
  `^([+-]?)P(?=.)(?:${amount}Y)?(?:${amount}M)?(?:${amount}W)?(?:${amount}D)?` +
    `(?:T(?=.)(?:${amount}H)?(?:${amount}M)?(?:${amount}S)?)?$`,
)
const daysPerUnit = [365, 30, 7, 1] as const
const secondsPerUnit = [3600, 60, 1] as const
const maxDays = 365 * 1900

/**
 * Days and seconds of an ISO 8601 duration; a month is 30 days and a year 365. Undefined for invalid ones, for zero, and
 * for more than 1900 years.
 */
export function parseDuration(text: string): { days: number; seconds: number } | undefined {
  if (text.length > 128) return undefined
  const parts = iso.exec(text)
  if (!parts) return undefined
  const numbers = parts.slice(2).map((part) => Number((part ?? '0').replace(',', '.')))
  const sign = parts[1] === '-' ? -1 : 1
  const days = sign * daysPerUnit.reduce((sum, each, i) => sum + each * (numbers[i] ?? 0), 0)
  const seconds =
    sign * secondsPerUnit.reduce((sum, each, i) => sum + each * (numbers[daysPerUnit.length + i] ?? 0), 0)
  const wholeDays = Math.trunc(days)
  const rest = seconds + (days - wholeDays) * 86_400
  if ((wholeDays === 0 && rest === 0) || Math.abs(wholeDays) + Math.abs(rest) / 86_400 > maxDays)
    return undefined
  return { days: wholeDays, seconds: rest }
}
