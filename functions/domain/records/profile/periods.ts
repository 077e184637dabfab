import { sumCounts } from './numbers.ts'

/** Units by which dates are counted, in ascending order; each consists of whole units of the one before. */
export const periodUnits = ['day', 'month', 'year', 'decade', 'century'] as const
export type PeriodUnit = (typeof periodUnits)[number]

/**
 * Counts of dates by period. A period is a number: days since 1970, months since the year 0, or the year,
 * decade or century.
 */
export interface Periods {
  unit: PeriodUnit
  /** In the order of time; empty periods are left out. */
  counts: [period: number, count: number][]
}

const dayMs = 86_400_000
const maxPeriods = 4000
/** Longest span that is counted by day (274 years). */
const maxDays = 100_000

export const dayOfInstant = (ms: number) => Math.floor(ms / dayMs)

/** The number of the period that contains a day. */
function computePeriod(unit: PeriodUnit, day: number): number {
  if (unit === 'day') return day
  const date = new Date(day * dayMs)
  const year = date.getUTCFullYear()
  if (unit === 'month') return year * 12 + date.getUTCMonth()
  return Math.floor(year / countYears(unit))
}

const countYears = (unit: PeriodUnit) => (unit === 'century' ? 100 : unit === 'decade' ? 10 : 1)

/** The first day of a period, in days since 1970. */
function computeFirstDay(unit: PeriodUnit, period: number): number {
  if (unit === 'day') return period
  const isMonth = unit === 'month'
  const date = new Date(0)
  // Not `Date.UTC`, which takes the years 0 to 99 for 1900 to 1999.
  date.setUTCFullYear(
    isMonth ? Math.floor(period / 12) : period * countYears(unit),
    isMonth ? ((period % 12) + 12) % 12 : 0,
    1,
  )
  return Math.round(date.getTime() / dayMs)
}

/** The first day of a period as YYYY-MM-DD. */
export function formatFirstDay(unit: PeriodUnit, period: number): string {
  return new Date(computeFirstDay(unit, period) * dayMs).toISOString().replace(/T.*$/, '')
}

/** The ISO name of a period: 2012-01-05, 2012-01, 2012; of a decade or century its first year. */
export function formatPeriod(unit: PeriodUnit, period: number): string {
  const name = formatFirstDay(unit, period)
  const parts = unit === 'day' ? 3 : unit === 'month' ? 2 : 1
  return name.startsWith('-') ? name : name.split('-').slice(0, parts).join('-')
}

/** The same counts in a longer unit. */
export function longer({ unit, counts }: Periods, to: PeriodUnit): Periods {
  if (unit === to) return { unit, counts }
  return {
    unit: to,
    counts: sumCounts(
      counts.map(([period, count]) => [computePeriod(to, computeFirstDay(unit, period)), count] as const),
    ),
  }
}

/** The shortest unit that a field's precision distinguishes: months for a field of months. */
export function shortestUnit(precision: string | undefined): PeriodUnit {
  return precision === 'month' || precision === 'year' ? precision : 'day'
}

/** The counts in the shortest unit with which there are few enough to store. */
function coarsenPeriods(periods: Periods): Periods {
  let fit = periods
  const computeSpan = ({ counts }: Periods) => (counts.at(-1)?.[0] ?? 0) - (counts[0]?.[0] ?? 0)
  if (fit.unit === 'day' && (fit.counts.length > maxPeriods || computeSpan(fit) > maxDays))
    fit = longer(fit, 'month')
  if (fit.unit === 'month' && fit.counts.length > maxPeriods) fit = longer(fit, 'year')
  return fit
}

/** Periods from counts by day, in `unit` or a longer one. */
export function periodsFrom(
  days: Iterable<readonly [day: number, count: number]>,
  unit: PeriodUnit,
): Periods {
  return coarsenPeriods(longer({ unit: 'day', counts: sumCounts(days) }, unit))
}

export function mergePeriods(a: Periods, b: Periods): Periods {
  const unit = periodUnits[Math.max(periodUnits.indexOf(a.unit), periodUnits.indexOf(b.unit))] ?? 'year'
  return coarsenPeriods({ unit, counts: sumCounts([...longer(a, unit).counts, ...longer(b, unit).counts]) })
}
