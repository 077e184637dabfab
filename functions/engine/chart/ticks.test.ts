import { describe, expect, it } from 'vitest'
import { roundNumbers, timeTicks } from './ticks.ts'

const day = 86_400_000

describe('roundNumbers', () => {
  it.each([
    [0, 93, 5, [0, 20, 40, 60, 80, 100]],
    [-4.1, 4.7, 5, [-6, -4, -2, 0, 2, 4, 6]],
    [0, 0.3, 3, [0, 0.1, 0.2, 0.3]],
    [5, 5, 5, [5, 6]],
    [0, 0, 5, [0, 0.2]],
  ])('covers %d to %d', (low, high, count, expected) => {
    const ticks = roundNumbers(low, high, count)
    expect(ticks[0]).toBeLessThanOrEqual(low)
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(high)
    expect(ticks).toEqual(expected)
  })

  it('has integers for counts', () => {
    expect(roundNumbers(0, 2, 5, true)).toEqual([0, 1, 2])
  })
})

describe('timeTicks', () => {
  const labels = (low: number, high: number, count: number, bucket?: string) =>
    timeTicks(low, high, count, 'en-US', bucket).map((tick) => [tick.label].flat().join(' '))

  it.each([
    [NaN, NaN],
    [Date.UTC(2012, 0), NaN],
    [Date.UTC(270_000, 0), 8.64e15],
    [-8.64e15, 8.64e15],
  ])('terminates from %d to %d', (low, high) => {
    for (const bucket of [undefined, 'month', 'year'])
      expect(labels(low, high, 5, bucket).length).toBeLessThan(20)
  })
  it('has the year once', () => {
    expect(labels(Date.UTC(2012, 0), Date.UTC(2013, 5), 4)).toEqual(['Jan 2012', 'Jul', 'Jan 2013'])
  })
  it('has years only for long spans', () => {
    expect(labels(Date.UTC(1990, 0), Date.UTC(2017, 0), 7)).toEqual([
      '1990',
      '1995',
      '2000',
      '2005',
      '2010',
      '2015',
    ])
  })
  it('has days with their month', () => {
    expect(labels(Date.UTC(2012, 0, 1), Date.UTC(2012, 0, 5), 6)).toEqual([
      'Jan 1 2012',
      'Jan 2',
      'Jan 3',
      'Jan 4',
      'Jan 5',
    ])
  })
  it('is never finer than the bucket', () => {
    expect(labels(Date.UTC(2012, 0), Date.UTC(2014, 0), 8, 'year')).toEqual(['2012', '2013', '2014'])
  })
  it('never returns more than requested', () => {
    for (const span of [0.01, 0.5, 3, 40, 400, 4000, 40_000]) {
      for (const count of [3, 6, 9]) {
        const ticks = timeTicks(Date.UTC(1999, 3, 7), Date.UTC(1999, 3, 7) + span * day, count, 'en-US')
        expect(ticks.length, `${span} days`).toBeLessThanOrEqual(count)
        expect(ticks.length, `${span} days`).toBeGreaterThanOrEqual(1)
      }
    }
  })
})
