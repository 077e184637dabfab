import type { Geometry } from 'geojson'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sourceRecords } from './records.server.ts'
import { call } from '#functions/api/call.ts'
import { box, collection } from '#functions/domain/boundary/sets.testing.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

const schema: FieldSchema = {
  species: { name: 'Species', type: 'text' },
  height: { name: 'Height', type: 'number' },
  planted: { name: 'Planted', type: 'date' },
  alive: { name: 'Alive', type: 'boolean' },
  location: { name: 'Location', type: 'point' },
  tags: { name: 'Tags', type: 'array', items: { name: 'Tag', type: 'text' } },
}
const location = { type: 'Point', coordinates: [-73, 41] }
const trees = [
  // 03:30 of 2 May in UTC is still the first of May in New York.
  { species: 'Red oak', height: 5, planted: '2024-05-02T03:30:00Z', alive: true, location, tags: ['a'] },
  { species: '100% oak_', height: 10, planted: '2024-05-02T12:00:00Z', alive: false },
  { species: 'Elm', height: 20, planted: '2024-06-01T12:00:00Z' },
  { height: 0 },
]

let world: TestWorld
let sourceId = ''
beforeAll(async () => {
  world = await openWorld(city)
  await world
    .as('system')
    .db.updateTable('place')
    .set({ timeZone: 'America/New_York' })
    .where('id', '=', 'oakton')
    .execute()
  const ctx = world.as('organization_admin')
  const placeId = 'oakton'
  const type = await call(v1.dataType.create, ctx, {
    data: { name: 'Sapling', schema, temporal: null, ownerPlaceId: placeId },
  })
  const data = { name: 'Saplings', dataTypeId: (type as { id: string }).id, placeId, visibility: 'place' }
  const source = await call(v1.source.create, ctx, { data })
  sourceId = (source as { id: string }).id
  await call(v1.source.datum.create, ctx, { params: { sourceId }, data: trees })
})
afterAll(() => world.close())

const findHeights = async (search: string) => {
  const request = new Request(`http://localhost:8787/sources/${sourceId}?sort=height&${search}`)
  const context = { ctx: world.as('organization_admin'), nonce: '' }
  const { rows, problem, columns } = await sourceRecords(
    { request, params: {}, context } as unknown as Parameters<typeof sourceRecords>[0],
    sourceId,
    schema,
  )
  const at = columns.findIndex(({ label }) => label === 'Height')
  return problem ?? rows.map(({ cells }) => Number(cells[at]))
}

describe('records of a source filtered by the URL', () => {
  test.each([
    ['where=species&how=contains&is=OAK', [5, 10]],
    ['where=species&how=contains&is=0%25', [10]],
    ['where=species&how=contains&is=k_', [10]],
    ['where=species&how=is&is=Elm', [20]],
    ['where=species&how=isNot&is=Elm', [0, 5, 10]],
    ['where=species&how=empty', [0]],
    ['where=species&how=filled', [5, 10, 20]],
    ['where=height&how=between&is=5&to=10', [5, 10]],
    ['where=height&how=between&is=&to=5', [0, 5]],
    ['where=height&how=atLeast&is=10', [10, 20]],
    ['where=height&how=atMost&is=0', [0]],
    ['where=planted&how=is&is=2024-05-01', [5]],
    ['where=planted&how=atMost&is=2024-05-02', [5, 10]],
    ['where=planted&how=atLeast&is=2024-05-02', [10, 20]],
    ['where=planted&how=between&is=2024-05-01&to=2024-05-02', [5, 10]],
    ['where=planted&is=2024-06-01T12:00:00Z', [20]],
    ['where=alive&how=yes', [5]],
    ['where=alive&how=no', [10]],
    ['where=alive&is=true', [5]],
    ['where=location&how=filled', [5]],
    ['where=location&how=empty', [0, 10, 20]],
    ['where=tags&how=filled', [5]],
    ['where=species&how=contains&is=oak&to=&where=height&how=atLeast&is=6&to=&where=&how=is&is=&to=', [10]],
    ['where=height&how=atLeast&is=5&to=&where=height&how=atMost&is=10&to=', [5, 10]],
    ['where=location&how=contains&is=x', [0, 5, 10, 20]],
    ['where=nothing&how=is&is=x&where=__proto__&how=is&is=x', [0, 5, 10, 20]],
    ['where=species&how=contains&is=', [0, 5, 10, 20]],
  ])('%s', async (search, heights) => {
    expect(await findHeights(search)).toEqual(heights)
  })

  test('filters by an area of a public set, by its name or code; an unknown area is reported, and a private set is ignored', async () => {
    const { boundarySet } = v1.place
    const area = (NAME: string, CODE: string, west: number) => [{ NAME, CODE }, box(west, 40, 2)] as const
    const geojson = collection(
      ...[
        area('East', 'e', -74),
        area('West', 'w', -80),
        area('Twin', 't1', -90),
        area('Twin', 't2', -95),
      ].map(([properties, geometry]): [object, Geometry] => [properties, geometry]),
    )
    const ctx = () => world.as('organization_admin')
    const data = { name: 'Sides', visibility: 'public', geojson }
    const { id } = await call(boundarySet.create, ctx(), { params: { placeId: 'oakton' }, data })
    const params = { placeId: 'oakton', boundarySetId: id }
    await call(boundarySet.updateById, ctx(), { params, data: { nameField: 'NAME', codeField: 'CODE' } })
    expect(await findHeights(`set=${id}&area=East`)).toEqual([5])
    expect(await findHeights(`set=${id}&area=e&where=height&how=atLeast&is=6`)).toEqual([])
    expect(await findHeights(`set=${id}&area=${encodeURIComponent('West · w')}`)).toEqual([])
    expect(await findHeights(`set=${id}&area=${encodeURIComponent('Twin · t2')}`)).toEqual([])
    expect(await findHeights(`set=${id}&area=Twin`)).toMatch(/Several areas/)
    expect(await findHeights(`set=${id}&area=North`)).toBe('The set has no area that is called “North”.')
    expect(await findHeights(`set=nowhere&area=East`)).toEqual([0, 5, 10, 20])
    expect(await findHeights(`set=${id}&area=`)).toEqual([0, 5, 10, 20])
    await call(boundarySet.updateById, ctx(), { params, data: { visibility: 'place' } })
    expect(await findHeights(`set=${id}&area=West`)).toEqual([0, 5, 10, 20])
  })

  test('reports an invalid number instead of throwing', async () => {
    expect(await findHeights('where=height&how=atLeast&is=tall')).toMatch(/number/)
  })
})
