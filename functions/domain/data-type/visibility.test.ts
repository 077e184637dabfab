import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendAs, withoutId } from '#functions/v1/testing/http.testing.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

/** `lamp` is owned by Elmsford; it has no sources before each test. */
beforeEach(async () => {
  const { db } = world.as('system')
  await db.deleteFrom('source').where('dataTypeId', '=', 'lamp').execute()
  await db.updateTable('place').set({ deletedAt: null }).where('id', '=', 'elmsford').execute()
})

/** An organization admin of Oakton who is one of Elmsford too. */
const asBoth = () => {
  const { actor } = world.as('organization_admin')
  const memberships = ['oakton', 'elmsford'].map((placeId) => ({ placeId, role: 'organization_admin' }))
  return world.as('organization_admin', { placeId: 'oakton', actor: { ...actor, memberships } })
}

const askers = {
  'an admin of one place': () => world.as('organization_admin'),
  'an admin of both places': asBoth,
  'a super admin': () => world.as('super_admin', { placeId: 'oakton' }),
}

const count = { aggregations: [{ alias: 'n', value: { function: 'count' } }] }
const buildJoinQuery = (joinTarget: object) => ({
  joins: [
    {
      alias: 'other',
      on: [{ left: { field: 'data.type' }, right: { field: 'other.data.type' } }],
      ...joinTarget,
    },
  ],
  aggregations: [{ alias: 'n', value: { function: 'count' } }],
})
const insight = { name: 'Lamps', placeId: 'oakton', visualization: { type: 'number' }, query: count }
const observer = {
  name: 'Watch',
  condition: { operator: 'gt', aggregation: { function: 'count' }, value: 1 },
}

/** Every write that takes the id of a data type. */
const writes: [string, string, (dataTypeId: string) => object][] = [
  ['a source', '/sources', (dataTypeId) => ({ name: 'Lamps', placeId: 'oakton', dataTypeId })],
  [
    'a source to check',
    '/sources/validate',
    (dataTypeId) => ({ name: 'Lamps', placeId: 'oakton', dataTypeId }),
  ],
  ['a source of a place', '/places/oakton/sources', (dataTypeId) => ({ name: 'Lamps', dataTypeId })],
  ['an insight', '/insights', (dataTypeId) => ({ ...insight, dataTypeId })],
  ['an insight to check', '/insights/validate', (dataTypeId) => ({ ...insight, dataTypeId })],
  ['a question to try', '/places/oakton/insights/test', (dataTypeId) => ({ dataTypeId, query: count })],
  [
    'a question to try that joins it',
    '/places/oakton/insights/test',
    (dataTypeId) => ({ dataTypeId: 'call', query: buildJoinQuery({ dataTypeId }) }),
  ],
  [
    'an insight that joins it',
    '/insights',
    (dataTypeId) => ({ ...insight, dataTypeId: 'call', query: buildJoinQuery({ dataTypeId }) }),
  ],
  ['an observer', '/places/oakton/observers', (dataTypeId) => ({ ...observer, dataTypeId })],
  [
    'an observer to check',
    '/places/oakton/observers/validate',
    (dataTypeId) => ({ ...observer, dataTypeId }),
  ],
]

describe.each(Object.entries(askers))(
  'to %s, another place’s private data type does not exist',
  (_who, ctx) => {
    test.each(writes)('%s', async (what, path, body) => {
      const answer = await sendAs(ctx(), 'POST', path, body('lamp'))
      const nothing = await sendAs(ctx(), 'POST', path, body('limp'))
      expect(withoutId(answer, 'lamp')).toBe(withoutId(nothing, 'limp'))
      expect(answer.status).toBe(400)
      if (!what.includes('joins'))
        expect(answer.json).toMatchObject({
          error: { fields: [{ path: ['dataTypeId'], message: 'There is no such data type.' }] },
        })
    })
  },
)

/** Inserts a source of `lamp` directly into the database. */
async function plantLamps(
  id: string,
  placeId: string,
  visibility: 'public' | 'place' | 'private',
  more = {},
) {
  await world
    .as('system')
    .db.insertInto('source')
    .values({ id, placeId, dataTypeId: 'lamp', name: id, visibility, createdBy: null, ...more })
    .execute()
}

const make = (ctx: ReturnType<typeof world.as>, placeId: string, dataTypeId: string) =>
  sendAs(ctx, 'POST', '/sources', { name: 'Made', placeId, dataTypeId })

describe('a place may use', () => {
  test('official data types and its own', async () => {
    for (const dataTypeId of ['call', 'tree'])
      expect(await make(world.as('content_admin'), 'oakton', dataTypeId)).toMatchObject({ status: 201 })
    expect(await make(world.as('stranger'), 'elmsford', 'lamp')).toMatchObject({ status: 201 })
  })

  test('one that a public source of another place uses, while it is public', async () => {
    const ctx = world.as('organization_admin')
    const change = (changes: object) =>
      world.as('system').db.updateTable('source').set(changes).where('id', '=', 'far-lamps').execute()
    await plantLamps('far-lamps', 'elmsford', 'place')
    expect(await make(ctx, 'oakton', 'lamp')).toMatchObject({ status: 400 })
    await change({ visibility: 'public' })
    expect(await make(ctx, 'oakton', 'lamp')).toMatchObject({ status: 201 })
    await change({ deletedAt: new Date() })
    expect(await make(ctx, 'oakton', 'lamp')).toMatchObject({ status: 400 })
    await change({ deletedAt: null })
    await world
      .as('system')
      .db.updateTable('place')
      .set({ deletedAt: new Date() })
      .where('id', '=', 'elmsford')
      .execute()
    expect(await make(ctx, 'oakton', 'lamp')).toMatchObject({ status: 400 })
  })

  test('a deleted one of its own no longer', async () => {
    const { db } = world.as('system')
    await db.updateTable('dataType').set({ deletedAt: new Date() }).where('id', '=', 'tree').execute()
    expect(await make(world.as('content_admin'), 'oakton', 'tree')).toMatchObject({ status: 400 })
    await db.updateTable('dataType').set({ deletedAt: null }).where('id', '=', 'tree').execute()
  })
})

describe('a source keeps its data type', () => {
  const ctx = () => world.as('organization_admin')

  test('it can be changed, and questions about it can be saved, changed and tried', async () => {
    await plantLamps('our-lamps', 'oakton', 'place')
    expect(await sendAs(ctx(), 'PATCH', '/sources/our-lamps', { name: 'Ours' })).toMatchObject({
      status: 200,
    })
    const response = await sendAs(ctx(), 'POST', '/insights', { ...insight, dataTypeId: 'lamp' })
    expect(response).toMatchObject({ status: 201 })
    const path = `/insights/${String(response.json.id)}`
    expect(await sendAs(ctx(), 'PATCH', path, { name: 'More lamps' })).toMatchObject({ status: 200 })
    const trial = { dataTypeId: 'lamp', query: count }
    expect(await sendAs(ctx(), 'POST', '/places/oakton/insights/test', trial)).toMatchObject({ status: 200 })
    // An existing source does not permit another one.
    expect(await make(ctx(), 'oakton', 'lamp')).toMatchObject({ status: 400 })
  })

  test('an insight without any source left can be neither asked nor changed', async () => {
    await plantLamps('our-lamps', 'oakton', 'public')
    const data = { ...insight, dataTypeId: 'lamp', visibility: 'public' }
    const path = `/insights/${String((await sendAs(ctx(), 'POST', '/insights', data)).json.id)}`
    expect((await sendAs(world.as('anonymous'), 'GET', `${path}?includes=dataType`)).text).toContain(
      'Received',
    )
    expect(await sendAs(world.as('anonymous'), 'GET', `/places/oakton${path}/analytics`)).toMatchObject({
      status: 200,
    })
    await world.as('system').db.deleteFrom('source').where('id', '=', 'our-lamps').execute()
    for (const asker of ['anonymous', 'organization_admin'] as const) {
      const response = await sendAs(world.as(asker), 'GET', `${path}?includes=dataType`)
      expect(response).toMatchObject({ status: 200, json: { dataType: null } })
      const filtered = `/places/oakton${path}/analytics?filters[data.minutes]=1`
      expect((await sendAs(world.as(asker), 'GET', filtered)).status).toBe(404)
    }
    expect(await sendAs(ctx(), 'PATCH', path, { query: count })).toMatchObject({
      status: 400,
      json: { error: { fields: [{ path: ['dataTypeId'], message: 'There is no such data type.' }] } },
    })
  })
})

describe('restoring', () => {
  test('a source whose data type is no longer visible fails as if the data type were deleted', async () => {
    const ctx = world.as('organization_admin')
    await plantLamps('our-lamps', 'oakton', 'place', { deletedAt: new Date() })
    const restore = (id: string) => sendAs(ctx, 'POST', `/places/oakton/sources/${id}/restore`)
    const unseen = await restore('our-lamps')
    const { db } = world.as('system')
    await db.updateTable('dataType').set({ deletedAt: new Date() }).where('id', '=', 'lamp').execute()
    const deletedResponse = await restore('our-lamps')
    await db.updateTable('dataType').set({ deletedAt: null }).where('id', '=', 'lamp').execute()
    expect([unseen.status, unseen.text]).toEqual([409, deletedResponse.text])
    await plantLamps('far-lamps', 'elmsford', 'public')
    expect(await restore('our-lamps')).toMatchObject({ status: 200, json: { dataTypeId: 'lamp' } })
  })

  test('an insight likewise, unless the place has a source for it', async () => {
    const ctx = world.as('organization_admin')
    await plantLamps('our-lamps', 'oakton', 'place')
    const response = await sendAs(ctx, 'POST', '/insights', { ...insight, dataTypeId: 'lamp' })
    const id = String(response.json.id)
    await sendAs(ctx, 'DELETE', `/insights/${id}`)
    const { db } = world.as('system')
    const setGone = (deletedAt: Date | null) =>
      db.updateTable('source').set({ deletedAt }).where('id', '=', 'our-lamps').execute()
    await setGone(new Date())
    expect(await sendAs(ctx, 'POST', `/places/oakton/insights/${id}/restore`)).toMatchObject({ status: 409 })
    await setGone(null)
    expect(await sendAs(ctx, 'POST', `/places/oakton/insights/${id}/restore`)).toMatchObject({ status: 200 })
  })
})
