import type { FeatureCollection } from 'geojson'
import { expect, test } from 'vitest'
import { computeFrame, readShapes } from './shapes.ts'
import { memoryBucket } from '#db/worlds/ports.ts'

const key = 'boundaries/us-states.geojson'
const buildShapeSet = (gid: string, size = 0): FeatureCollection => ({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { gid, filling: 'x'.repeat(size) },
      geometry: { type: 'Point', coordinates: [0, 0] },
    },
  ],
})
const findFirstGid = (shapes: FeatureCollection) => shapes.features[0]?.properties?.gid as string | undefined

test('a set is cached until it is replaced or deleted', async () => {
  const tiles = memoryBucket()
  const read = () => readShapes(tiles, 'us-states')
  expect(findFirstGid(await read())).toBeUndefined()
  await tiles.put(key, JSON.stringify(buildShapeSet('old')))
  const first = await read()
  expect([findFirstGid(first), (await read()) === first]).toEqual(['old', true])
  await tiles.put(key, JSON.stringify(buildShapeSet('new')))
  expect(findFirstGid(await read())).toBe('new')
  await tiles.delete(key)
  expect(findFirstGid(await read())).toBeUndefined()
})

test('a large set is not cached, and caches of buckets are separate', async () => {
  const [tiles, others] = [memoryBucket(), memoryBucket()]
  await tiles.put(key, JSON.stringify(buildShapeSet('large', 1_000_000)))
  await others.put(key, JSON.stringify(buildShapeSet('other')))
  const large = await readShapes(tiles, 'us-states')
  expect(findFirstGid(await readShapes(others, 'us-states'))).toBe('other')
  expect((await readShapes(tiles, 'us-states')) === large).toBe(false)
})

const boxes = (...parts: [west: number, east: number][]): FeatureCollection['features'][number] => ({
  type: 'Feature',
  properties: {},
  geometry: {
    type: 'MultiPolygon',
    coordinates: parts.map(([west, east]) => [
      [
        [west, -20],
        [east, -20],
        [east, -12],
        [west, -20],
      ],
    ]),
  },
})

test('a bounding box takes the shorter way, also across the antimeridian', () => {
  expect(computeFrame([boxes([177, 180], [-180, -178])])).toEqual([177, -20, 182, -12])
  expect(computeFrame([boxes([-180, -178]), boxes([174, 176]), boxes([177, 180])])).toEqual([
    174, -20, 182, -12,
  ])
  expect(computeFrame([boxes([-125, -66]), boxes([-160, -155])])).toEqual([-160, -20, -66, -12])
  // Alaska reaches over it and the rest does not.
  expect(computeFrame([boxes([172, 180], [-180, -130], [-125, -66])])).toEqual([172, -20, 294, -12])
  expect(computeFrame([boxes([5, 15])])).toEqual([5, -20, 15, -12])
  expect(computeFrame([])).toBeNull()
})
