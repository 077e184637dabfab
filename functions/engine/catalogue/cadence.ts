import type { Freshness } from '#functions/shapes/completeness.ts'
import type { Cadence } from '#functions/shapes/metadata.ts'

/**
 * Standard codes of a cadence: in the list of the EU's Publications Office, and as an ISO 8601 repeating interval; null:
 * none.
 */
const names: Record<Cadence, { frequency: string; interval: string | null }> = {
  continuous: { frequency: 'CONT', interval: 'R/PT1S' },
  daily: { frequency: 'DAILY', interval: 'R/P1D' },
  weekly: { frequency: 'WEEKLY', interval: 'R/P1W' },
  fortnightly: { frequency: 'BIWEEKLY', interval: 'R/P2W' },
  monthly: { frequency: 'MONTHLY', interval: 'R/P1M' },
  quarterly: { frequency: 'QUARTERLY', interval: 'R/P3M' },
  halfYearly: { frequency: 'ANNUAL_2', interval: 'R/P6M' },
  yearly: { frequency: 'ANNUAL', interval: 'R/P1Y' },
  everyTwoYears: { frequency: 'BIENNIAL', interval: 'R/P2Y' },
  irregular: { frequency: 'IRREG', interval: 'irregular' },
  never: { frequency: 'NEVER', interval: null },
}

/** The URL of a cadence in the list required by DCAT-AP. */
export const frequencyUrl = (cadence: Cadence) =>
  `http://publications.europa.eu/resource/authority/frequency/${names[cadence].frequency}`

/** A cadence as in DCAT-US 1.1; null where that list has none. */
export const findInterval = (cadence: Cadence) => names[cadence].interval

/** Days and months until the next data are expected; absent for irregular cadences. */
export const cadenceSteps: Partial<Record<Cadence, { days?: number; months?: number }>> = {
  daily: { days: 1 },
  weekly: { days: 7 },
  fortnightly: { days: 14 },
  monthly: { months: 1 },
  quarterly: { months: 3 },
  halfYearly: { months: 6 },
  yearly: { months: 12 },
  everyTwoYears: { months: 24 },
}

/**
 * The day on which the next data are expected, `YYYY-MM-DD`: the last day and one step of the cadence, clamped to the
 * end of the month. Null for a cadence without a step.
 */
export function computeNextUpdateDay(cadence: Cadence, lastDay: string): string | null {
  const step = cadenceSteps[cadence]
  if (!step) return null
  const [year = 0, month = 1, day = 1] = lastDay.split('-').map(Number)
  if (step.days !== undefined) return isoDay(new Date(Date.UTC(year, month - 1, day + step.days)))
  const first = new Date(Date.UTC(year, month - 1 + (step.months ?? 0), 1))
  const lastOfMonth = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(day, lastOfMonth))
  return isoDay(first)
}

/**
 * The freshness of data whose newest are of `lastDay` on the day `today` (both `YYYY-MM-DD` in one time zone). They are
 * overdue from the day after the expected one. `lastDay` null: there are none yet.
 */
export function computeFreshness(cadence: Cadence | null, lastDay: string | null, today: string): Freshness {
  if (lastDay === null) return { state: 'empty', expected: null, daysLate: 0 }
  const expected = cadence && computeNextUpdateDay(cadence, lastDay)
  if (!expected) return { state: 'unknown', expected: null, daysLate: 0 }
  const daysLate = Math.max(0, Math.round((Date.parse(today) - Date.parse(expected)) / 86_400_000))
  return { state: daysLate > 0 ? 'late' : 'fresh', expected, daysLate }
}

const isoDay = (date: Date) => date.toISOString().slice(0, 10)
