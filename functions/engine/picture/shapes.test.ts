import type { FeatureCollection } from 'geojson'
import { expect, test } from 'vitest'
import { readShapes } from './shapes.ts'
import { memoryBucket } from '#db/worlds/ports.ts'

const key = 'boundaries/us-states.geojson'
const setOf = (gid: string, size = 0): FeatureCollection => ({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { gid, filling: 'x'.repeat(size) },
      geometry: { type: 'Point', coordinates: [0, 0] },
    },
  ],
})
const gidOf = (shapes: FeatureCollection) => shapes.features[0]?.properties?.gid as string | undefined

test('a set is read once as long as it is the same, and anew when it was made anew or is gone', async () => {
  const tiles = memoryBucket()
  const read = () => readShapes(tiles, 'us-states')
  expect(gidOf(await read())).toBeUndefined()
  await tiles.put(key, JSON.stringify(setOf('old')))
  const first = await read()
  expect([gidOf(first), (await read()) === first]).toEqual(['old', true])
  await tiles.put(key, JSON.stringify(setOf('new')))
  expect(gidOf(await read())).toBe('new')
  await tiles.delete(key)
  expect(gidOf(await read())).toBeUndefined()
})

test('a large set is not held, and a bucket knows nothing of another', async () => {
  const [tiles, others] = [memoryBucket(), memoryBucket()]
  await tiles.put(key, JSON.stringify(setOf('large', 1_000_000)))
  await others.put(key, JSON.stringify(setOf('other')))
  const large = await readShapes(tiles, 'us-states')
  expect(gidOf(await readShapes(others, 'us-states'))).toBe('other')
  expect((await readShapes(tiles, 'us-states')) === large).toBe(false)
})
