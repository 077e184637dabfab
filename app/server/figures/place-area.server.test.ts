import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { livePlaceMap, placeMap } from '../place-map.server.ts'
import { call } from '#functions/api/call.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
const tiles = memoryBucket()
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const square = (west: number, south: number) => [
  [
    [west, south],
    [west + 1, south],
    [west + 1, south + 1],
    [west, south + 1],
    [west, south],
  ],
]
const country = (gid: string, name: string, ...polygons: number[][][][]) => ({
  type: 'Feature',
  properties: { gid, name, parent: null },
  geometry: { type: 'MultiPolygon', coordinates: polygons },
})

test('the map of a place on both sides of the antimeridian opens on it, with the records of both sides and no others', async () => {
  const { db } = world.as('system')
  const isles = country('country-FJ', 'Fiji', square(178.5, -18), square(-180, -17))
  const others = [
    country('country-TO', 'Tonga', square(-176, -22)),
    country('country-CM', 'Cameroon', square(10, 4)),
  ]
  const countries = JSON.stringify({ type: 'FeatureCollection', features: [isles, ...others] })
  await tiles.put('boundaries/world-countries.geojson', countries)
  const set = { name: 'world', hash: '0123456789ab', bounds: [-180, -85, 180, 85], minZoom: 0, maxZoom: 5 }
  const layers = ['country', 'country_line', 'country_label']
  await tiles.put(
    'manifest.json',
    JSON.stringify({ sets: [{ ...set, attribution: 'x', layers }], boundaries: [] }),
  )
  const fiji = { id: 'country-FJ', code: 'FJ', name: 'Fiji', type: 'country' as const, parentId: null }
  await db
    .insertInto('boundary')
    .values({ ...fiji, area: JSON.stringify(isles.geometry) })
    .execute()
  await call(v1.place.updateById, world.as('super_admin'), {
    params: { placeId: 'oakton' },
    data: { boundaryId: 'country-FJ', allStatesBoundaryId: 'world-countries' },
  })
  const schema = JSON.stringify({
    name: { name: 'Name', type: 'text' },
    where: { name: 'Where', type: 'point' },
  })
  await db.insertInto('dataType').values({ id: 'spot', name: 'Spot', schema, ownerPlaceId: null }).execute()
  const jetties = { id: 'jetties', name: 'Jetties', placeId: 'oakton', dataTypeId: 'spot', createdBy: null }
  await db
    .insertInto('source')
    .values({ ...jetties, visibility: 'public' })
    .execute()
  const record = (name: string, lon: number, lat: number) => ({
    ...{ name, where: { type: 'Point', coordinates: [lon, lat] } },
  })
  await call(v1.source.datum.create, world.as('super_admin'), {
    params: { sourceId: 'jetties' },
    data: [record('West', 178.9, -17.5), record('East', -179.5, -16.5), record('Far', 10.5, -17)],
  })

  const args = {
    request: new Request('http://localhost:8787/map'),
    params: {},
    context: { ctx: world.as('organization_admin', { tiles }), nonce: '' },
  } as unknown as LoaderFunctionArgs
  const live = await livePlaceMap(args)
  const [west, , east] = live?.bounds ?? []
  expect([west, east]).toEqual([178.5, 181])
  const { map, layers: legend = [] } = await placeMap(args)
  const { key } = legend.find(({ name }) => name === 'Jetties') ?? {}
  expect(map?.svg.match(new RegExp(`class="map-${key}"[^]*?</g>`))?.[0].match(/<circle /g)).toHaveLength(2)
  // Regions far from the view are not loaded, and a note says so.
  expect(map?.note).toEqual([{ layer: key, text: expect.stringMatching(/^1 record is not in this picture/) }])
})
