import { afterAll, beforeAll, expect, test } from 'vitest'
import { duplicate, duplicateScreen } from './duplicate.server.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
const db = () => world.as('system').db
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

function buildArgs(person: Person, [noun, id]: readonly [string, string], fields?: Record<string, string>) {
  const ctx = world.as(person, { placeId: 'oakton' })
  const { origin } = ctx.site
  const init = fields ? { method: 'POST', headers: { origin }, body: new URLSearchParams(fields) } : {}
  const request = new Request(`${origin}/duplicate/${noun}/${id}?source=open`, init)
  return { request, params: { noun, id }, context: { ctx } } as never
}

/** Where the copy is, as the person is led there. */
async function copy(of: readonly [string, string], name: string) {
  const answer: unknown = await duplicate(
    buildArgs('organization_admin', of, { intent: 'copy', name }),
  ).catch((error: unknown) => error)
  if (!(answer instanceof Response)) throw new Error(JSON.stringify(answer))
  return answer.headers.get('location') ?? ''
}

test('a story is copied block by block, as a private draft', async () => {
  await db()
    .insertInto('content')
    .values({
      ...{ id: 'figure', placeId: 'oakton', pageId: 'story', kind: 'insight', position: 1, createdBy: null },
      settings: JSON.stringify({ insightId: 'calls', caption: 'Calls' }),
    })
    .execute()
  await db()
    .updateTable('page')
    .set({ tags: ['Water'], description: 'What it says' })
    .where('id', '=', 'story')
    .execute()
  expect(await duplicateScreen(buildArgs('content_admin', ['pages', 'story']))).toMatchObject({
    copyName: 'Copy of story',
  })
  await copy(['pages', 'story'], 'A second story')
  const page = await db()
    .selectFrom('page')
    .selectAll()
    .where('title', '=', 'A second story')
    .executeTakeFirstOrThrow()
  expect(page).toMatchObject({
    publish: 'draft',
    visibility: 'private',
    tags: ['Water'],
    type: 'storytelling',
  })
  expect(page).toMatchObject({ description: 'What it says' })
  const blocks = await db()
    .selectFrom('content')
    .select(['kind', 'settings'])
    .where('pageId', '=', page.id)
    .orderBy('position')
    .execute()
  expect(blocks).toEqual([
    { kind: 'text', settings: { html: '<p>Hello</p>' } },
    { kind: 'insight', settings: { insightId: 'calls', caption: 'Calls' } },
  ])
})

test('a collection is copied with its contents, in order', async () => {
  const ids = { collectionId: 'best', placeId: 'oakton' }
  await db()
    .insertInto('collectionInsight')
    .values({ ...ids, insightId: 'calls', position: 4, notes: 'Look' })
    .execute()
  await db()
    .insertInto('collectionText')
    .values({ ...ids, id: 'words', title: 'First', html: '<p>Read</p>', position: 2, createdBy: null })
    .execute()
  const to = await copy(['collections', 'best'], 'Best again')
  const id = to.replace('/collections/', '')
  const of = { insights: db().selectFrom('collectionInsight'), texts: db().selectFrom('collectionText') }
  expect(
    await of.insights.select(['insightId', 'position', 'notes']).where('collectionId', '=', id).execute(),
  ).toEqual([{ insightId: 'calls', position: 4, notes: 'Look' }])
  expect(await of.texts.select(['title', 'position']).where('collectionId', '=', id).execute()).toEqual([
    { title: 'First', position: 2 },
  ])
})

test('an insight is copied with its question, privately; a source without records, with its metadata', async () => {
  await copy(['insights', 'calls'], 'Calls again')
  const insight = await db()
    .selectFrom('insight')
    .selectAll()
    .where('name', '=', 'Calls again')
    .executeTakeFirstOrThrow()
  expect(insight).toMatchObject({
    visibility: 'private',
    dataTypeId: 'call',
    visualization: { type: 'number' },
  })
  await db()
    .updateTable('source')
    .set({ licence: 'CC0 1.0', tags: ['Fire'] })
    .where('id', '=', 'open')
    .execute()
  await copy(['sources', 'open'], 'Open again')
  const source = await db()
    .selectFrom('source')
    .selectAll()
    .where('name', '=', 'Open again')
    .executeTakeFirstOrThrow()
  expect(source).toMatchObject({ visibility: 'private', licence: 'CC0 1.0', tags: ['Fire'], dataVersion: 0 })
})

test('an importer is copied disabled and without its secrets', async () => {
  const url = 'https://data.example.org/calls.csv'
  const sources = [{ url, parser: 'csv', headers: { authorization: { secret: true }, accept: 'text/csv' } }]
  await db()
    .insertInto('importer')
    .values({
      ...{
        id: 'reads',
        sourceId: 'open',
        placeId: 'oakton',
        name: 'Reads',
        createdBy: null,
        schedule: '0 3 * * *',
      },
      ...{ sources: JSON.stringify(sources), mapping: '{}', secrets: 'encrypted' },
    })
    .execute()
  const to = await copy(['importers', 'reads'], 'Reads again')
  expect(to).toMatch(/^\/sources\/open\/importers\/[\w-]+\/modify$/)
  const row = await db()
    .selectFrom('importer')
    .selectAll()
    .where('name', '=', 'Reads again')
    .executeTakeFirstOrThrow()
  expect(row).toMatchObject({ enabled: false, secrets: null, schedule: '0 3 * * *' })
  expect(row.sources[0]).toMatchObject({ url })
  expect(row.sources[0]?.headers).toEqual({ accept: 'text/csv' })
})

test('rejects an invalid name and creates nothing; people without permission are redirected to the list', async () => {
  const count = async () => (await db().selectFrom('insight').select('id').execute()).length
  const before = await count()
  const outcome = await duplicate(
    buildArgs('organization_admin', ['insights', 'calls'], { intent: 'copy', name: ' ' }),
  )
  expect(outcome).toMatchObject({ ok: false, issues: [{ path: ['name'] }] })
  expect(await count()).toBe(before)
  await expect(
    duplicate(buildArgs('viewer', ['insights', 'calls'], { intent: 'copy', name: 'Mine' })),
  ).rejects.toMatchObject({
    status: 302,
  })
  await expect(
    duplicateScreen(buildArgs('organization_admin', ['observers', 'watch'])),
  ).rejects.toMatchObject({
    status: 404,
  })
})
