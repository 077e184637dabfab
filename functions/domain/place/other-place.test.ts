import { afterAll, beforeAll, expect, test } from 'vitest'
import { findOtherPlace } from './other-place.ts'
import { city } from '#db/worlds/city.ts'
import { asWithReason } from '#functions/v1/testing/with-reason.testing.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const elmsford = { id: 'elmsford', displayName: 'Elmsford' }
const oakton = { id: 'oakton', displayName: 'Oakton' }

/** As a person of Oakton in a role who is in Elmsford too, and works in one of them. */
function asBoth(role: string | null, placeId: string | null, elsewhere: string | null = 'viewer') {
  const { actor } = world.as('viewer')
  const memberships = [
    { placeId: 'oakton', role },
    { placeId: 'elmsford', role: elsewhere },
  ]
  return world.as('viewer', { placeId, actor: { ...actor, memberships } })
}

test.each([
  [{ pageId: 'far-page' }],
  [{ insightId: 'far-calls' }],
  [{ pageId: 'far-page', insightId: 'calls' }],
])('a person is told that another of their places has %j', async (params) => {
  expect(await findOtherPlace(asBoth('viewer', 'oakton'), params)).toEqual(elmsford)
  expect(await findOtherPlace(asBoth('viewer', null), params)).toEqual(elmsford)
})

test('also for collections and observers', async () => {
  const ctx = asBoth('viewer', 'elmsford')
  expect(await findOtherPlace(ctx, { collectionId: 'ours', insightId: 'calls' })).toEqual(oakton)
  const { id } = await world
    .as('system')
    .db.selectFrom('observer')
    .select('id')
    .where('placeId', '=', 'oakton')
    .executeTakeFirstOrThrow()
  expect(await findOtherPlace(ctx, { dataTypeId: 'call', observerId: id })).toEqual(oakton)
  // A person without a role there sees no observers there.
  expect(await findOtherPlace(asBoth(null, 'elmsford'), { observerId: id })).toBeNull()
})

test('says nothing about what is in the place itself, missing, or invisible', async () => {
  const ctx = asBoth('viewer', 'elmsford')
  for (const params of [
    { pageId: 'far-page' },
    { pageId: 'no-such-page' },
    { pageId: 'secret-page' },
    { dataTypeId: 'call' },
    {},
  ])
    expect(await findOtherPlace(ctx, params), JSON.stringify(params)).toBeNull()
  expect(await findOtherPlace(asBoth('content_admin', 'elmsford'), { pageId: 'secret-page' })).toEqual(oakton)
})

test('tells people outside of the place nothing, even about what everyone may read', async () => {
  const people: Person[] = ['anonymous', 'none', 'stranger']
  for (const person of people)
    for (const params of [{ pageId: 'story' }, { insightId: 'calls' }, { pageId: 'inner-page' }])
      expect(await findOtherPlace(world.as(person, { placeId: 'elmsford' }), params), person).toBeNull()
})

test('makes no query for a person with one place only', async () => {
  const ctx = world.as('viewer', { placeId: 'oakton' })
  const db = new Proxy(ctx.db, {
    get: () => {
      throw new Error('Asked.')
    },
  })
  expect(await findOtherPlace({ ...ctx, db }, { pageId: 'far-page' })).toBeNull()
})

test('super admins are told of every place', async () => {
  const ctx = world.as('super_admin', { placeId: 'oakton' })
  expect(await findOtherPlace(ctx, { pageId: 'far-page' })).toEqual(elmsford)
})

test('support staff are told of a place that they opened with a reason, of others only what is public', async () => {
  const changes = { placeId: 'oakton' }
  const hidden = [{ pageId: 'far-page' }, { observerId: 'far-watch' }]
  const lowered = world.as('support', changes)
  for (const params of hidden) expect(await findOtherPlace(lowered, params)).toBeNull()
  const ctx = await asWithReason(world, 'support', changes, ['elmsford'])
  for (const params of hidden) expect(await findOtherPlace(ctx, params)).toEqual(elmsford)
})
