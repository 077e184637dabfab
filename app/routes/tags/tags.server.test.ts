import { afterAll, beforeAll, expect, test } from 'vitest'
import { tagsAction, tagsScreen } from './tags.server.ts'
import { call } from '#functions/api/call.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
const db = () => world.as('system').db
beforeAll(async () => {
  world = await openWorld(city)
  await db()
    .updateTable('source')
    .set({ tags: ['water', 'Rain'] })
    .where('id', '=', 'open')
    .execute()
  await db()
    .updateTable('page')
    .set({ tags: ['Water'] })
    .where('id', '=', 'story')
    .execute()
  await db()
    .updateTable('collection')
    .set({ tags: ['Wet', 'Water'] })
    .where('id', '=', 'best')
    .execute()
})
afterAll(() => world.close())

function buildArgs(person: Person, fields?: Record<string, string>) {
  const ctx = world.as(person, { placeId: 'oakton' })
  const { origin } = ctx.site
  const init = fields ? { method: 'POST', headers: { origin }, body: new URLSearchParams(fields) } : {}
  return { request: new Request(`${origin}/tags`, init), params: {}, context: { ctx } } as never
}
const listTags = async (person: Person) => (await tagsScreen(buildArgs(person))).tags

test('a tag is renamed everywhere, ignoring case; the name of an existing tag merges both', async () => {
  expect(await listTags('organization_admin')).toMatchObject([
    { name: 'Rain', source: 1, mayRename: true },
    { name: 'Water', source: 1, collection: 1, page: 1, isMixed: true },
    { name: 'Wet', collection: 1, isMixed: false },
  ])
  const outcome = await tagsAction(
    buildArgs('organization_admin', { intent: 'rename', tag: 'Water', name: 'Wet' }),
  )
  expect(outcome).toMatchObject({ ok: true, done: 3, refused: [], isLeft: false })
  expect(await listTags('organization_admin')).toMatchObject([
    { name: 'Rain' },
    { name: 'Wet', source: 1, collection: 1, page: 1 },
  ])
  // Undo restores the former spelling of each, except of what someone has changed since.
  if (!('undo' in outcome) || outcome.undo === null) throw new Error('There is no way back.')
  const ada = world.as('organization_admin', { placeId: 'oakton' })
  const params = { collectionId: 'best' }
  await call(v1.place.collection.updateById, ada, { params, data: { tags: ['Dry'] } })
  const back = await tagsAction(buildArgs('organization_admin', { intent: 'undo', steps: outcome.undo }))
  expect(back).toMatchObject({ done: 2, refused: [expect.any(String)], undo: null })
  expect(await listTags('organization_admin')).toMatchObject([
    { name: 'Dry', collection: 1 },
    { name: 'Rain' },
    { source: 1, page: 1, isMixed: true },
  ])
  await call(v1.place.collection.updateById, ada, { params, data: { tags: ['Water'] } })
  await tagsAction(buildArgs('organization_admin', { intent: 'rename', tag: 'Water', name: 'Wet' }))
})

test('people who may not change everything with the tag get no form, and their attempts are rejected', async () => {
  expect((await listTags('viewer')).map(({ mayRename }) => mayRename)).toEqual([false, false])
  const outcome = await tagsAction(buildArgs('viewer', { intent: 'rename', tag: 'Rain', name: 'Sun' }))
  expect(outcome).toMatchObject({ ok: true, done: 0, refused: [expect.stringContaining('may not')] })
  expect((await listTags('viewer'))[0]?.name).toBe('Rain')
})

test('rejects an invalid name, and removes a tag from everything', async () => {
  const nameless = await tagsAction(
    buildArgs('organization_admin', { intent: 'rename', tag: 'Rain', name: ' ' }),
  )
  expect(nameless).toMatchObject({ ok: false, message: expect.stringContaining('remove it') })
  const wrong = await tagsAction(
    buildArgs('organization_admin', { intent: 'rename', tag: 'Rain', name: '<b>' }),
  )
  expect(wrong).toMatchObject({
    ok: false,
    tag: 'Rain',
    issues: [{ path: ['name'], message: expect.stringContaining('without <') }],
  })
  expect((await listTags('organization_admin')).map(({ name }) => name)).toContain('Rain')
  await tagsAction(buildArgs('organization_admin', { intent: 'remove', tag: 'Rain', name: 'Sun' }))
  expect((await listTags('organization_admin')).map(({ name }) => name)).toEqual(['Wet'])
})
