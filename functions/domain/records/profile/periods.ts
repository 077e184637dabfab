import { sumCounts } from './numbers.ts'

/** Lengths of time by which dates are counted, each made of whole ones of the one before. */
export const periodUnits = ['day', 'month', 'year', 'decade', 'century'] as const
export type PeriodUnit = (typeof periodUnits)[number]

/** Counts of dates by day, month or year. A day is its number since 1970, a month that since the year 0, a year itself. */
export interface Periods {
  unit: PeriodUnit
  /** In the order of time; periods without a date are left out. */
  counts: [period: number, count: number][]
}

const dayMs = 86_400_000
const mostPeriods = 4000
/** Days are kept apart over 274 years at most. */
const mostDays = 100_000

export const dayOfInstant = (ms: number) => Math.floor(ms / dayMs)

/** The period of a day, of any unit. */
function periodOf(unit: PeriodUnit, day: number): number {
  if (unit === 'day') return day
  const date = new Date(day * dayMs)
  const year = date.getUTCFullYear()
  if (unit === 'month') return year * 12 + date.getUTCMonth()
  return Math.floor(year / yearsOf(unit))
}

const yearsOf = (unit: PeriodUnit) => (unit === 'century' ? 100 : unit === 'decade' ? 10 : 1)

/** The first day of a period. */
function firstDay(unit: PeriodUnit, period: number): number {
  if (unit === 'day') return period
  const isMonth = unit === 'month'
  const date = new Date(0)
  // Not Date.UTC, which takes the years 0 to 99 for those of the last century.
  date.setUTCFullYear(
    isMonth ? Math.floor(period / 12) : period * yearsOf(unit),
    isMonth ? ((period % 12) + 12) % 12 : 0,
    1,
  )
  return Math.round(date.getTime() / dayMs)
}

/** The first day of a period as people write it: YYYY-MM-DD. */
export function dateOf(unit: PeriodUnit, period: number): string {
  return new Date(firstDay(unit, period) * dayMs).toISOString().replace(/T.*$/, '')
}

/** A period by the digits it needs: 2012-01-05, 2012-01, 2012; longer ones by their first year. */
export function nameOf(unit: PeriodUnit, period: number): string {
  const name = dateOf(unit, period)
  const parts = unit === 'day' ? 3 : unit === 'month' ? 2 : 1
  return name.startsWith('-') ? name : name.split('-').slice(0, parts).join('-')
}

/** The same in longer periods. */
export function longer({ unit, counts }: Periods, to: PeriodUnit): Periods {
  if (unit === to) return { unit, counts }
  return {
    unit: to,
    counts: sumCounts(
      counts.map(([period, count]) => [periodOf(to, firstDay(unit, period)), count] as const),
    ),
  }
}

/** The shortest unit that the values of a field can say: months of a field of months. */
export function shortestUnit(precision: string | undefined): PeriodUnit {
  return precision === 'month' || precision === 'year' ? precision : 'day'
}

/** Counts made coarser until there are no more than are kept. */
function coarsenPeriods(periods: Periods): Periods {
  let fit = periods
  const spanOf = ({ counts }: Periods) => (counts.at(-1)?.[0] ?? 0) - (counts[0]?.[0] ?? 0)
  if (fit.unit === 'day' && (fit.counts.length > mostPeriods || spanOf(fit) > mostDays))
    fit = longer(fit, 'month')
  if (fit.unit === 'month' && fit.counts.length > mostPeriods) fit = longer(fit, 'year')
  return fit
}

/** Counts of days, from a unit on. */
export function periodsFrom(
  days: Iterable<readonly [day: number, count: number]>,
  unit: PeriodUnit,
): Periods {
  return coarsenPeriods(longer({ unit: 'day', counts: sumCounts(days) }, unit))
}

export function bothPeriods(a: Periods, b: Periods): Periods {
  const unit = periodUnits[Math.max(periodUnits.indexOf(a.unit), periodUnits.indexOf(b.unit))] ?? 'year'
  return coarsenPeriods({ unit, counts: sumCounts([...longer(a, unit).counts, ...longer(b, unit).counts]) })
}
