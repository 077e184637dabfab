import { expect, test } from 'vitest'
import { duringFilter, formatFirstDay, nameOfPeriod, getNextSpan, periodAt } from './map-periods.ts'

test('periods are numbered across months, leap days and years before 1970', () => {
  for (const [unit, names] of [
    ['year', ['1968', '1969', '1970', '1971']],
    ['month', ['1969-11', '1969-12', '1970-01', '1970-02']],
    ['day', ['2024-02-28', '2024-02-29', '2024-03-01', '2024-03-02']],
  ] as const) {
    const periods = names.map((name) => periodAt(unit, name) ?? NaN)
    expect(periods.map((period, i) => period - i)).toEqual(periods.map(() => periods[0]))
    expect(periods.map((period) => nameOfPeriod(unit, period))).toEqual(names)
  }
  expect(formatFirstDay('month', periodAt('month', '2024-02') ?? 0)).toBe('2024-02-01')
  expect(periodAt('year', '2024-02')).toBeNull()
  expect(periodAt('day', 'x')).toBeNull()
})

test('a filter ends where the next period starts; calendar days have no time', () => {
  const months = [periodAt('month', '2023-12') ?? 0, periodAt('month', '2024-02') ?? 0] as const
  expect(duringFilter({ unit: 'month' }, { field: 'data.at', isCalendar: true }, months)).toEqual({
    'data.at': { $gte: '2023-12-01', $lt: '2024-03-01' },
  })
  expect(duringFilter({ unit: 'month' }, { field: 'data.at', isCalendar: false }, months)).toEqual({
    'data.at': { $gte: '2023-12-01T00:00:00Z', $lt: '2024-03-01T00:00:00Z' },
  })
})

test('playing covers all periods once, with the selected span, and restarts', () => {
  const all = [10, 16] as const
  expect(getNextSpan([10, 16], all)).toEqual([10, 10])
  expect(getNextSpan([10, 10], all)).toEqual([11, 11])
  expect(getNextSpan([16, 16], all)).toEqual([10, 10])
  expect(getNextSpan([11, 13], all)).toEqual([14, 16])
  expect(getNextSpan([14, 15], all)).toEqual([16, 16])
  expect(getNextSpan([14, 16], all)).toEqual([10, 12])
})
