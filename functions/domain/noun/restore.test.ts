import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { v1 } from '#functions/v1/index.ts'
import { call } from '#functions/api/call.ts'
import type { Endpoint } from '#functions/api/endpoint.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

interface Restorable {
  find: Endpoint
  findById: Endpoint
  restore: Endpoint
}
const { place } = v1
const nouns: [string, string, Restorable, Endpoint][] = [
  ['sourceId', 'open', place.source, place.source.deleteById],
  ['insightId', 'calls', place.insight, v1.insight.deleteById],
  ['collectionId', 'best', place.collection, place.collection.deleteById],
  ['pageId', 'story', place.page, place.page.deleteById],
  ['dataTypeId', 'tree', place.dataType, v1.dataType.deleteById],
]
const day = 86_400_000
const shiftClock = (days: number) => ({ now: () => new Date(Date.now() + days * day) })

describe.each(nouns)('references to %s', (param, id, noun, remove) => {
  const params = { placeId: 'oakton', [param]: id }
  const ask = (endpoint: Endpoint, person: Person, options = {}, changes = {}) =>
    call(endpoint, world.as(person, changes), { params, options })
  const listIds = async (options: object, person: Person = 'organization_admin', changes = {}) => {
    const { results } = (await ask(noun.find, person, options, changes)) as unknown as {
      results: { id: string }[]
    }
    return results.map((row) => row.id)
  }

  test('are restored after a deletion, by people who may delete, for thirty days', async () => {
    const before = (await ask(noun.findById, 'organization_admin')) as unknown as { version: number }
    await expect(ask(noun.restore, 'organization_admin')).rejects.toMatchObject({ kind: 'notFound' })
    await call(remove, world.as('organization_admin'), {
      params: {
        [param]: id,
        ...(param === 'collectionId' || param === 'pageId' ? { placeId: 'oakton' } : {}),
      },
    })
    await expect(ask(noun.findById, 'organization_admin')).rejects.toMatchObject({ kind: 'notFound' })
    expect(await listIds({ deleted: 'true' })).toEqual([id])
    expect(await listIds({ deleted: 'true', search: 'no such' })).toEqual([])
    expect(await listIds({})).not.toContain(id)
    for (const [person, kind] of [
      ['anonymous', 'unauthenticated'],
      ['stranger', 'notFound'],
      ['viewer', 'forbidden'],
    ] as const) {
      await expect(ask(noun.restore, person)).rejects.toMatchObject({ kind })
      await expect(listIds({ deleted: true }, person)).rejects.toMatchObject({ kind })
    }
    await expect(ask(noun.restore, 'organization_admin', {}, shiftClock(31))).rejects.toMatchObject({
      kind: 'notFound',
    })
    expect(await listIds({ deleted: true }, 'organization_admin', shiftClock(31))).toEqual([])
    const back = await ask(noun.restore, 'organization_admin', {}, shiftClock(29))
    expect(back).toMatchObject({ id, version: before.version + 2 })
    expect(await listIds({ deleted: true })).toEqual([])
    expect(await listIds({})).toContain(id)
    await expect(ask(noun.restore, 'organization_admin')).rejects.toMatchObject({ kind: 'notFound' })
  })

  test('notify the hubs, and write an entry in the activity log', async () => {
    const { db } = world.as('system')
    const kind = param.replace('Id', '')
    const events = await db
      .selectFrom('outbox')
      .select(['kind', 'placeId', 'payload'])
      .where('kind', '=', kind)
      .execute()
    expect(events.at(-1)).toMatchObject({ kind, placeId: 'oakton', payload: { id } })
    const trail = await db
      .selectFrom('activity')
      .select('verb')
      .where('targetId', '=', id)
      .where('targetType', '=', kind)
      .orderBy('at')
      .execute()
    expect(trail.map(({ verb }) => verb).sort()).toEqual(['deleted', 'restored'])
  })
})

test('a list of all places cannot show deleted rows', async () => {
  const response = call(v1.source.find, world.as('super_admin'), { options: { deleted: true } })
  await expect(response).rejects.toMatchObject({ kind: 'invalid', issues: [{ path: ['deleted'] }] })
})

test('a row that another person made private is restored only by an admin', async () => {
  const params = { placeId: 'oakton', sourceId: 'mine' }
  await call(place.source.deleteById, world.as('member', { actor: world.as('content_admin').actor }), {
    params,
  })
  const ctx = world.as('content_admin')
  expect(await call(place.source.restore, ctx, { params })).toMatchObject({ id: 'mine' })
})

test('a source whose data type is deleted cannot be restored before it', async () => {
  const ctx = world.as('organization_admin')
  const params = { placeId: 'oakton', sourceId: 'of-tree', dataTypeId: 'tree' }
  await call(place.source.create, ctx, {
    params: { placeId: 'oakton' },
    data: { id: 'of-tree', name: 'Trees', dataTypeId: 'tree' },
  })
  await call(place.source.deleteById, ctx, { params })
  await call(v1.dataType.deleteById, ctx, { params: { dataTypeId: 'tree' } })
  await expect(call(place.source.restore, ctx, { params })).rejects.toMatchObject({ kind: 'conflict' })
  await call(place.dataType.restore, ctx, { params })
  expect(await call(place.source.restore, ctx, { params })).toMatchObject({
    id: 'of-tree',
    dataTypeId: 'tree',
  })
})

test('people of one place cannot restore anything in another', async () => {
  const far = { placeId: 'elmsford', sourceId: 'far-open' }
  await call(place.source.deleteById, world.as('stranger'), { params: far })
  for (const params of [far, { ...far, placeId: 'oakton' }])
    await expect(
      call(place.source.restore, world.as('organization_admin'), { params }),
    ).rejects.toMatchObject({ kind: 'notFound' })
})
