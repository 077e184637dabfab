import type { Polygon } from 'geojson'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { v1 } from '#functions/v1/index.ts'
import { call } from '#functions/api/call.ts'
import { readShapes } from '#functions/engine/picture/shapes.ts'
import { setArchives } from '#functions/engine/tile/manifest.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { mapKeys } from '#functions/engine/picture/map.ts'
import { emitColoured, processTiles } from './set-tiles.ts'
import { box, collection } from './sets.testing.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const { boundarySet } = v1.place
const tiles = memoryBucket()
const openContext = () => world.as('organization_admin', { tiles })
const params = { placeId: 'oakton' }

test('an insight is visible to no more people than its set, and keeps a public set public', async () => {
  const geojson = collection([{ NAME: 'North' }, box(0, 1)])
  const set = await call(boundarySet.create, openContext(), { params, data: { name: 'Districts', geojson } })
  const one = { params: { ...params, boundarySetId: set.id } }
  const insight = (visibility: string) => ({
    ...{ name: 'Calls by district', placeId: 'oakton', dataTypeId: 'call', visibility },
    visualization: { type: 'map', settings: { region: 'district', boundarySetId: set.id } },
    query: {
      groupings: [{ field: 'district' }],
      aggregations: [
        { alias: 'district', value: { field: 'data.type' } },
        { alias: 'calls', value: { function: 'count' } },
      ],
    },
  })
  const refusal = {
    kind: 'invalid',
    issues: [{ path: ['visualization', 'settings', 'boundarySetId'], value: set.id }],
  }
  await expect(call(v1.insight.create, openContext(), { data: insight('public') })).rejects.toMatchObject(
    refusal,
  )
  const { id: insightId } = await call(v1.insight.create, openContext(), { data: insight('private') })
  const show = (visibility: string) =>
    call(v1.insight.updateById, openContext(), { params: { insightId }, data: { visibility } })
  await expect(show('public')).rejects.toMatchObject(refusal)

  const change = (data: object) => call(boundarySet.updateById, openContext(), { ...one, data })
  await change({ visibility: 'public' })
  await show('public')
  const message = 'Public insights are drawn with this set: Calls by district.'
  const used = { kind: 'conflict', issues: [{ validator: 'used', message }] }
  await processTiles(world.as('system', { tiles }))
  const archives = async () => (await tiles.list({ prefix: setArchives(set.id) })).objects.length
  expect(await archives()).toBe(1)
  await expect(change({ visibility: 'place' })).rejects.toMatchObject(used)
  await expect(call(boundarySet.deleteById, openContext(), one)).rejects.toMatchObject(used)
  expect((await readShapes(tiles, set.id)).features).toHaveLength(1)
  expect(await archives()).toBe(1)
  await show('place')
  await change({ visibility: 'place' })
})

test('a place with an area of its own public set as boundary keeps the set public and the area in it', async () => {
  const geojson = collection([{ NAME: 'North' }, box(0, 1)], [{ NAME: 'South' }, box(0, 0)])
  const { id } = await call(boundarySet.create, openContext(), { params, data: { name: 'Wards', geojson } })
  const one = { params: { ...params, boundarySetId: id } }
  const change = (data: object) => call(boundarySet.updateById, openContext(), { ...one, data })
  const draw = (data: object) => call(v1.place.updateById, openContext(), { params, data })
  const readBoundary = async (person: 'anonymous' | 'organization_admin' = 'anonymous') => {
    const options = { includes: [{ resource: 'boundary' }] }
    const { hasMap, boundaryId, boundary } = await call(v1.place.findById, world.as(person), {
      params,
      options,
    })
    return { hasMap, boundaryId, boundary }
  }
  await change({ nameField: 'NAME', codeField: 'NAME' })
  const south = { ownBoundary: { boundarySetId: id, area: 'South' } }
  const refusal = (path: string[], validator: string) => ({
    kind: 'invalid',
    issues: [{ path, validator }],
  })
  const before = await readBoundary()
  await expect(draw(south)).rejects.toMatchObject(refusal(['ownBoundary', 'boundarySetId'], 'public'))
  await expect(draw({ allStatesBoundaryId: id })).rejects.toMatchObject(
    refusal(['allStatesBoundaryId'], 'public'),
  )
  await change({ visibility: 'public' })
  const elsewhere = { ownBoundary: { boundarySetId: id, area: 'West' } }
  await expect(draw(elsewhere)).rejects.toMatchObject(refusal(['ownBoundary', 'area'], 'exists'))
  await expect(draw({ ...south, boundaryId: 'us-ny' })).rejects.toMatchObject(refusal(['boundaryId'], 'one'))
  const otherPlaceRequest = { params: { placeId: 'elmsford' }, data: south }
  await expect(call(v1.place.updateById, world.as('super_admin'), otherPlaceRequest)).rejects.toMatchObject(
    refusal(['ownBoundary', 'boundarySetId'], 'exists'),
  )
  expect(await readBoundary()).toEqual(before)

  expect(await draw(south)).toMatchObject({ ...south, boundaryId: null, hasMap: true })
  const area = {
    type: 'MultiPolygon',
    coordinates: [box(0, 0)].map((square) => (square as Polygon).coordinates),
  }
  const boundary = { id: `${id}/South`, code: 'South', name: 'South', type: 'area' }
  expect((await readBoundary()).boundary).toMatchObject({ ...boundary, area: { type: 'MultiPolygon' } })
  expect(corners((await readBoundary()).boundary?.area)).toEqual(corners(area))
  await draw({ ownBoundary: { boundarySetId: id, area: null } })
  const whole = (await readBoundary()).boundary
  expect(whole).toMatchObject({ id, name: 'Wards' })
  expect(corners(whole?.area)).toEqual(['0 0', '0 1', '0 2', '1 0', '1 1', '1 2'])

  await draw(south)
  const used = { kind: 'conflict', issues: [{ validator: 'used' }] }
  await expect(change({ visibility: 'place' })).rejects.toMatchObject(used)
  await expect(call(boundarySet.deleteById, openContext(), one)).rejects.toMatchObject(used)
  const north = collection([{ NAME: 'North' }, box(0, 1)])
  const replace = (of: object) => call(boundarySet.replace, openContext(), { ...one, data: { geojson: of } })
  await expect(replace(north)).rejects.toMatchObject({ ...used, issues: [{ path: ['geojson'] }] })
  expect((await readShapes(tiles, id)).features).toHaveLength(2)
  await replace(
    collection(
      [{ NAME: 'South', people: '1200', code: '036', many: '1,200' }, box(0, 0)],
      [{ NAME: 'Far', people: '0', code: '1' }, box(5, 5)],
    ),
  )
  expect(corners((await readBoundary()).boundary?.area)).toEqual(corners(area))
  // The measures of its areas: a degree at the equator is 12,309 km² on the ellipsoid.
  const measures = (await readShapes(tiles, id)).features.map(({ properties }) => properties)
  expect(measures).toMatchObject([{ numbers: { people: 1200 } }, { numbers: { people: 0 } }])
  expect(measures[0]?.numbers).toEqual({ people: 1200 })
  expect(measures[0]?.km2).toBeCloseTo(12_308.8, 0)

  expect(await draw({ boundaryId: 'us-ny' })).toMatchObject({ boundaryId: 'us-ny', ownBoundary: null })
  expect((await readBoundary()).boundary).toMatchObject({ id: 'us-ny', type: 'state' })
  await change({ visibility: 'place' })
})

test('values of a field may name the regions of a public set of its owner, by which charts of it are drawn', async () => {
  const geojson = collection([{ NAME: 'North', NR: '1' }, box(0, 1)], [{ NAME: 'South', NR: '2' }, box(0, 0)])
  const data = { name: 'Beats', geojson }
  const { id } = await call(boundarySet.create, openContext(), { params, data })
  const one = { params: { ...params, boundarySetId: id } }
  const change = (changes: object) => call(boundarySet.updateById, openContext(), { ...one, data: changes })
  await change({ nameField: 'NAME', codeField: 'NR' })
  const type = (ownerPlaceId: string) => ({
    ...{ name: 'Patrol', ownerPlaceId },
    schema: { beat: { name: 'Beat', type: 'text', region: id }, hours: { name: 'Hours', type: 'number' } },
  })
  const refusal = { kind: 'invalid', issues: [{ path: ['schema', 'beat', 'region'], validator: 'exists' }] }
  // Records of a type may be read by everyone who reads any of its sources, so the set must be public.
  await expect(call(v1.dataType.create, openContext(), { data: type('oakton') })).rejects.toMatchObject(
    refusal,
  )
  await change({ visibility: 'public' })
  await expect(
    call(v1.dataType.create, world.as('super_admin', { tiles }), { data: type('elmsford') }),
  ).rejects.toMatchObject(refusal)
  const { id: dataTypeId } = await call(v1.dataType.create, openContext(), { data: type('oakton') })

  const { id: sourceId } = await call(v1.source.create, openContext(), {
    data: { name: 'Patrols', dataTypeId, placeId: 'oakton', visibility: 'public' },
  })
  const rows = [
    { beat: 'North', hours: 3 },
    { beat: '2', hours: 4 },
    { beat: 'south', hours: 5 },
    { beat: 'Nowhere', hours: 1 },
  ]
  for (const row of rows)
    await call(v1.source.datum.create, openContext(), { params: { sourceId }, data: row })
  const query = {
    groupings: [{ field: 'beat' }],
    aggregations: [
      { alias: 'beat', value: { field: 'data.beat' } },
      { alias: 'hours', value: { function: 'sum', arguments: [{ field: 'data.hours' }] } },
    ],
  }
  const answer = await call(v1.source.analytics, openContext(), { params: { sourceId }, options: query })
  const { meta, results } = answer as unknown as {
    meta: { schema: Record<string, unknown> }
    results: Record<string, unknown>[]
  }
  const map = await mapKeys(tiles, {
    visualization: { type: 'map', settings: { region: 'beat' } },
    output: { schema: meta.schema, groupings: [{ alias: 'beat' }], columns: [] },
    rows: results,
  } as unknown as Parameters<typeof mapKeys>[1])
  expect(map.setId).toBe(id)
  const codes = new Map(
    map.shapes.features.map(({ properties }) => [String(properties?.gid), String(properties?.name)]),
  )
  const regionValues = map.rows.map(({ key, row }) => [codes.get(key), row.hours])
  expect(regionValues.toSorted()).toEqual([
    ['North', 3],
    ['South', 4],
    ['South', 5],
  ])
  expect(map.matched).toMatchObject({ values: 4, unmatched: ['Nowhere'] })

  // A new version of the set draws the charts again.
  const { id: insightId } = await call(v1.insight.create, openContext(), {
    data: {
      ...{ name: 'Hours by beat', placeId: 'oakton', dataTypeId, sourceId, visibility: 'public', query },
      visualization: { type: 'map', settings: { region: 'beat' } },
    },
  })
  const { db } = world.as('system')
  await db.deleteFrom('outbox').execute()
  await world
    .as('system')
    .transaction((tx) => emitColoured(tx, world.as('system', { tiles }), { id, placeId: 'oakton' }))
  const events = await db.selectFrom('outbox').select(['kind', 'payload']).execute()
  expect(events).toContainEqual({ kind: 'insight', payload: { id: insightId, listChanged: false } })

  const message = 'Fields of data types name regions of this set: Patrol.'
  const used = { kind: 'conflict', issues: [{ validator: 'used', message }] }
  await expect(change({ visibility: 'place' })).rejects.toMatchObject(used)
  await expect(call(boundarySet.deleteById, openContext(), one)).rejects.toMatchObject(used)
  const uses = await call(v1.place.uses, openContext(), {
    params,
    options: { noun: 'boundarySet', ids: [id] },
  })
  expect(JSON.stringify(uses)).toContain('Patrol')
})

/** The corners of an area, each once. */
function corners(area: { coordinates?: unknown } | null | undefined): string[] {
  const positions = ((area?.coordinates ?? []) as number[][][][]).flat(2)
  return [...new Set(positions.map((position) => position.join(' ')))].sort()
}
