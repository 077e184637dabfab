import { afterAll, beforeAll, expect, test } from 'vitest'
import { runBulkAction, bulkActionScreen } from './bulk-actions.server.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

type Fields = Record<string, string>

function buildArgs(person: Person, noun: string, query: string, fields?: Fields) {
  const ctx = world.as(person, { placeId: 'oakton' })
  const { origin } = ctx.site
  const init = fields ? { method: 'POST', headers: { origin }, body: new URLSearchParams(fields) } : {}
  const request = new Request(`${origin}/many/${noun}?${query}`, init)
  return { request, params: { noun }, context: { ctx } } as never
}
const admin = 'organization_admin'

async function apply(noun: string, query: string) {
  const { plans } = await bulkActionScreen(buildArgs(admin, noun, query))
  const marks = JSON.stringify(Object.fromEntries(plans.map(({ id, mark }) => [id, mark])))
  const outcome = await runBulkAction(buildArgs(admin, noun, query, { intent: 'apply', shown: marks }))
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome
}
async function undo(noun: string, query: string, steps: string | null) {
  const outcome = await runBulkAction(buildArgs(admin, noun, query, { intent: 'undo', steps: steps ?? '' }))
  if (!outcome.ok) throw new Error(outcome.message)
  return outcome
}
const { db } = { db: () => world.as('system').db }
const visibilities = async () => {
  const rows = await db()
    .selectFrom('source')
    .select(['id', 'visibility'])
    .where('placeId', '=', 'oakton')
    .execute()
  return Object.fromEntries(rows.map(({ id, visibility }) => [id, visibility]))
}

test('several sources are made public at once, each with an entry in the audit log, and restored by one undo', async () => {
  const before = await visibilities()
  const query = 'do=public&id=open&id=inner&id=secret&id=far-inner&id=nowhere'
  const { plans, missing } = await bulkActionScreen(buildArgs(admin, 'sources', query))
  expect(plans.map(({ id, now, then, data }) => [id, now, then, data !== null])).toEqual([
    ['inner', 'Organization', 'Public', true],
    ['open', 'Public', 'Public', false],
    ['secret', 'Private', 'Public', true],
  ])
  expect(missing).toBe(2)
  const outcome = await apply('sources', query)
  expect(outcome).toMatchObject({ done: 2, refused: [] })
  expect(await visibilities()).toEqual({ ...before, inner: 'public', secret: 'public' })
  const lines = await db().selectFrom('activity').select('targetId').where('verb', '=', 'updated').execute()
  expect(lines.map(({ targetId }) => targetId).sort()).toEqual(['inner', 'secret'])
  expect(await undo('sources', query, outcome.undo)).toMatchObject({ done: 2, refused: [], undo: null })
  expect(await visibilities()).toEqual(before)
})

test('an item changed by somebody else meanwhile is rejected, the rest is done, and only that is undone', async () => {
  const query = 'do=tag&tags=Water,%20Ward+9&id=best&id=ours'
  const { plans } = await bulkActionScreen(buildArgs(admin, 'collections', query))
  const marks = JSON.stringify(Object.fromEntries(plans.map(({ id, mark }) => [id, mark])))
  await db().updateTable('collection').set({ version: 7 }).where('id', '=', 'ours').execute()
  const outcome = await runBulkAction(
    buildArgs(admin, 'collections', query, { intent: 'apply', shown: marks }),
  )
  expect(outcome).toMatchObject({ ok: true, done: 1, refused: [{ name: 'Ours' }] })
  const tags = () =>
    db()
      .selectFrom('collection')
      .select(['id', 'tags'])
      .orderBy('id')
      .where('placeId', '=', 'oakton')
      .execute()
  expect(await tags()).toEqual([
    { id: 'best', tags: ['Water', 'Ward 9'] },
    { id: 'ours', tags: [] },
  ])
  if (!outcome.ok) return
  await undo('collections', query, outcome.undo)
  expect((await tags())[0]).toEqual({ id: 'best', tags: [] })
})

test('an item changed by somebody else since it was shown is not deleted, and says so', async () => {
  const query = 'do=delete&id=best&id=ours'
  const { plans } = await bulkActionScreen(buildArgs(admin, 'collections', query))
  const marks = JSON.stringify(Object.fromEntries(plans.map(({ id, mark }) => [id, mark])))
  await db().updateTable('collection').set({ version: 11 }).where('id', '=', 'ours').execute()
  const outcome = await runBulkAction(
    buildArgs(admin, 'collections', query, { intent: 'apply', shown: marks }),
  )
  expect(outcome).toMatchObject({
    ...{ ok: true, done: 1 },
    refused: [{ name: 'Ours', message: expect.stringContaining('was changed since') }],
  })
  const readUndeleted = () =>
    db()
      .selectFrom('collection')
      .select('id')
      .where('deletedAt', 'is', null)
      .where('id', 'in', ['best', 'ours'])
      .orderBy('id')
      .execute()
  expect(await readUndeleted()).toEqual([{ id: 'ours' }])
  if (outcome.ok) await undo('collections', query, outcome.undo)
  expect((await readUndeleted()).length).toBe(2)
})

test('deleted items list where they are used, and are restored by one undo', async () => {
  await db()
    .insertInto('collectionInsight')
    .values({ collectionId: 'best', insightId: 'calls', placeId: 'oakton', position: 1 })
    .execute()
  const query = 'do=delete&id=calls&id=inner-calls'
  const { uses } = await bulkActionScreen(buildArgs(admin, 'insights', query))
  expect(uses).toMatchObject({
    calls: [{ label: 'Collections', total: 1, users: [{ to: '/collections/best' }] }],
  })
  const outcome = await apply('insights', query)
  expect(outcome.done).toBe(2)
  const readUndeleted = () =>
    db()
      .selectFrom('insight')
      .select('id')
      .where('deletedAt', 'is', null)
      .where('placeId', '=', 'oakton')
      .execute()
  expect(await readUndeleted()).toEqual([])
  expect(await undo('insights', query, outcome.undo)).toMatchObject({ done: 2, refused: [] })
  expect((await readUndeleted()).length).toBe(2)
})

test('a boundary set is deleted with its uses named, and comes back by the undo', async () => {
  await db()
    .insertInto('boundarySet')
    .values({
      ...{ id: 'wards', placeId: 'oakton', name: 'Wards', visibility: 'place', createdBy: null },
      ...{ areaCount: 0, vertexCount: 0, findingCount: 0, bounds: '[0,0,1,1]', fields: '[]', findings: '[]' },
    })
    .execute()
  const query = 'do=delete&id=wards'
  const { plans, list, uses } = await bulkActionScreen(buildArgs(admin, 'boundaries', query))
  expect(plans.map(({ to, now, then }) => [to, now, then])).toEqual([
    ['/boundaries/wards', 'Organization', 'Deleted'],
  ])
  expect([list, uses]).toEqual(['/boundaries', {}])
  const readUndeleted = () =>
    db().selectFrom('boundarySet').select('id').where('deletedAt', 'is', null).execute()
  const outcome = await apply('boundaries', query)
  expect(outcome).toMatchObject({ done: 1, refused: [] })
  expect(await readUndeleted()).toEqual([])
  expect(await undo('boundaries', query, outcome.undo)).toMatchObject({ done: 1, refused: [] })
  expect(await readUndeleted()).toEqual([{ id: 'wards' }])
})

test('a page with barriers or hidden parts is left out with the reason; the others are published', async () => {
  const block = (id: string, kind: 'image' | 'insight' | 'text', settings: object) => ({
    ...{
      id,
      placeId: 'oakton',
      pageId: id,
      kind,
      settings: JSON.stringify(settings),
      position: 0,
      createdBy: null,
    },
  })
  const draft = (id: string) => ({
    ...{ id, placeId: 'oakton', title: id, type: 'storytelling' as const, visibility: 'public' as const },
    ...{ publish: 'draft' as const, createdBy: null },
  })
  await db().insertInto('page').values(['blind', 'whole', 'closed'].map(draft)).execute()
  await db()
    .insertInto('content')
    .values([
      block('blind', 'image', { url: '/m/x/y.png' }),
      block('closed', 'insight', { insightId: 'inner-calls' }),
      block('whole', 'text', { html: '<p>Words</p>' }),
    ])
    .execute()
  const query = 'do=publish&id=blind&id=whole&id=closed&id=story'
  const { plans } = await bulkActionScreen(buildArgs(admin, 'pages', query))
  expect(plans.map(({ id, why, data }) => [id, data !== null, why])).toEqual([
    ['blind', true, expect.stringContaining('describe the picture')],
    ['closed', true, 'It shows Inner calls, which not everyone may see.'],
    ['story', false, null],
    ['whole', true, null],
  ])
  const outcome = await apply('pages', query)
  expect(outcome).toMatchObject({ done: 1, refused: [] })
  const readPublishState = () =>
    db().selectFrom('page').select('publish').where('id', '=', 'whole').executeTakeFirst()
  expect(await readPublishState()).toEqual({ publish: 'published' })
  await undo('pages', query, outcome.undo)
  expect(await readPublishState()).toEqual({ publish: 'draft' })
})

test('a page with a block changed by somebody else since it was shown is left out as well', async () => {
  const query = 'do=delete&id=whole&id=blind'
  const { plans } = await bulkActionScreen(buildArgs(admin, 'pages', query))
  const marks = JSON.stringify(Object.fromEntries(plans.map(({ id, mark }) => [id, mark])))
  await db().updateTable('content').set({ version: 2 }).where('id', '=', 'whole').execute()
  const outcome = await runBulkAction(buildArgs(admin, 'pages', query, { intent: 'apply', shown: marks }))
  expect(outcome).toMatchObject({ ok: true, done: 1, refused: [{ name: 'whole' }] })
})

test('people without permission are redirected to the list, and the form cannot bypass that', async () => {
  await expect(bulkActionScreen(buildArgs('viewer', 'sources', 'do=public&id=inner'))).rejects.toMatchObject({
    status: 302,
  })
  const steps = JSON.stringify([{ id: 'inner', name: 'inner', version: 1, data: { visibility: 'public' } }])
  const forced = runBulkAction(buildArgs('viewer', 'sources', 'do=public', { intent: 'undo', steps }))
  await expect(forced).rejects.toMatchObject({ status: 302 })
  await expect(bulkActionScreen(buildArgs(admin, 'observers', 'id=watch'))).rejects.toMatchObject({
    status: 404,
  })
})

test('at most 200 are processed', async () => {
  const query = Array.from({ length: 230 }, (_, n) => `id=n${n}`).join('&')
  expect(await bulkActionScreen(buildArgs(admin, 'sources', `do=private&${query}`))).toMatchObject({
    missing: 200,
    isCut: true,
  })
})
