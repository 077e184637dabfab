import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { Position } from 'geojson'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { livePlaceMap, placeMap } from '../place-map.server.ts'
import { call } from '#functions/api/call.ts'
import { manifestKey } from '#functions/engine/tile/manifest.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
const tiles = memoryBucket()
beforeAll(async () => {
  world = await openWorld(city)
  await tiles.put(manifestKey, JSON.stringify({ sets: [], boundaries: [] }))
  const schema = JSON.stringify({
    name: { name: 'Name', type: 'text' },
    where: { name: 'Where', type: 'point' },
  })
  const { db } = world.as('system')
  await db.insertInto('dataType').values({ id: 'spot', name: 'Spot', schema, ownerPlaceId: null }).execute()
})
afterAll(() => world.close())

/** Adds a public source of one record with a position. */
async function addSource(n: number) {
  const id = `spots-${n}`
  const source = { id, name: `Spots ${n}`, placeId: 'oakton', dataTypeId: 'spot', createdBy: null }
  await world
    .as('system')
    .db.insertInto('source')
    .values({ ...source, visibility: 'public' })
    .execute()
  const where = { type: 'Point', coordinates: [-73 - n / 10, 40.5] }
  const data = [{ name: `Spot ${n}`, where }]
  await call(v1.source.datum.create, world.as('super_admin'), { params: { sourceId: id }, data })
}

async function show() {
  const args = {
    request: new Request('http://localhost:8787/map'),
    params: {},
    context: { ctx: world.as('organization_admin', { tiles }), nonce: '' },
  } as unknown as LoaderFunctionArgs
  return { page: await placeMap(args), live: await livePlaceMap(args) }
}

test('a map shows at most six sources, each in its own colour, and says how many more have places', async () => {
  for (const n of [1, 2, 3, 4, 5, 6]) await addSource(n)
  const { page: six } = await show()
  expect(new Set(six.layers?.map(({ fill }) => fill)).size).toBe(6)
  expect(six).not.toHaveProperty('left')

  await addSource(7)
  const { page: seven, live } = await show()
  expect(seven.layers).toHaveLength(6)
  expect(seven.map?.svg.match(/<g class="map-layer-\d"/g)).toHaveLength(6)
  expect(live?.records?.map(({ key }) => key)).toEqual(seven.layers?.map(({ key }) => key))
  expect(seven.left).toBe('1 more source has places.')
  await addSource(8)
  expect((await show()).page.left).toBe('2 more sources have places.')
})

test('the list beside the map of a place has the records in the picture', async () => {
  const corners: Position[] = [
    [-73.25, 40.4],
    [-73.05, 40.4],
    [-73.05, 40.6],
    [-73.25, 40.6],
  ]
  const square = [...corners, [-73.25, 40.4]]
  const geometry = { type: 'Polygon' as const, coordinates: [square] }
  const params = { placeId: 'oakton' }
  const admin = world.as('organization_admin', { tiles })
  const set = await call(v1.place.boundarySet.create, admin, {
    params,
    data: {
      ...{ name: 'Town', visibility: 'public' },
      geojson: {
        type: 'FeatureCollection',
        features: [{ type: 'Feature', properties: { name: 'Town' }, geometry }],
      },
    },
  })
  const ownBoundary = { boundarySetId: set.id, area: null }
  await call(v1.place.updateById, admin, { params, data: { ownBoundary } })
  const { page } = await show()
  const names = page.layers?.map(({ items, countNote: listNote }) => [
    items.map(({ name }) => name),
    listNote,
  ])
  expect(names?.slice(0, 2)).toEqual([
    [['Spot 1'], undefined],
    [['Spot 2'], undefined],
  ])
  expect(names?.at(-1)).toEqual([[], '0 of 1 are listed here.'])
})
