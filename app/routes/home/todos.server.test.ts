import { afterAll, beforeAll, expect, test } from 'vitest'
import { homeScreen } from './home.server.ts'
import { loadTodos } from './todos.server.ts'
import { loader as adminLoader } from '#app/routes/admin/admin.tsx'
import { city } from '#db/worlds/city.ts'
import { openWorld, type Person, type TestWorld } from '#db/worlds/world.ts'
import { loadGrants } from '#functions/domain/access/grants.ts'
import { ingest } from '#functions/domain/records/ingest.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const day = 86_400_000

async function buildArgs(person: Person, now = () => new Date()) {
  const ctx = world.as(person, { placeId: 'oakton', now, responseHeaders: new Headers() })
  await loadGrants(ctx)
  return { request: new Request(`${ctx.site.origin}/home`), params: {}, context: { ctx, nonce: '' } } as never
}

/** The items of a person by their id. */
async function loadTodosById(person: Person = 'organization_admin', now?: () => Date) {
  const { todos } = await loadTodos(await buildArgs(person, now))
  return new Map(todos.map((each) => [each.id, each]))
}

test('webhooks that were given up are broken, with their number and the last error', async () => {
  const { db } = world.as('system')
  expect((await loadTodosById()).has('webhook watch')).toBe(false)
  await db.updateTable('observer').set({ webhookUrl: 'https://x.test/' }).where('id', '=', 'watch').execute()
  const call = (id: string, alertId: string, error: string | null, endedAt: Date) => ({
    ...{ id, alertId, observerId: 'watch', placeId: 'oakton', status: 'dead' as const },
    ...{ dueAt: endedAt, answered: null, error, endedAt },
  })
  await db
    .insertInto('delivery')
    .values(call('first', 'rang', null, new Date(Date.now() - 2 * day)))
    .execute()
  expect((await loadTodosById()).get('webhook watch')).toMatchObject({
    ...{ level: 'danger', title: 'watch cannot tell its program', to: '/types/call/observers/watch' },
    note: 'One call was given up in the last week.',
  })
  await db
    .insertInto('alert')
    .values({
      ...{ id: 'again', observerId: 'watch', placeId: 'oakton', title: 'More than 100' },
      ...{ value: 102, threshold: 100, datumIds: '[]' },
    })
    .execute()
  await db
    .insertInto('delivery')
    .values(call('second', 'again', 'It said no.', new Date(Date.now() - day)))
    .execute()
  const { note } = (await loadTodosById()).get('webhook watch') ?? {}
  expect(note).toBe('2 calls were given up in the last week: It said no.')
})

test('a public set without tiles is broken', async () => {
  const { db } = world.as('system')
  const hoursAgo = new Date(Date.now() - day / 8)
  await db
    .insertInto('boundarySet')
    .values({
      ...{ id: 'wards', placeId: 'oakton', name: 'Wards', visibility: 'public', createdBy: null },
      ...{ nameField: null, codeField: null, areaCount: 1, vertexCount: 5, bounds: '[-74,40,-73,41]' },
      ...{ fields: '[]', findings: '[]', findingCount: 0, parentId: null, nesting: null, tiles: null },
      ...{ tilesDueAt: hoursAgo, updatedAt: hoursAgo },
    })
    .execute()
  expect((await loadTodosById()).get('tiles wards')).toMatchObject({
    ...{ level: 'danger', title: 'Wards has no tiles', to: '/boundaries/wards' },
  })
})

test('requests to join and error reports are one item each, for those who may answer', async () => {
  const { db } = world.as('system')
  const request = (userId: string) => ({
    ...{ id: `join-${userId}`, kind: 'join' as const, userId, placeId: 'oakton' },
    ...{ wantedId: null, name: null, timeZone: null, answeredBy: null, answeredAt: null },
  })
  expect((await loadTodosById()).has('join-requests')).toBe(false)
  await db.insertInto('placeRequest').values(request('none')).execute()
  expect((await loadTodosById()).get('join-requests')).toMatchObject({
    title: 'Someone asks to join',
    to: '/team',
  })
  await db.insertInto('placeRequest').values(request('stranger')).execute()
  const items = await loadTodosById()
  expect(items.get('join-requests')?.title).toBe('2 people ask to join')
  expect(items.get('error-reports')).toMatchObject({
    ...{ title: 'A reader reported an error', to: '/error-reports?status=open', action: 'Answer' },
  })
  const viewerTodos = await loadTodosById('viewer')
  expect(['join-requests', 'error-reports', 'invites'].filter((id) => viewerTodos.has(id))).toEqual([])
})

test('requests for an organization wait on the home of super admins alone, and are counted on their tab', async () => {
  const { db } = world.as('system')
  const countWaiting = async (person: Person) => (await adminLoader(await buildArgs(person))).waiting
  expect((await loadTodosById('super_admin')).has('place-requests')).toBe(false)
  expect(await countWaiting('super_admin')).toBe(0)
  const request = (userId: string, status: 'pending' | 'refused') => ({
    ...{ id: `new-${userId}`, kind: 'new' as const, userId, placeId: null, status },
    ...{ wantedId: `of-${userId}`, name: 'Riverton', timeZone: null, answeredBy: null, answeredAt: null },
  })
  await db
    .insertInto('placeRequest')
    .values([request('none', 'pending'), request('viewer', 'refused')])
    .execute()
  expect((await loadTodosById('super_admin')).get('place-requests')).toMatchObject({
    ...{ title: 'Someone asks for an organization', to: '/admin/requests?status=pending' },
  })
  await db.insertInto('placeRequest').values(request('stranger', 'pending')).execute()
  expect((await loadTodosById('super_admin')).get('place-requests')?.title).toBe(
    '2 people ask for an organization',
  )
  expect(await countWaiting('super_admin')).toBe(2)
  for (const person of ['organization_admin', 'support'] as const) {
    expect((await loadTodosById(person)).has('place-requests')).toBe(false)
    expect(await countWaiting(person)).toBe(0)
  }
})

test('pending invitations wait, and ended ones ask to be sent again', async () => {
  expect((await loadTodosById()).get('invites')).toMatchObject({
    ...{ level: 'info', title: 'One invitation waits for an answer', action: 'See the team' },
  })
  const { db } = world.as('system')
  await db
    .updateTable('invite')
    .set({ expiresAt: new Date('2020-01-01') })
    .where('id', '=', 'asked')
    .execute()
  expect((await loadTodosById()).get('invites')).toMatchObject({
    ...{ level: 'warning', title: 'One invitation ran out without an answer', action: 'Send again' },
  })
})

test('sources are late after the expected day, and grow old without one', async () => {
  const ctx = world.as('system')
  for (const id of ['open', 'inner']) await ingest(ctx, id, [{ type: 'noise', minutes: 1 }])
  await ctx.db.updateTable('source').set({ cadence: 'monthly' }).where('id', '=', 'open').execute()
  const now = await loadTodosById()
  expect([now.has('open'), now.has('inner')]).toEqual([false, false])
  const later = await loadTodosById('organization_admin', () => new Date(Date.now() + 91 * day))
  expect(later.get('open')).toMatchObject({
    ...{ level: 'warning', title: 'open is late', to: '/sources/open/importers' },
    note: expect.stringMatching(/^New data were meant to come by .*\d{4}\.$/) as string,
  })
  expect(later.get('inner')).toMatchObject({
    ...{ title: 'inner is out of date', note: 'Its records did not change for 90 days.' },
  })
})

test('the first steps know whether anything is published: a public source or a published public page', async () => {
  const readFirstSteps = async () => (await homeScreen(await buildArgs('organization_admin'))).begun
  expect(await readFirstSteps()).toMatchObject({ hasPage: true, hasPublished: true })
  const { db } = world.as('system')
  const setPublic = (from: 'public' | 'place', to: 'public' | 'place', table: 'source' | 'page') =>
    db
      .updateTable(table)
      .set({ visibility: to })
      .where('placeId', '=', 'oakton')
      .where('visibility', '=', from)
  await setPublic('public', 'place', 'source').execute()
  expect(await readFirstSteps()).toMatchObject({ hasPublished: true })
  await db.updateTable('page').set({ publish: 'draft' }).where('id', '=', 'story').execute()
  // What is published for the organization alone is on no hub.
  expect(await readFirstSteps()).toMatchObject({ hasData: true, hasPage: true, hasPublished: false })
  await db.updateTable('source').set({ visibility: 'public' }).where('id', '=', 'open').execute()
  expect(await readFirstSteps()).toMatchObject({ hasPublished: true })
})

test('the readers of the hub are shown with the page read most, and not before there are any', async () => {
  const readers = async () => (await homeScreen(await buildArgs('organization_admin'))).readers
  expect(await readers()).toBe(null)
  const today = new Date().toISOString().slice(0, 10)
  const row = { placeId: 'oakton', day: today }
  await world
    .as('system')
    .db.insertInto('hubUsageDay')
    .values([
      { ...row, dimension: 'all', name: '', views: '12', visits: '5' },
      { ...row, dimension: 'page', name: '404', views: '6', visits: '2' },
      { ...row, dimension: 'page', name: '/domains', views: '4', visits: '3' },
      { ...row, dimension: 'download', name: 'csv', views: '2', visits: '0' },
      { ...row, dimension: 'download', name: 'json', views: '1', visits: '0' },
    ])
    .execute()
  expect(await readers()).toEqual({
    views: 12,
    visits: 5,
    downloads: 3,
    page: { path: '/domains', views: 4 },
  })
})
