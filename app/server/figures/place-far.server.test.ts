import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { MultiPolygon } from 'geojson'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { livePlaceMap, placeMap } from '../place-map.server.ts'
import { call } from '#functions/api/call.ts'
import { boundaryKey, manifestKey } from '#functions/engine/tile/manifest.ts'
import { readShapes } from '#functions/engine/picture/shapes.ts'
import { regionsOfCountry } from '#functions/shapes/region-sets.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { regionFiles } from '#scripts/tiles/region-files.ts'
import { boxesOfParts } from './place-far.server.ts'

let world: TestWorld
const tiles = memoryBucket()
const france = regionsOfCountry('FR')
const farNames = ['French Guiana', 'Martinique, Guadeloupe', 'Mayotte', 'Réunion']

beforeAll(async () => {
  world = await openWorld(city)
  const { files } = await regionFiles()
  for (const country of ['FR', 'EC', 'PT', 'NZ', 'DE']) {
    const key = boundaryKey(regionsOfCountry(country))
    await tiles.put(key, files.find((file) => file.key === key)?.bytes ?? '')
  }
  await tiles.put(manifestKey, JSON.stringify({ sets: [worldSet], boundaries: [] }))
  const { db } = world.as('system')
  const schema = JSON.stringify({
    name: { name: 'Name', type: 'text' },
    where: { name: 'Where', type: 'point' },
  })
  await db.insertInto('dataType').values({ id: 'spot', name: 'Spot', schema, ownerPlaceId: null }).execute()
  const source = { id: 'jetties', name: 'Jetties', placeId: 'oakton', dataTypeId: 'spot', createdBy: null }
  await db
    .insertInto('source')
    .values({ ...source, visibility: 'public' })
    .execute()
  const record = (name: string, lon: number, lat: number) => ({
    ...{ name, where: { type: 'Point', coordinates: [lon, lat] } },
  })
  const data = [
    ...[record('Paris', 2.35, 48.86), record('Cayenne', -52.3, 4.9), record('Saint-Denis', 55.45, -20.9)],
    record('Quito', -78.5, -0.2),
  ]
  await call(v1.source.datum.create, world.as('super_admin'), { params: { sourceId: 'jetties' }, data })
}, 120_000)
afterAll(() => world.close())

const worldSet = {
  ...{ name: 'world', hash: '0123456789ab', bounds: [-180, -85, 180, 85], minZoom: 0, maxZoom: 5 },
  ...{ attribution: 'x', layers: ['country', 'country_line', 'country_label'] },
}

/** The still and the live map of the place with a boundary and borders. */
async function loadMaps(data: object) {
  await call(v1.place.updateById, world.as('super_admin', { tiles }), { params: { placeId: 'oakton' }, data })
  const args = {
    request: new Request('http://localhost:8787/map'),
    params: {},
    context: { ctx: world.as('organization_admin', { tiles }), nonce: '' },
  } as unknown as LoaderFunctionArgs
  return { live: await livePlaceMap(args), page: await placeMap(args) }
}

const buildCountryBoundary = (country: string) => ({
  ...{ boundaryId: null, ownBoundary: { boundarySetId: regionsOfCountry(country), area: null } },
  allStatesBoundaryId: regionsOfCountry(country),
})

/** The frames of a picture’s insets, in units of the drawing. */
const insetsIn = (svg: string) =>
  [...svg.matchAll(/<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)" fill="none"/g)].map(
    ([, ...numbers]) => numbers.map(Number),
  )

test('the map of France opens on its European part, with the overseas regions in insets and behind buttons', async () => {
  const { live, page } = await loadMaps(buildCountryBoundary('FR'))
  const [west = 0, south = 0, east = 0, north = 0] = live?.bounds ?? []
  expect(west > -6 && south > 41 && east < 10 && north < 52).toBe(true)
  expect(live?.parts?.map(({ name }) => name).sort()).toEqual(farNames)
  const guiana = live?.parts?.find(({ name }) => name === 'French Guiana')?.bounds ?? []
  expect(guiana.map(Math.round)).toEqual([-55, 2, -52, 6])

  const svg = page.map?.svg ?? ''
  const insets = insetsIn(svg)
  expect(insets).toHaveLength(4)
  expect(svg.match(/>Mayotte<\/text>/g)).toHaveLength(2)
  // The record in Europe is beside the insets, those overseas are each in one; that in Quito is outside, and a note says so.
  const circles = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, ...at]) => at.map(Number))
  const insetIndexes = circles.map(([cx = 0, cy = 0]) =>
    insets.findIndex(
      ([x = 0, y = 0, width = 0, height = 0]) => cx > x && cx < x + width && cy > y && cy < y + height,
    ),
  )
  expect(insetIndexes.filter((at) => at === -1)).toHaveLength(1)
  expect(new Set(insetIndexes).size).toBe(3)
  const note = page.map?.note
  expect(note).toEqual([
    { layer: 'layer-1', text: expect.stringMatching(/^1 record is not in this picture/) },
  ])
})

test.each([
  ['PT', ['Azores', 'Madeira']],
  ['EC', ['Galápagos']],
  ['DE', []],
])('the map of %s has as many insets as its live map has buttons: %j', async (country, names) => {
  const { live, page } = await loadMaps(buildCountryBoundary(country))
  expect(live?.parts?.map(({ name }) => name).sort()).toEqual(names)
  expect(insetsIn(page.map?.svg ?? '')).toHaveLength(names.length)
})

test('a country of the world’s set has the far regions of that country, and one of its regions has none', async () => {
  const { features } = await readShapes(tiles, france)
  const polygons = features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon' ? [geometry.coordinates] : (geometry as MultiPolygon).coordinates,
  )
  const shape = { type: 'MultiPolygon', coordinates: polygons }
  const properties = { gid: 'country-250', name: 'France', parent: null }
  const countries = {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties, geometry: shape }],
  }
  await tiles.put(boundaryKey('world-countries'), JSON.stringify(countries))
  const row = { id: 'country-250', code: '250', name: 'France', type: 'country' as const, parentId: null }
  const { db } = world.as('system')
  await db
    .insertInto('boundary')
    .values({ ...row, area: JSON.stringify(shape) })
    .execute()
  for (const allStatesBoundaryId of ['world-countries', france, null]) {
    const { live, page } = await loadMaps({
      boundaryId: 'country-250',
      ownBoundary: null,
      allStatesBoundaryId,
    })
    expect(live?.parts?.map(({ name }) => name).sort(), String(allStatesBoundaryId)).toEqual(farNames)
    expect(insetsIn(page.map?.svg ?? ''), String(allStatesBoundaryId)).toHaveLength(4)
  }
  const { live: borders, page } = await loadMaps({ boundaryId: null, allStatesBoundaryId: france })
  expect(borders?.parts).toHaveLength(4)
  expect(insetsIn(page.map?.svg ?? '')).toHaveLength(4)

  const area = features.find(({ properties: of }) => of?.name === 'La Réunion')?.properties?.code as string
  const one = await loadMaps({ ownBoundary: { boundarySetId: france, area }, allStatesBoundaryId: france })
  expect(one.live?.parts).toEqual([])
  expect(one.live?.bounds.map(Math.round)).toEqual([55, -21, 56, -21])
  expect(insetsIn(one.page.map?.svg ?? '')).toEqual([])
})

test('the boxes of records do not overlap, and each is on one side of the antimeridian or across it', () => {
  const group = (bounds: [number, number, number, number]) => ({ name: '', regions: [], bounds })
  const opens: [number, number, number, number] = [166, -48, 179, -34]
  const groups = [group([183, -45, 184, -43]), group([169, -60, 170, -52])]
  expect(boxesOfParts({ opens, groups }, [153, -62, 192, -20])).toEqual([
    [153, -51.9, 182.9, -20],
    [-177.1, -45.1, -175.9, -42.9],
    [168.9, -60.1, 170.1, -51.9],
  ])
})
