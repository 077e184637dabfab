import type { MapTime } from './map-data.ts'

type Unit = MapTime['unit']

/** The number of a period since 1970 by its ISO name; null for a name of another unit. */
export function periodAt(unit: Unit, name: string): number | null {
  const [year = NaN, month = 1, day = 1] = name.split('-').map(Number)
  const parts = name.split('-').length
  if (parts !== { year: 1, month: 2, day: 3 }[unit] || !Number.isInteger(year)) return null
  if (unit === 'year') return year - 1970
  if (unit === 'month') return (year - 1970) * 12 + month - 1
  return Math.floor(Date.UTC(year, month - 1, day) / 86_400_000)
}

/** The first day of a period as YYYY-MM-DD. */
export function formatFirstDay(unit: Unit, period: number): string {
  const time =
    unit === 'day'
      ? period * 86_400_000
      : Date.UTC(unit === 'year' ? 1970 + period : 1970, unit === 'month' ? period : 0, 1)
  return new Date(time).toISOString().slice(0, 10)
}

/** The ISO name of a period: 2012-01-05, 2012-01, 2012. */
export const nameOfPeriod = (unit: Unit, period: number): string =>
  formatFirstDay(unit, period).slice(0, { year: 4, month: 7, day: 10 }[unit])

/** The tile filter for a layer's records between two periods, inclusive. Calendar days are compared as text, instants in UTC. */
export function duringFilter(
  { unit }: Pick<MapTime, 'unit'>,
  { field, isCalendar }: Pick<MapTime['layers'][number], 'field' | 'isCalendar'>,
  [from, to]: readonly [number, number],
): object {
  const formatPeriodStart = (period: number) =>
    formatFirstDay(unit, period) + (isCalendar ? '' : 'T00:00:00Z')
  return { [field]: { $gte: formatPeriodStart(from), $lt: formatPeriodStart(to + 1) } }
}

/**
 * The span after one: adjacent, of the same length, shortened at the end; after the end it restarts. After the full span comes the
 * first period.
 */
export function getNextSpan(
  [from, to]: readonly [number, number],
  [least, most]: readonly [number, number],
): [number, number] {
  const isWhole = from === least && to === most
  const width = isWhole ? 0 : to - from
  const next = isWhole || to + 1 > most ? least : to + 1
  return [next, Math.min(most, next + width)]
}
