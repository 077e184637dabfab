import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readManifest } from '#functions/edge/hub/manifest.ts'
import type { VisitPath } from './make-hub.ts'
import { publishOutbox } from './publish.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld, type TestContext } from '#db/worlds/world.ts'

/** A clock that advances by half a minute per page: as long as a step. */
let world: TestWorld
let ctx: TestContext
let clock = Date.UTC(2026, 10, 22)
let visited: string[] = []
let woken = 0
const hubs = memoryBucket()

beforeAll(async () => {
  world = await openWorld(city)
  ctx = world.as('system', { hubs, files: memoryBucket() })
  ctx.now = () => new Date(clock)
  ctx.wake = (_kind, delaySeconds) => {
    if (delaySeconds === undefined) woken += 1
  }
  for (const { id } of await ctx.db.selectFrom('place').select('id').execute())
    await ctx.db
      .updateTable('place')
      .set({ isHub: ['oakton', 'elmsford'].includes(id) })
      .where('id', '=', id)
      .execute()
  for (let left = 1; left > 0; left = (await open()).length)
    await publish(left === 1 ? ['oakton', 'elmsford'] : [])
})
afterAll(() => world.close())
beforeEach(() => {
  visited = []
  woken = 0
})
afterEach(() => expect(ctx.reported).toEqual([]))

const statuses: Record<string, number> = { '/error': 500, '/404': 404 }
let words = 'first'
let breaks: string | null = null
let slow: string | null = null
const visit: VisitPath = async ({ placeId }, path, languages) => {
  clock += 31_000
  if (path === breaks && placeId === 'oakton') throw new Error('broken')
  visited.push(`${placeId} ${path}`)
  const status = path === slow ? 503 : (statuses[path] ?? 200)
  const page = { status, type: 'text/html', body: `${words} ${path}`, files: [] }
  return languages.map((locale) => ({ locale, ...page, tags: ['source:open', `page:${path}`] }))
}
/** Publishes after the delay of any failure. */
const publish = async (whole: string[] = []) => {
  await sql`update publish_failure set next_attempt_at = now()`.execute(ctx.db)
  await publishOutbox(ctx, visit, () => {}, whole)
}
const addEvent = (kind: string, payload: object, placeId: string | null = 'oakton') =>
  ctx.db
    .insertInto('outbox')
    .values({ kind, placeId, payload: JSON.stringify(payload) })
    .execute()
const open = () =>
  ctx.db.selectFrom('outbox').select(['kind', 'placeId', 'attempts']).where('doneAt', 'is', null).execute()
/** Publishes until no event is open; returns the number of steps. */
async function publishUntilDone(): Promise<number> {
  for (let steps = 1; steps < 100; steps += 1) {
    await publish()
    if ((await open()).length === 0) return steps
  }
  throw new Error('It does not come to an end.')
}
const readPageBody = async (name: string) => {
  const { manifest } = await ctx.db
    .selectFrom('hub')
    .select('manifest')
    .where('placeId', '=', 'oakton')
    .executeTakeFirstOrThrow()
  const page = (await readManifest(hubs, 'oakton', manifest))?.pages[name]
  return page && (await hubs.get(`hubs/oakton/pages/${page.hash}`))?.text()
}
const times = (path: string) => visited.filter((each) => each === `oakton ${path}`).length
const isDraft = async () => (await hubs.get('hubs/oakton/draft.json')) !== null

test('a hub that takes longer than a step is rendered in several, and no page twice', async () => {
  words = 'second'
  await addEvent('source', { id: 'open' })
  await publish()
  const visitCount = visited.length
  expect([await readPageBody('en /about'), woken, await isDraft(), (await open()).length]).toEqual([
    'first /about',
    1,
    true,
    1,
  ])
  expect(await publishUntilDone()).toBeGreaterThan(1)
  expect(visited.length).toBeGreaterThan(visitCount)
  expect(visited).toEqual([...new Set(visited)])
  expect([await readPageBody('en /about'), await readPageBody('ar /domains'), await isDraft()]).toEqual([
    'second /about',
    'second /domains',
    false,
  ])
})

test('many open events are handled together, and no page is rendered for each part of them', async () => {
  words = 'many'
  const event = { kind: 'source', placeId: 'oakton', payload: JSON.stringify({ id: 'open' }) }
  await ctx.db
    .insertInto('outbox')
    .values(Array.from({ length: 1200 }, () => event))
    .execute()
  await publishUntilDone()
  expect(visited).toEqual([...new Set(visited)])
  expect(await readPageBody('en /about')).toBe('many /about')
})

test('changes between two steps are rendered again, and only these', async () => {
  words = 'third'
  await addEvent('source', { id: 'open' })
  await publish()
  const [, path = ''] = (visited[0] ?? '').split(' ')
  words = 'fourth'
  await addEvent('page', { id: path, listChanged: false })
  await publishUntilDone()
  expect(times(path)).toBe(2)
  expect(visited.length).toBe(new Set(visited).size + 1)
  expect(await readPageBody(`en ${path}`)).toBe(`fourth ${path}`)
})

test('a hub that must be rendered completely meanwhile starts over', async () => {
  await addEvent('source', { id: 'open' })
  await publish()
  const first = [...visited]
  visited = []
  await publish(['oakton'])
  await publishUntilDone()
  expect(first.filter((each) => !visited.includes(each))).toEqual([])
})

test('a page that fails does not make the others render again with each attempt', async () => {
  words = 'fifth'
  breaks = '/about'
  await addEvent('source', { id: 'open' })
  for (let tries = 0; tries < 6; tries += 1) await publish()
  expect(ctx.reported.splice(0).length).toBeGreaterThan(1)
  expect((await open())[0]?.attempts).toBeGreaterThan(1)
  expect(await readPageBody('en /about')).toBe('fourth /about')
  breaks = null
  await publishUntilDone()
  expect(visited).toEqual([...new Set(visited)])
  expect(await readPageBody('en /about')).toBe('fifth /about')
})

test('a page that times out stays as it is, and delays no other', async () => {
  words = 'sixth'
  slow = '/about'
  await addEvent('source', { id: 'open' })
  for (let tries = 0; tries < 12; tries += 1) await publish()
  expect([await readPageBody('en /about'), await readPageBody('fr /domains')]).toEqual([
    'fifth /about',
    'sixth /domains',
  ])
  expect(ctx.reported.splice(0).length).toBeGreaterThan(1)
  slow = null
  expect(await publishUntilDone()).toBe(1)
  expect(await readPageBody('en /about')).toBe('sixth /about')
  expect(visited.filter((each) => each !== 'oakton /about')).toEqual([
    ...new Set(visited.filter((each) => each !== 'oakton /about')),
  ])
})

test('pages rendered more than half a day ago are rendered again, as they may have been swept', async () => {
  await addEvent('source', { id: 'open' })
  await publish()
  const [first = ''] = visited
  clock += 13 * 3_600_000
  await publishUntilDone()
  expect(visited.filter((each) => each === first)).toHaveLength(2)
})

test('a small change of another hub does not wait for a large one', async () => {
  await addEvent('source', { id: 'open' })
  await addEvent('page', { id: '/about', listChanged: false }, 'elmsford')
  await publish()
  expect(visited).toContain('elmsford /about')
  expect((await open()).map(({ placeId }) => placeId)).toEqual(['oakton'])
  await publishUntilDone()
})

test('an event for all places is processed for each place separately', async () => {
  await addEvent('dataType', { id: 'call' }, null)
  breaks = '/'
  await addEvent('source', { id: 'open' })
  await publish()
  breaks = null
  ctx.reported.length = 0
  expect(new Set((await open()).map(({ placeId }) => placeId))).toEqual(new Set(['oakton']))
  await publishUntilDone()
})
