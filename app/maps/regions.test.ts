import type { FeatureCollection } from 'geojson'
import { expect, test } from 'vitest'
import { regionFinder } from './regions.ts'

const regions = (list: [string, string, string, string?][]): FeatureCollection => ({
  type: 'FeatureCollection',
  features: list.map(([gid, code, name, parent]) => ({
    type: 'Feature',
    properties: { gid, code, name, parent },
    geometry: { type: 'Point', coordinates: [0, 0] },
  })),
})
const states = regions([
  ['us-state-06', '06', 'California'],
  ['us-state-41', '41', 'Oregon'],
])
const counties = regions([
  ['us-county-06037', '06037', 'Los Angeles', 'us-state-06'],
  ['us-county-41067', '41067', 'Washington', 'us-state-41'],
  ['us-county-06999', '06999', 'Washington', 'us-state-06'],
])

test('a region is found by gid, code and name', () => {
  const find = regionFinder(states)
  expect(['us-state-06', '06', 6, '6', 'california', '  California '].map(find)).toEqual(
    Array(6).fill('us-state-06'),
  )
  expect(['Kalifornia', '', null, {}, '007', NaN].map(find)).toEqual(Array(6).fill(null))
})

test('a name that repeats needs its parent', () => {
  const find = regionFinder(counties, states)
  expect(find('Washington')).toBeNull()
  expect(find('Washington, Oregon')).toBe('us-county-41067')
  expect(find(6037)).toBe('us-county-06037')
})
