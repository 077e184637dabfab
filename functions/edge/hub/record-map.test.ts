import { expect, test } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import { archiveKey, manifestKey } from '#functions/engine/tile/manifest.ts'
import { groundBytes } from '#scripts/ground/ground.ts'
import { recordMap } from './record-map.ts'

const state = {
  type: 'Feature',
  properties: { gid: 'state', name: 'Washington' },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [-124, 46],
        [-117, 46],
        [-117, 49],
        [-124, 49],
        [-124, 46],
      ],
    ],
  },
}
const point = { type: 'Point' as const, coordinates: [-122.3, 47.6] }

test('the map of a record has a basemap, if there is one', async () => {
  const tiles = memoryBucket()
  const shapes = JSON.stringify({ type: 'FeatureCollection', features: [state] })
  await tiles.put('boundaries/us-states.geojson', shapes)
  const bare = await recordMap({ tiles }, point, { label: 'In {name}', locale: 'en' })
  expect(bare).toContain('In Washington')
  expect(bare).not.toContain('map-towns')
  const ground = { inputHash: '', hash: 'aaaaaaaaaaa0', bytes: 0 }
  await tiles.put(manifestKey, JSON.stringify({ sets: [], boundaries: [], ground }))
  await tiles.put(archiveKey(ground.hash), await groundBytes())
  const svg = await recordMap({ tiles }, point, { label: 'In {name}', locale: 'en' })
  expect(svg).toContain('>Seattle</text>')
  expect(svg).toContain('fill="var(--map-water)"')
})
