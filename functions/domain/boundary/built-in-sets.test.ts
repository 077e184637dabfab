import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'
import { call } from '#functions/api/call.ts'
import { mapKeys, regionValues } from '#functions/engine/picture/map.ts'
import { readShapes } from '#functions/engine/picture/shapes.ts'
import { boundaryKey, manifestKey, regionIndexKey } from '#functions/engine/tile/manifest.ts'
import { v1 } from '#functions/v1/index.ts'
import { box, collection } from './sets.testing.ts'

let world: TestWorld
const tiles = memoryBucket()
const { boundarySet } = v1.place
const params = { placeId: 'oakton' }
const openContext = (person: Person = 'content_admin') => world.as(person, { tiles })

const facts = {
  iso: {
    missing: Array.from({ length: 7 }, (_, i) => ({ code: `ZZ-${i}`, name: `Region ${i}` })),
    own: [],
    recoded: [{ code: 'ZZ-OLD', name: 'Old', iso: 'ZZ-NEW' }],
  },
  disputes: ['Old is claimed by New.'],
}

/** Two regions of Germany as boxes, one of them where records of the test world are. */
const regions = [
  { code: 'DE-BY', name: 'Bayern', names: ['Bavaria', 'BY'], at: [-75, 40] as const },
  { code: 'DE-BE', name: 'Berlin', names: ['BE'], at: [12, 52] as const },
]

beforeAll(async () => {
  world = await openWorld(city)
  const about = { origin: 'Made with Natural Earth', licence: 'Public domain', vintage: '2022' }
  const areas = regions.map(({ code, name, names }) => ({ code, name, names }))
  const regionIndex = { inputHash: '', hash: '0123456789ab', bytes: 1 }
  const atlas = {
    ...{ name: 'world', inputHash: '', hash: '0123456789ab', bytes: 1, bounds: [-180, -85, 180, 85] },
    ...{ minZoom: 0, maxZoom: 5, attribution: 'Made with Natural Earth', licence: 'Public domain' },
    ...{ vintage: 'Version 4.1.0, 2018', layers: ['country'] },
  }
  const countries = {
    ...{ id: 'world-countries', name: 'Countries of the world', level: 'country' },
    ...{ file: boundaryKey('world-countries'), disputes: ['Drawn as they are held.'] },
  }
  await tiles.put(
    manifestKey,
    JSON.stringify({ sets: [atlas], boundaries: [countries], regions: regionIndex }),
  )
  await tiles.put(
    regionIndexKey(regionIndex.hash),
    JSON.stringify({
      sets: [
        { id: 'regions-de', hash: 'abcdefabcdef', ...about, areas },
        { id: 'regions-zz', hash: 'abcdefabcdef', ...about, ...facts, areas: [] },
      ],
    }),
  )
  const features = regions.map(({ at: [lon, lat], ...region }) => ({
    type: 'Feature',
    properties: { gid: `region-${region.code}`, ...region },
    geometry: box(lon, lat, 2),
  }))
  await tiles.put(
    boundaryKey('regions-de'),
    JSON.stringify({ type: 'FeatureCollection', ...about, features }),
  )
})
afterAll(() => world.close())

const findOfferedSets = async (options: object, person: Person = 'content_admin') =>
  (await call(boundarySet.offered, openContext(person), { params, options })).results

test('finds regions of a country by its name, a code and the name of a region in another language', async () => {
  const set = {
    ...{ id: 'regions-de', name: 'Regions of Germany', placeId: null, areaCount: 2 },
    ...{ origin: 'Made with Natural Earth', licence: 'Public domain', vintage: '2022' },
  }
  for (const search of ['germany', 'Allemagne', 'DEU'])
    expect(await findOfferedSets({ search }), search).toMatchObject([{ ...set, found: [] }])
  expect(await findOfferedSets({ search: 'bavar' })).toMatchObject([
    { ...set, found: [{ code: 'DE-BY', name: 'Bayern' }] },
  ])
  expect(await findOfferedSets({ search: 'nowhere' })).toEqual([])
  const areas = await call(boundarySet.area.find, openContext('anonymous'), {
    params: { ...params, boundarySetId: 'regions-de' },
    options: { search: 'bavaria' },
  })
  expect(areas).toMatchObject({ results: [{ number: 1, code: 'DE-BY', name: 'Bayern' }], meta: { total: 1 } })
})

test('a built-in set is downloaded as GeoJSON, and one that does not exist is not found', async () => {
  const download = (boundarySetId: string) =>
    call(boundarySet['.geojson'], openContext('anonymous'), { params: { ...params, boundarySetId } })
  const file = await download('regions-de')
  expect(file).toMatchObject({ contentType: 'application/geo+json', fileName: 'regions-de.geojson' })
  const { features } = (await new Response(file.body as ReadableStream).json()) as { features: object[] }
  expect(features).toContainEqual(
    expect.objectContaining({ properties: expect.objectContaining({ code: 'DE-BY' }) as object }),
  )
  await expect(download('regions-xx')).rejects.toMatchObject({ kind: 'notFound' })
})

test('sets say their vintage, how they differ from ISO 3166-2 and which borders are disputed', async () => {
  expect(await findOfferedSets({ id: 'regions-zz' })).toMatchObject([
    {
      iso: {
        missing: { count: 7, first: facts.iso.missing },
        own: { count: 0, first: [] },
        recoded: { count: 1, first: facts.iso.recoded },
      },
      disputes: facts.disputes,
    },
  ])
  const offeredSet = (await findOfferedSets({})).find(({ id }) => id === 'regions-zz')
  expect(offeredSet?.iso?.missing).toEqual({ count: 7, first: facts.iso.missing.slice(0, 5) })
  expect(await findOfferedSets({ id: 'regions-nowhere' })).toEqual([])
  expect(await findOfferedSets({ id: 'world-countries' })).toMatchObject([
    { vintage: 'Version 4.1.0, 2018', iso: null, disputes: ['Drawn as they are held.'] },
  ])
  // Of a bucket that was made before sets were compared.
  expect(await findOfferedSets({ id: 'regions-de' })).toMatchObject([{ iso: null, disputes: [] }])
})

test('offers public sets of other places in searches, with their owner, and private ones to nobody', async () => {
  const geojson = collection([{ NAME: 'North' }, box(0, 1)])
  const make = (name: string, visibility: string) =>
    call(boundarySet.create, openContext('system'), {
      params: { placeId: 'elmsford' },
      data: { name, visibility, geojson },
    })
  const { id } = await make('Parishes of Elmsford', 'public')
  await make('Parishes canary', 'place')
  await make('Parishes secret canary', 'private')
  for (const person of ['content_admin', 'anonymous', 'member'] as const) {
    expect(await findOfferedSets({ search: 'parish' }, person)).toMatchObject([
      { id, placeId: 'elmsford', placeName: 'Elmsford' },
    ])
    expect(await findOfferedSets({ id }, person)).toMatchObject([{ id, name: 'Parishes of Elmsford' }])
  }
  // Without a text the list is of the place alone.
  expect((await findOfferedSets({})).map((set) => set.placeId)).not.toContain('elmsford')
})

test('a set that turns private disappears from other hubs: their pages are made again', async () => {
  const geojson = collection([{ NAME: 'North' }, box(0, 1)])
  const data = { name: 'Wards', visibility: 'public', geojson }
  const { id } = await call(boundarySet.create, openContext(), { params, data })
  const { id: insightId } = await call(v1.insight.create, openContext('system'), {
    data: {
      ...{ name: 'Lamps by ward', placeId: 'elmsford', dataTypeId: 'lamp', visibility: 'public' },
      visualization: { type: 'map', settings: { region: 'ward', boundarySetId: id } },
      query: {
        groupings: [{ field: 'ward' }],
        aggregations: [{ alias: 'ward', value: { field: 'id' } }],
      },
    },
  })
  const countInsightEvents = async () => {
    const rows = await openContext('system')
      .db.selectFrom('outbox')
      .select(['placeId', 'payload'])
      .where('kind', '=', 'insight')
      .orderBy('id')
      .execute()
    return rows.filter(({ payload }) => (payload as { id?: string }).id === insightId).length
  }
  const before = await countInsightEvents()
  const one = { params: { ...params, boundarySetId: id } }
  await call(boundarySet.updateById, openContext(), { ...one, data: { visibility: 'place' } })
  expect(await countInsightEvents()).toBe(before + 1)
  expect((await readShapes(tiles, id)).features).toEqual([])
  // The actor is himself again: nothing of others is his.
  expect(await findOfferedSets({ search: 'wards' }, 'anonymous')).toEqual([])
})

test('data that name regions by codes or names colour a map of them', async () => {
  const keys = await mapKeys(tiles, {
    visualization: { type: 'map', settings: { region: 'land' } },
    output: {
      schema: {
        land: { name: 'Land', type: 'text', region: 'regions-de' },
        n: { name: 'Calls', type: 'number' },
      },
      ...{ aggregations: [{ alias: 'n', name: 'Calls' }], orderings: [], groupings: [{ alias: 'land' }] },
    },
    rows: [
      { land: 'Bavaria', n: 7 },
      { land: 'be', n: 5 },
      { land: 'Elbe', n: 1 },
    ],
  })
  expect([...regionValues(keys)]).toEqual([
    ['region-DE-BY', 7],
    ['region-DE-BE', 5],
  ])
  expect(keys.matched.unmatched).toEqual(['Elbe'])
})

test('rejects a set with the id of a built-in one', async () => {
  const before = await readShapes(tiles, 'regions-de')
  for (const id of ['regions-de', 'us-states', 'world-countries', 'regions-fj'])
    await expect(
      call(boundarySet.create, openContext(), {
        params,
        data: { id, name: 'Mine', visibility: 'public', geojson: collection([{ NAME: 'X' }, box(0, 0)]) },
      }),
      id,
    ).rejects.toMatchObject({ kind: 'conflict' })
  expect(await readShapes(tiles, 'regions-de')).toBe(before)
  expect((await readShapes(tiles, 'us-states')).features).toEqual([])
})

test('a place has as its boundary a region of a country, or all of them', async () => {
  const draw = (area: string | null) =>
    call(v1.place.updateById, openContext('organization_admin'), {
      params,
      data: { ownBoundary: { boundarySetId: 'regions-de', area } },
    })
  await expect(draw('DE-XX')).rejects.toMatchObject({ issues: [{ path: ['ownBoundary', 'area'] }] })
  const readBoundary = async () => {
    const options = { includes: [{ resource: 'boundary' }] }
    return (await call(v1.place.findById, openContext('anonymous'), { params, options })).boundary
  }
  await draw('DE-BY')
  expect(await readBoundary()).toMatchObject({
    id: 'regions-de/DE-BY',
    name: 'Bayern',
    code: 'DE-BY',
    type: 'area',
  })
  await draw(null)
  expect(await readBoundary()).toMatchObject({ id: 'regions-de', name: 'Regions of Germany' })
  // Countries are a set as well.
  const file = (await (await tiles.get(boundaryKey('regions-de')))?.text()) ?? ''
  await tiles.put(boundaryKey('world-countries'), file)
  const ownBoundary = { boundarySetId: 'world-countries', area: 'DE-BE' }
  await call(v1.place.updateById, openContext('organization_admin'), { params, data: { ownBoundary } })
  expect(await readBoundary()).toMatchObject({ id: 'world-countries/DE-BE', name: 'Berlin' })
  // A release has another code: the boundary stays chosen, and has nothing to draw.
  await tiles.put(boundaryKey('world-countries'), file.replaceAll('DE-BE', 'DE-10'))
  expect(await readBoundary()).toBeNull()
})

test('a set can be parts of a built-in one: what crosses its borders is listed, what lies elsewhere is refused', async () => {
  const parentId = 'regions-de'
  const inside = [{ NAME: 'Inside' }, box(-74.9, 40.1, 0.5)] as const
  // Outlines of built-in sets are coarse: nine tenths are enough.
  const nearly = [{ NAME: 'Nearly' }, box(-75.04, 40.2, 0.5)] as const
  const across = [{ NAME: 'Across' }, box(-75.25, 40.4, 0.5)] as const
  const away = [{ NAME: 'Away' }, box(30, 10)] as const
  const data = { name: 'Wards', geojson: collection([...inside], [...nearly], [...across]) }
  const wards = await call(boundarySet.create, openContext(), { params, data: { ...data, parentId } })
  expect(wards).toMatchObject({
    parentId,
    nesting: { apart: 1, areas: [{ number: 3, name: 'Across', parent: 'Bayern', share: 0.5 }] },
  })
  const refusal = {
    kind: 'invalid',
    issues: [
      { path: ['parentId'], validator: 'inside', message: expect.stringContaining('“Away” lies outside') },
    ],
  }
  const apart = { name: 'Elsewhere', geojson: collection([...inside], [...away]) }
  await expect(
    call(boundarySet.create, openContext(), { params, data: { ...apart, parentId } }),
  ).rejects.toMatchObject(refusal)
  const alone = await call(boundarySet.create, openContext(), { params, data: apart })
  const onAlone = { params: { ...params, boundarySetId: alone.id } }
  const nest = (to: string | null) =>
    call(boundarySet.updateById, openContext(), { ...onAlone, data: { parentId: to } })
  await expect(nest(parentId)).rejects.toMatchObject(refusal)
  expect(await call(boundarySet.findById, openContext(), { ...onAlone, options: {} })).toMatchObject({
    parentId: null,
    nesting: null,
  })
  // A built-in set whose boundaries nobody has made.
  await expect(nest('regions-fr')).rejects.toMatchObject({
    issues: [{ path: ['parentId'], validator: 'exists' }],
  })
  // So is another file, and one without that area is taken.
  const onWards = { params: { ...params, boundarySetId: wards.id } }
  const replace = (geojson: object) =>
    call(boundarySet.replace, openContext(), { ...onWards, data: { geojson } })
  await expect(replace(apart.geojson)).rejects.toMatchObject({
    issues: [{ path: ['geojson'], validator: 'inside' }],
  })
  await replace(collection([...across]))
  expect(await call(boundarySet.findById, openContext(), { ...onWards, options: {} })).toMatchObject({
    ...{ edition: 2, areaCount: 1, nesting: { apart: 1, areas: [{ name: 'Across', parent: 'Bayern' }] } },
  })
})

test('a set that is deleted for good leaves those that are parts of it', async () => {
  const create = (data: object) =>
    call(boundarySet.create, openContext(), { params, data: { name: 'Set', ...data } })
  const parent = await create({ geojson: collection([{ NAME: 'All' }, box(0, 0)]) })
  const child = await create({ geojson: collection([{ NAME: 'Part' }, box(0, 0, 0.5)]), parentId: parent.id })
  expect(child.nesting).toEqual({ apart: 0, areas: [] })
  await sql`delete from boundary_set where id = ${parent.id}`.execute(world.as('system', { tiles }).db)
  const onChild = { params: { ...params, boundarySetId: child.id }, options: {} }
  expect(await call(boundarySet.findById, openContext(), onChild)).toMatchObject({
    parentId: null,
    nesting: null,
  })
})
