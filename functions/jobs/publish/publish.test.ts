import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readManifest } from '#functions/edge/hub/manifest.ts'
import type { VisitPath } from './make-hub.ts'
import { publishOutbox } from './publish.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld, type TestContext } from '#db/worlds/world.ts'

let world: TestWorld
let one: TestContext
let other: TestContext
const [hubs, files] = [memoryBucket(), memoryBucket()]
let visited: string[] = []

beforeAll(async () => {
  world = await openWorld(city)
  ;[one, other] = [world.as('system', { hubs, files }), world.as('system', { hubs, files })]
  await one.db.updateTable('place').set({ isHub: false }).where('id', '!=', 'oakton').execute()
  await one.db.updateTable('place').set({ isHub: true }).where('id', '=', 'oakton').execute()
  await publish(one, buildVisit('first'), ['oakton'])
})
afterAll(() => world.close())
beforeEach(() => void (visited = []))

const statuses: Record<string, number> = { '/error': 500, '/404': 404 }
const buildVisit =
  (body: string, before: (path: string) => Promise<void> = async () => {}): VisitPath =>
  async (_hub, path, languages) => {
    visited.push(`${body} ${path}`)
    await before(path)
    const page = { status: statuses[path] ?? 200, type: 'text/html', body: `${body} ${path}`, files: [] }
    return languages.map((locale) => ({ locale, ...page, tags: ['source:open'] }))
  }
const log: string[] = []
const publish = (ctx: TestContext, visit: VisitPath, whole: string[] = []) =>
  publishOutbox(ctx, visit, (line) => void log.push(line), whole)
const addEvent = (kind: string, payload: object) =>
  one.db
    .insertInto('outbox')
    .values({ kind, placeId: 'oakton', payload: JSON.stringify(payload) })
    .execute()
const isOpen = async () =>
  (await one.db.selectFrom('outbox').select('kind').where('doneAt', 'is', null).execute()).map(
    ({ kind }) => kind,
  )
const hub = () =>
  one.db.selectFrom('hub').selectAll().where('placeId', '=', 'oakton').executeTakeFirstOrThrow()
const readPageBody = async (name: string) => {
  const { manifest } = await hub()
  const page = (await readManifest(hubs, 'oakton', manifest))?.pages[name]
  return page && (await hubs.get(`hubs/oakton/pages/${page.hash}`))?.text()
}
/** Does something once, when the first page is requested. */
const runOnce = (work: () => Promise<unknown>) => {
  let done: Promise<unknown> | null = null
  return async () => void (await (done ??= work()))
}

test('a concurrent run renders nothing twice, and its events are processed afterwards', async () => {
  await addEvent('source', { id: 'open' })
  let [turnedAway, woken] = [[] as string[], 0]
  one.wake = () => void (woken += 1)
  await publish(
    one,
    buildVisit(
      'second',
      runOnce(async () => {
        await addEvent('source', { id: 'open' })
        await publish(other, buildVisit('third'))
        turnedAway = await isOpen()
      }),
    ),
  )
  expect(turnedAway).toEqual(['source', 'source'])
  expect(visited.filter((each) => each.startsWith('third'))).toEqual([])
  expect([await isOpen(), woken, (await hub()).leaseUntil]).toEqual([['source'], 1, null])
  expect(await readPageBody('en /')).toBe('second /')
  await publish(other, buildVisit('third'))
  expect([await isOpen(), await readPageBody('en /')]).toEqual([[], 'third /'])
})

test('a hub that must be rendered completely is rendered when the lease is free', async () => {
  await addEvent('source', { id: 'open' })
  await publish(
    one,
    buildVisit(
      'fourth',
      runOnce(() => publish(other, buildVisit('fifth'), ['oakton'])),
    ),
  )
  expect(await isOpen()).toEqual(['hub'])
  await publish(other, buildVisit('fifth'))
  expect([await isOpen(), await readPageBody('ar /about')]).toEqual([[], 'fifth /about'])
})

test('withdrawn content is removed at once, and stays removed', async () => {
  const path = '/domains/call/source/open'
  expect(await readPageBody(`es ${path}`)).toBeDefined()
  await addEvent('source', { id: 'open' })
  let meanwhile: (string | undefined)[] = []
  const goes = runOnce(async () => {
    await one.db.updateTable('source').set({ visibility: 'place' }).where('id', '=', 'open').execute()
    await addEvent('source', { id: 'open' })
    await publish(other, buildVisit('gone'))
    meanwhile = [
      await readPageBody(`es ${path}`),
      await readPageBody('en /domains'),
      await readPageBody('en /about'),
    ]
  })
  await publish(one, buildVisit('sixth', goes))
  expect(meanwhile).toEqual([undefined, 'gone /domains', 'fifth /about'])
  expect([await readPageBody(`es ${path}`), await readPageBody('en /domains')]).toEqual([
    undefined,
    'gone /domains',
  ])
  expect(await readPageBody('en /about')).toBe('sixth /about')
  await publish(other, buildVisit('seventh'))
  await one.db.updateTable('source').set({ visibility: 'public' }).where('id', '=', 'open').execute()
})

test('a process whose lease expired publishes nothing', async () => {
  await addEvent('source', { id: 'open' })
  const manifestBefore = (await hub()).manifest
  const lost = runOnce(async () => {
    await sql`update hub set lease_until = now() - interval '1 second'`.execute(one.db)
    await publish(other, buildVisit('alive'))
  })
  await publish(one, buildVisit('dead', lost))
  expect(visited.filter((each) => each === 'alive /')).toHaveLength(1)
  expect([await readPageBody('en /'), await readPageBody('en /about')]).toEqual(['alive /', 'alive /about'])
  expect(log).toContain('oakton: someone else has taken over')
  expect([(await hub()).manifest > manifestBefore, (await hub()).leaseUntil, one.reported]).toEqual([
    true,
    null,
    [],
  ])
})

test('an interrupted run is continued when its lease expires', async () => {
  await addEvent('source', { id: 'open' })
  await sql`update hub set fence = fence + 1, lease_until = now() + interval '1 minute'`.execute(one.db)
  await publish(one, buildVisit('early'))
  expect([visited, await isOpen()]).toEqual([[], ['source']])
  await sql`update hub set lease_until = now() - interval '1 second'`.execute(one.db)
  await publish(one, buildVisit('late'))
  expect([await readPageBody('en /'), await isOpen()]).toEqual(['late /', []])
})

test('the page of a source is rendered again when a story may have begun to use it, but not for other changes of the story', async () => {
  const path = '/domains/call/source/open'
  const visitUse =
    (body: string): VisitPath =>
    async (hub, at, ...of) =>
      (await buildVisit(body)(hub, at, ...of)).map((page) => ({
        ...page,
        tags: at === path ? ['use:open'] : [],
      }))
  await publish(one, visitUse('whole'), ['oakton'])
  const ownerColumns = { placeId: 'oakton', createdBy: null }
  const insight = { id: 'of-open', name: 'Open', dataTypeId: 'call', sourceId: 'open', ...ownerColumns }
  await one.db
    .insertInto('insight')
    .values({ ...insight, visibility: 'public', query: '{}', visualization: '{}' })
    .execute()
  const content = { id: 'uses', pageId: 'story', kind: 'insight' as const, position: 9, ...ownerColumns }
  await one.db
    .insertInto('content')
    .values({ ...content, settings: '{"insightId":"of-open"}' })
    .execute()
  const publishChange = async (payload: object) => {
    visited = []
    await addEvent('page', { id: 'story', ...payload })
    await publish(one, visitUse('again'))
    // The frame of the story's current insight is rendered again as well.
    return visited.filter((each) => each !== 'again /embed/pages/story/of-open')
  }
  expect(await publishChange({ listChanged: false })).toEqual([])
  expect(await publishChange({ listChanged: false, partsChanged: true })).toEqual([`again ${path}`])
  expect(await publishChange({ listChanged: true })).toEqual([`again ${path}`])
})
