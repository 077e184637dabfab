import { expect, test } from 'vitest'
import { boxOfMost } from './initial-view.ts'

const city = Array.from({ length: 500 }, (_, i) => ({
  lon: -122.4 + (i % 20) / 100,
  lat: 47.5 + Math.floor(i / 20) / 100,
}))

test('a few outliers do not shrink a city to a dot, and many far points are not outliers', () => {
  const [west, south, east, north] = boxOfMost([...city, { lon: 0, lat: 0 }, { lon: 10, lat: -30 }]) ?? []
  expect(west).toBeGreaterThanOrEqual(-122.4)
  expect(east).toBeLessThan(-122.2)
  expect(south).toBeGreaterThanOrEqual(47.5)
  expect(north).toBeLessThanOrEqual(47.74)
  const far = Array.from({ length: 50 }, () => ({ lon: 10, lat: 50 }))
  expect(boxOfMost([...city, ...far])).toEqual([-122.4, 47.5, 10, 50])
})

test('points without outliers all fit', () => {
  expect(boxOfMost(city)).toEqual([-122.4, 47.5, -122.4 + 19 / 100, 47.74])
  expect(boxOfMost([])).toBeNull()
})

test('points are weighted by their values', () => {
  const [west] =
    boxOfMost([
      { lon: -122, lat: 47, value: 1000 },
      { lon: -121, lat: 48, value: 1000 },
      { lon: 20, lat: 0, value: 1 },
    ]) ?? []
  expect(west).toBe(-122)
  const [, , east] =
    boxOfMost([
      { lon: -122, lat: 47, value: 1000 },
      { lon: -121, lat: 48 },
      { lon: 20, lat: 0, value: 500 },
    ]) ?? []
  expect(east).toBe(20)
})

test('points on both sides of the antimeridian are one cluster', () => {
  expect(
    boxOfMost([
      { lon: 177, lat: -18 },
      { lon: 179.5, lat: -17 },
      { lon: -179.5, lat: -16 },
    ]),
  ).toEqual([177, -18, 180.5, -16])
})
