import { describe, expect, test } from 'vitest'
import type { MapPalette } from '#functions/shapes/analytics.ts'
import { classifyValues, classIndex, type ClassOptions } from './classes.ts'

const series = (count: number, of: (i: number) => number) => [...Array(count).keys()].map(of)

test('few different values have one class each', () => {
  const classes = classifyValues([3, 1, 1, 2], String)
  expect(classes.map(({ label }) => label)).toEqual(['1', '2', '3'])
  expect(classes.map(({ fill }) => fill)).toEqual(['var(--seq-1)', 'var(--seq-4)', 'var(--seq-7)'])
  expect(classifyValues([], String)).toEqual([])
  expect(classifyValues([NaN, Infinity, 7], String)).toMatchObject([{ from: 7, to: 7, fill: 'var(--seq-4)' }])
})

test('many values have round bounds with about equally many values per class', () => {
  const values = series(700, (i) => i * 1.37)
  const classes = classifyValues(values, String)
  expect(classes).toHaveLength(7)
  expect(classes.slice(1).map(({ from }) => from)).toEqual([100, 300, 400, 500, 700, 800])
  const sizes = classes.map((_, at) => values.filter((value) => classIndex(classes, value) === at).length)
  expect(sizes.reduce((a, b) => a + b)).toBe(700)
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(50)
})

test('skewed, negative and heavily tied values leave no class empty', () => {
  for (const values of [
    series(500, (i) => (i / 50) ** 6),
    series(60, (i) => i - 30.5),
    series(300, (i) => (i < 200 ? 0 : i)),
    series(80, (i) => 1e-7 * i),
    series(80, (i) => 1e6 + i / 1000),
  ]) {
    const classes = classifyValues(values, String)
    expect(classes.length).toBeGreaterThan(1)
    classes.forEach((entry, at) => {
      expect(values.some((value) => classIndex(classes, value) === at)).toBe(true)
      expect(entry.from).toBe(at === 0 ? Math.min(...values) : classes[at - 1]?.to)
    })
  }
})

test('a missing value has no class', () => {
  const classes = classifyValues(series(50, Number), String)
  expect([null, undefined, NaN].map((value) => classIndex(classes, value))).toEqual([null, null, null])
  expect(classIndex(classes, -5)).toBe(0)
  expect(classIndex(classes, 500)).toBe(classes.length - 1)
})

/** Numbers of a seed, the same in every run. */
function random(seed: number): () => number {
  let at = seed
  return () => {
    at = (at * 1_103_515_245 + 12_345) % 2 ** 31
    return at / 2 ** 31
  }
}
const createFormat = (decimals: number, scale = 1) => {
  const { format } = new Intl.NumberFormat('en', {
    ...{ minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: false },
  })
  return (value: number) => format(value * scale)
}

test('ranges of integers do not overlap', () => {
  const labels = (values: number[], decimals: number, step: number) =>
    classifyValues(values, createFormat(decimals), step).map(({ label }) => label)
  expect(labels(series(500, Number), 0, 1)).toEqual([
    ...['0 – 70', '71 – 139', '140 – 209', '210 – 289', '290 – 359', '360 – 429', '430 – 499'],
  ])
  expect(
    labels(
      series(50, (i) => 1 + i / 10),
      1,
      0.1,
    ),
  ).toEqual([...['1.0 – 1.9', '2.0 – 2.9', '3.0 – 3.9', '4.0 – 4.9', '5.0 – 5.9']])
  expect(
    labels(
      series(50, (i) => i - 30),
      0,
      1,
    )[0],
  ).toBe('-30 – -21')
})

test('values with the same text are in one class, and a value displayed as a bound is in the class above', () => {
  expect(classifyValues([1.001, 1.004, 2], createFormat(2), 0.01).map(({ label }) => label)).toEqual([
    '1.00',
    '2.00',
  ])
  const values = [...series(50, (i) => i * 10), 99.6]
  const classes = classifyValues(values, createFormat(0), 1)
  expect(classes.map(({ label }) => label)[1]).toBe('100 – 199')
  expect(classIndex(classes, 99.6)).toBe(1)
  expect(classIndex(classes, 99.4)).toBe(0)
})

test('every value matches exactly one label: that of its class', () => {
  const next = random(7)
  const kinds: [(i: number) => number, number, number, number?][] = [
    [() => Math.floor(next() * 60), 0, 1],
    [() => Math.floor(next() ** 4 * 1e6), 0, 1],
    [() => next() * 40, 1, 0.1],
    [() => next() * 8, 2, 0.01],
    [() => (next() - 0.5) * 300, 0, 1],
    [() => (next() - 0.5) * 3, 2, 0.01],
    [() => next() * 1e7, 0, 1],
    [() => next() * 1e-5, 7, 1e-7],
    [() => next(), 1, 0.001, 100],
    [(i) => (i % 3 === 0 ? 0 : Math.round(next() * 100)), 0, 1],
  ]
  let valueCount = 0
  for (const [of, decimals, step, scale = 1] of kinds)
    for (const count of [1, 2, 6, 12, 56, 99, 100, 700]) {
      const values = series(count, of)
      const format = createFormat(decimals, scale)
      const classes = classifyValues(values, format, step)
      const ranges = classes.map(({ label }) => {
        const [low = NaN, high = low] = label.split(' – ').map(Number)
        return { low, high }
      })
      for (const value of values) {
        const displayedValue = Number(format(value))
        const fits = ranges.flatMap(({ low, high }, at) =>
          displayedValue >= low && displayedValue <= high ? [at] : [],
        )
        expect([classIndex(classes, value)], `${value} in ${JSON.stringify(ranges)}`).toEqual(fits)
        valueCount += 1
      }
    }
  expect(valueCount).toBe(9760)
})

describe('classes chosen by the author', () => {
  const values = [1, 2, 3, 4, 50, 51, 52, 53, 99, 100]
  const labels = (classing: ClassOptions, of = values) =>
    classifyValues(of, String, undefined, classing).map(({ label }) => label)

  test('have the requested number', () => {
    for (const by of ['quantile', 'equal', 'natural'] as const)
      for (const count of [3, 4, 5, 6, 7])
        expect(
          labels(
            { by, count },
            series(200, (i) => i * i),
          ),
        ).toHaveLength(count)
  })

  test('of equal width include those without a value', () => {
    expect(labels({ by: 'equal', count: 5 }, [0, 1, 2, 3, 4, 100])).toEqual([
      ...['0 – 19', '20 – 39', '40 – 59', '60 – 79', '80 – 100'],
    ])
    expect(labels({ by: 'equal', count: 3 }, [7])).toEqual(['7'])
  })

  test('by natural breaks begin at the roundest number in the gap before them', () => {
    expect(labels({ by: 'natural', count: 3 })).toEqual(['1 – 49', '50 – 89', '90 – 100'])
    expect(labels({ by: 'natural', count: 3 }, [-53, -52, -4, -3, 0, 80, 81])).toEqual([
      ...['-53 – -11', '-10 – 79', '80 – 81'],
    ])
  })

  test('begin at the given bounds, and a value at a bound is in the class above', () => {
    const classes = classifyValues(values, String, undefined, { by: 'own', bounds: [4, 60, 100] })
    expect(classes.map(({ label }) => label)).toEqual(['1 – 3', '4 – 59', '60 – 99', '100'])
    expect([3, 4, 99, 100].map((value) => classIndex(classes, value))).toEqual([0, 1, 2, 3])
  })

  test('have the same colour on every map with the same bounds, and are left out only beyond the values', () => {
    const own = { by: 'own', bounds: [10, 20, 30, 40] } as const
    const fills = (of: number[]) =>
      Object.fromEntries(classifyValues(of, String, undefined, own).map(({ label, fill }) => [label, fill]))
    expect(fills([5, 15, 25, 35, 45])).toEqual({
      ...{ '5 – 9': 'var(--seq-1)', '10 – 19': 'var(--seq-3)', '20 – 29': 'var(--seq-4)' },
      ...{ '30 – 39': 'var(--seq-6)', '40 – 45': 'var(--seq-7)' },
    })
    expect(fills([12, 31])).toEqual({
      ...{ '12 – 19': 'var(--seq-3)', '20 – 29': 'var(--seq-4)', '30 – 31': 'var(--seq-6)' },
    })
    expect(fills([20, 21])).toEqual({ '20 – 21': 'var(--seq-4)' })
    expect(fills([50, 60])).toEqual({ '50 – 60': 'var(--seq-7)' })
  })

  test('have labels that match exactly the values of their class', () => {
    const next = random(11)
    // Avoids a negative zero.
    const format = (value: number) => String(Math.round(value) + 0)
    for (let turn = 0; turn < 60; turn += 1) {
      const of = series(1 + Math.floor(next() * 90), () => (next() - 0.3) ** 3 * 1000)
      const bounds = series(2 + (turn % 5), (i) => -40 + i * 37.4 + next())
      for (const classing of [
        ...(['quantile', 'equal', 'natural'] as const).map((by) => ({ by, count: 3 + (turn % 5) })),
        { by: 'own', bounds } as const,
      ]) {
        const classes = classifyValues(of, format, 1, classing)
        for (const value of of) {
          const displayedValue = Number(format(value))
          const fits = classes.flatMap(({ label }, at) => {
            const [low = NaN, high = low] = label.split(' – ').map(Number)
            return displayedValue >= low && displayedValue <= high ? [at] : []
          })
          expect([classIndex(classes, value)], `${value}, ${JSON.stringify(classing)}`).toEqual(fits)
        }
      }
    }
  })

  test('have the colours of their palette, symmetrical around the middle of a diverging one', () => {
    const steps = (palette: MapPalette, count: number) =>
      classifyValues(series(90, Number), String, 1, { count, palette }).map(({ fill }) => fill)
    expect(steps('orange', 3)).toEqual(['var(--seq-orange-1)', 'var(--seq-orange-4)', 'var(--seq-orange-7)'])
    expect(steps('purple-green', 4)).toEqual([1, 3, 5, 7].map((step) => `var(--div-purple-${step})`))
    expect(steps('blue-orange', 5)).toEqual([1, 3, 4, 5, 7].map((step) => `var(--div-${step})`))
  })
})
