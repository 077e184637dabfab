import { expect, test } from 'vitest'
import { classIndex, classifyValues } from '#functions/engine/map/classes.ts'
import { classAt } from './map-classes.ts'

test('each value of a live map is in its class of the legend, and regions without one are in the last', () => {
  const values = Array.from({ length: 200 }, (_none, i) => Math.round((i - 40) ** 3 / 700) / 10)
  const classes = classifyValues(values, String)
  const bounds = classes.map(({ from }) => from)
  for (const value of [...values, -1e9, 1e9]) expect(classAt(bounds, value)).toBe(classIndex(classes, value))
  expect(classAt(bounds, undefined)).toBe(classes.length)
})
