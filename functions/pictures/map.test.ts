import type { FeatureCollection } from 'geojson'
import { expect, test } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import { drawMap, mapKeys } from './map.ts'

const square = (gid: string, name: string, west: number) => ({
  type: 'Feature' as const,
  properties: { gid, name },
  geometry: {
    type: 'Polygon' as const,
    coordinates: [
      [
        [west, 40],
        [west + 1, 40],
        [west + 1, 41],
        [west, 41],
        [west, 40],
      ],
    ],
  },
})
const shapes: FeatureCollection = {
  type: 'FeatureCollection',
  features: [square('s-1', 'Ohio', -83), square('s-2', 'Iowa', -94)],
}
const input = {
  visualization: { type: 'map' as const, settings: { region: 'state' } },
  output: {
    aggregations: [],
    groupings: [],
    orderings: [],
    schema: { state: { name: 'State', type: 'text' as const }, n: { name: 'N', type: 'number' as const } },
  },
  rows: [{ state: 'Ohio', n: 1234.5 }],
  title: 'By state',
  timeZone: 'UTC',
}

test.each([
  ['en', 'Ohio: 1,235', 'Iowa: No data'],
  ['es', 'Ohio: 1235', 'Iowa: Sin datos'],
  ['ar-u-nu-latn', 'Ohio: 1,235', 'Iowa: لا توجد بيانات'],
])(
  'in %s regions say their value, or that there is none, in the page’s language',
  async (locale, ...said) => {
    const tiles = memoryBucket()
    await tiles.put('boundaries/us-states.geojson', JSON.stringify(shapes))
    const keys = await mapKeys(tiles, input)
    const names = { id: 'm', title: 'By state', description: '' }
    const { svg } = drawMap(keys, { ...input, locale }, names, { width: 640, height: 420 })
    expect([...svg.matchAll(/<title>([^<]*)</g)].map(([, title]) => title)).toEqual(said)
  },
)

test('codes are found and called by the names that their field has for them', async () => {
  const tiles = memoryBucket()
  await tiles.put('boundaries/us-states.geojson', JSON.stringify(shapes))
  const state = { name: 'State', type: 'text' as const, values: [{ value: 'OH', name: 'Ohio' }] }
  const output = { ...input.output, schema: { ...input.output.schema, state } }
  const rows = [
    { state: 'OH', n: 1 },
    { state: 'Iowa', n: 2 },
    { state: 'ZZ', n: 3 },
  ]
  const keys = await mapKeys(tiles, { ...input, output, rows })
  expect(keys.rows.map(({ key, row }) => [key, keys.nameOf(row)])).toEqual([
    ['s-1', 'Ohio'],
    ['s-2', 'Iowa'],
  ])
})
