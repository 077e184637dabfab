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
