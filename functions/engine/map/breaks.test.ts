import { expect, test } from 'vitest'
import { equalBounds, naturalBounds } from './breaks.ts'

/**
 * The sum of squared deviations of values from the means of their classes, for classes that begin at these
 * bounds.
 */
function deviation(values: readonly number[], bounds: readonly number[]): number {
  const classes = [-Infinity, ...bounds].map((from, i) =>
    values.filter((value) => value >= from && value < (bounds[i] ?? Infinity)),
  )
  return classes
    .map((of) => {
      const mean = of.reduce((sum, value) => sum + value, 0) / of.length
      return of.reduce((sum, value) => sum + (value - mean) ** 2, 0)
    })
    .reduce((a, b) => a + b, 0)
}

/** All subsets of `count` values. */
function choices(values: readonly number[], count: number): number[][] {
  if (count === 0) return [[]]
  return values.flatMap((value, i) =>
    choices(values.slice(i + 1), count - 1).map((others) => [value, ...others]),
  )
}

test('natural classes are optimal, also with ties', () => {
  let seed = 5
  const generateNumber = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  for (let turn = 0; turn < 40; turn += 1) {
    const values = Array.from({ length: 6 + (turn % 9) }, () =>
      turn % 2 ? Math.round(generateNumber() * 12) : 1e6 + generateNumber() ** 3 * 50,
    ).sort((a, b) => a - b)
    const different = [...new Set(values)]
    const count = 3 + (turn % 3)
    if (different.length <= count) continue
    const bounds = naturalBounds(values, count)
    expect(bounds).toHaveLength(count - 1)
    const best = Math.min(...choices(different.slice(1), count - 1).map((each) => deviation(values, each)))
    expect(deviation(values, bounds)).toBeCloseTo(best, 5)
  }
})

test('natural bounds are in the gap before their class, and never split equal values', () => {
  expect(naturalBounds([1, 1, 1, 1, 997, 998, 5003], 3)).toEqual([900, 5000])
  expect(naturalBounds([0.0011, 0.0012, 0.0098], 2)).toEqual([0.009])
  expect(naturalBounds([4, 4, 4], 3)).toEqual([])
})

test('equal bounds have equal distances, up to rounding to a hundredth of a class', () => {
  expect(equalBounds(0, 100, 4)).toEqual([25, 50, 75])
  expect(equalBounds(-1, 1, 5)).toEqual([-0.6, -0.2, 0.2, 0.6])
  expect(equalBounds(3, 3, 5)).toEqual([])
  const bounds = equalBounds(17, 4_812_345, 6)
  const widths = bounds.map((bound, i) => bound - (bounds[i - 1] ?? 17))
  for (const width of widths) expect(Math.abs(width - (4_812_345 - 17) / 6)).toBeLessThan(10_000)
})
