import { expect, test } from 'vitest'
import { classesOf, classIndex } from './classes.ts'

const series = (count: number, of: (i: number) => number) => [...Array(count).keys()].map(of)

test('few different values get a class each', () => {
  const classes = classesOf([3, 1, 1, 2], String)
  expect(classes.map(({ label }) => label)).toEqual(['1', '2', '3'])
  expect(classes.map(({ fill }) => fill)).toEqual(['var(--seq-1)', 'var(--seq-4)', 'var(--seq-7)'])
  expect(classesOf([], String)).toEqual([])
  expect(classesOf([NaN, Infinity, 7], String)).toMatchObject([{ from: 7, to: 7, fill: 'var(--seq-4)' }])
})

test('many values get round bounds with about as many values in each class', () => {
  const values = series(700, (i) => i * 1.37)
  const classes = classesOf(values, String)
  expect(classes).toHaveLength(7)
  expect(classes.slice(1).map(({ from }) => from)).toEqual([100, 300, 400, 500, 700, 800])
  const sizes = classes.map((_, at) => values.filter((value) => classIndex(classes, value) === at).length)
  expect(sizes.reduce((a, b) => a + b)).toBe(700)
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(50)
})

test('skewed, negative and heavily tied values still fill every class', () => {
  for (const values of [
    series(500, (i) => (i / 50) ** 6),
    series(60, (i) => i - 30.5),
    series(300, (i) => (i < 200 ? 0 : i)),
    series(80, (i) => 1e-7 * i),
    series(80, (i) => 1e6 + i / 1000),
  ]) {
    const classes = classesOf(values, String)
    expect(classes.length).toBeGreaterThan(1)
    classes.forEach((entry, at) => {
      expect(values.some((value) => classIndex(classes, value) === at)).toBe(true)
      expect(entry.from).toBe(at === 0 ? Math.min(...values) : classes[at - 1]?.to)
    })
  }
})

test('a missing value has no class', () => {
  const classes = classesOf(series(50, Number), String)
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
const written = (decimals: number, scale = 1) => {
  const { format } = new Intl.NumberFormat('en', {
    ...{ minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: false },
  })
  return (value: number) => format(value * scale)
}

test('bounds of whole numbers do not overlap', () => {
  const labels = (values: number[], decimals: number, step: number) =>
    classesOf(values, written(decimals), step).map(({ label }) => label)
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

test('values that are written alike are of one class, and one that is written as the bound is of the class above', () => {
  expect(classesOf([1.001, 1.004, 2], written(2), 0.01).map(({ label }) => label)).toEqual(['1.00', '2.00'])
  const values = [...series(50, (i) => i * 10), 99.6]
  const classes = classesOf(values, written(0), 1)
  expect(classes.map(({ label }) => label)[1]).toBe('100 – 199')
  expect(classIndex(classes, 99.6)).toBe(1)
  expect(classIndex(classes, 99.4)).toBe(0)
})

test('every value can be read in exactly one label: that of its class', () => {
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
  let seen = 0
  for (const [of, decimals, step, scale = 1] of kinds)
    for (const count of [1, 2, 6, 12, 56, 99, 100, 700]) {
      const values = series(count, of)
      const format = written(decimals, scale)
      const classes = classesOf(values, format, step)
      const ranges = classes.map(({ label }) => {
        const [low = NaN, high = low] = label.split(' – ').map(Number)
        return { low, high }
      })
      for (const value of values) {
        const shown = Number(format(value))
        const fits = ranges.flatMap(({ low, high }, at) => (shown >= low && shown <= high ? [at] : []))
        expect([classIndex(classes, value)], `${value} in ${JSON.stringify(ranges)}`).toEqual(fits)
        seen += 1
      }
    }
  expect(seen).toBe(9760)
})
