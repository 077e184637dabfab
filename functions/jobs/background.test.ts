import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { onMessages, onMinute } from './background.ts'
import { claimDay } from '#functions/domain/internals/daily-work.ts'
import type { Message } from '#functions/context.ts'
import { readAnswer } from '#functions/domain/insight/answers.ts'
import * as observers from '#functions/domain/observer/observers.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { changes, hashState } from '#functions/v1/testing/state.testing.ts'
import type { Env } from '#functions/settings.ts'
import type { VisitPath } from './publish/make-hub.ts'
import { publishOutbox } from './publish/publish.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, settings, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
let env: Env
let queuedMessages: Message[] = []
const [hubs, files] = [memoryBucket(), memoryBucket()]

beforeAll(async () => {
  world = await openWorld(city)
  env = {
    ...world.database.env,
    HUBS: hubs,
    FILES: files,
    TILES: memoryBucket(),
    QUEUE: { send: async (message: Message) => void queuedMessages.push(message) },
    JOBS: { send: async (message: Message) => void queuedMessages.push(message) },
    ENVIRONMENT: 'test',
    APP_HOST: 'app.test',
    PUBLIC_HOST: 'hub.test',
    SCHEME: 'https',
    AUTH_SECRET: settings.authSecret,
    MAIL_FROM: settings.mailFrom,
    SUPPORT_URL: settings.supportUrl,
  } as unknown as Env
  const { db } = world.as('system')
  await db.deleteFrom('observer').execute()
  // Hub pages are rendered by the built application, which is not available here: see the last test.
  await db.updateTable('place').set({ isHub: false }).execute()
})
afterAll(() => world.close())

const buildInput = <Data>(data: Data) => ({
  params: { placeId: 'oakton' },
  options: {},
  placeId: 'oakton',
  data,
})
const outbox: Message = { v: 1, kind: 'outbox' }
const listAlerts = (observerId: string) =>
  world
    .as('system')
    .db.selectFrom('alert')
    .select(['kind', 'value'])
    .where('observerId', '=', observerId)
    .orderBy('fence')
    .execute()
const createObserver = async () => {
  const observer = await observers.create(
    world.as('organization_admin'),
    buildInput({
      name: 'Calls',
      dataTypeId: 'call',
      condition: { operator: 'gt' as const, aggregation: { function: 'count' }, value: 1 },
    }),
  )
  return observer?.id ?? ''
}
/** Every object with its version, to detect rewrites. */
const listObjectVersions = async (bucket: R2Bucket) =>
  (await bucket.list()).objects.map(({ key, uploaded }) => `${key} ${uploaded.getTime()}`)

test('a commit reaches every consumer, and repeated messages change nothing', async () => {
  const id = await createObserver()
  const system = world.as('system')
  await ingest(system, 'open', [{ minutes: 1 }, { minutes: 2 }])
  await onMessages(env, [outbox])
  expect(await listAlerts(id)).toEqual([{ kind: 'alert', value: 2 }])
  const exports = queuedMessages.filter(({ kind }) => kind === 'exports')
  expect(exports).toMatchObject([{ sources: ['open'] }])
  await onMessages(env, exports)
  const files1 = await listObjectVersions(files)
  expect(files1.length).toBeGreaterThan(1)

  // The same messages again, with a duplicate event in the outbox, in another order.
  await system.db
    .updateTable('outbox')
    .set({ doneAt: null, noticedAt: null, preparedAt: null, toldAt: null })
    .execute()
  await Promise.all([onMessages(env, [...exports, outbox, outbox]), onMessages(env, [outbox])])
  await onMessages(env, [{ v: 1, kind: 'observers' }, ...exports])
  expect(await listAlerts(id)).toHaveLength(1)
  expect(await listObjectVersions(files)).toEqual(files1)

  // Two versions, the newer reported first.
  await ingest(system, 'open', [{ minutes: 3 }])
  await ingest(system, 'open', [{ minutes: 3 }], { mode: 'replace' })
  await sql`update outbox set noticed_at = now(), done_at = now() where id = (
    select max(id) - 1 from outbox where kind = 'data')`.execute(system.db)
  await onMessages(env, [outbox])
  await system.db
    .updateTable('outbox')
    .set({ doneAt: null, noticedAt: null, preparedAt: null, toldAt: null })
    .execute()
  await onMessages(env, [outbox])
  expect(await listAlerts(id)).toEqual([
    { kind: 'alert', value: 2 },
    { kind: 'recovery', value: 1 },
  ])
})

test('a cached answer of an insight is never that of another version: its key has the versions that it depends on', async () => {
  const system = world.as('system')
  const insight = await system.db
    .selectFrom('insight')
    .select(['id', 'placeId', 'dataTypeId', 'sourceId', 'visibility', 'query', 'version'])
    .where('id', '=', 'calls')
    .executeTakeFirstOrThrow()
  const total = async () => (await readAnswer(system, insight)).results
  await ingest(system, 'open', [{ minutes: 1 }], { mode: 'replace' })
  expect(await total()).toEqual([{ total: 1 }])
  const storedRow = await system.db.selectFrom('insightResult').selectAll().executeTakeFirstOrThrow()
  // No message reports this commit, and the answer is right all the same.
  await ingest(system, 'open', [{ minutes: 4 }, { minutes: 5 }], { mode: 'replace' })
  expect(await total()).toEqual([{ total: 2 }])
  // A slow process stores an outdated answer under its own key: it is not served.
  await system.db
    .updateTable('insightResult')
    .set({ versionKey: storedRow.versionKey, rows: JSON.stringify(storedRow.rows) })
    .execute()
  expect(await total()).toEqual([{ total: 2 }])
  expect(await total()).toEqual([{ total: 2 }])
})

test('a lost message is made up for within a minute', async () => {
  const id = await createObserver()
  await onMessages(env, [outbox])
  await ingest(world.as('system'), 'open', [{ minutes: 11 }, { minutes: 12 }, { minutes: 13 }])
  queuedMessages = []
  await onMinute(env)
  expect(queuedMessages.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['outbox', 'observers']))
  await onMessages(
    env,
    queuedMessages.filter(({ kind }) => kind === 'observers'),
  )
  expect((await listAlerts(id)).map(({ kind }) => kind)).toEqual(['alert'])
  await onMessages(env, [outbox])
  queuedMessages = []
  await onMinute(env)
  expect(queuedMessages).toEqual([])
})

test('messages about places and sources that do not exist, or of others, in any order and three times, change and throw nothing', async () => {
  const everything = (['outbox', 'jobs', 'observers', 'builds'] as const).map(
    (kind) => ({ v: 1, kind }) as Message,
  )
  // Completes pending work: from then on there is nothing to do.
  for (let n = 0; n < 2; n += 1) await onMessages(env, everything)
  const before = await hashState(world)
  const files = await listObjectVersions(env.FILES)
  const forged: Message[] = [
    { v: 1, kind: 'hub', placeId: 'nowhere' },
    { v: 1, kind: 'hub', placeId: '../oakton' },
    { v: 1, kind: 'hub', placeId: "x' or true --" },
    // A place without a hub: a message does not create one.
    { v: 1, kind: 'hub', placeId: 'elmsford' },
    { v: 1, kind: 'exports', sources: ['nothing', 'secret', '../open', ''] },
    { v: 1, kind: 'jobs', placeId: 'elmsford' },
    { v: 1, kind: 'observers', placeId: 'oakton', sources: ['secret'] },
    { v: 1, kind: 'builds', placeId: 'nowhere' },
    outbox,
  ]
  const [first, second, third] = [forged, [...forged].reverse(), [...forged.slice(4), ...forged.slice(0, 4)]]
  for (const messages of [first, second, third]) expect([...(await onMessages(env, messages))]).toEqual([])
  // The request for a hub is recorded and completed: there is none.
  expect(changes(before, await hashState(world))).toEqual(['public.outbox'])
  const { rows: open } = await sql`select id from outbox where done_at is null`.execute(world.as('system').db)
  expect(open).toEqual([])
  expect(await listObjectVersions(env.FILES)).toEqual(files)
  const keys = (await hubs.list()).objects.map(({ key }) => key)
  expect(keys.filter((key) => /nowhere|\.\.|^hubs\/elmsford/.test(key))).toEqual([])
})

/** As if the last nightly work had run a day earlier. */
const dayBefore = () => sql`update daily_work set day = day - 1`.execute(world.as('system').db)

test('a missed nightly minute is made up for by the next, and the work is done once', async () => {
  const system = world.as('system')
  const sweep = async () => {
    await sql`insert into verification (id, identifier, value, expires_at)
      values ('old', 'x', 'y', now() - interval '1 minute') on conflict do nothing`.execute(system.db)
    await Promise.all([onMinute(env), onMinute(env)])
    const left = await system.db.selectFrom('verification').select('id').execute()
    return left.length === 0
  }
  expect(await sweep()).toBe(false)
  await dayBefore()
  await dayBefore()
  expect(await sweep()).toBe(true)
  expect(await sweep()).toBe(false)
  const claims = await Promise.all((await dayBefore(), [1, 2, 3, 4]).map(() => claimDay(system, 'house')))
  expect(claims.filter(Boolean)).toHaveLength(1)
  await onMinute(env)
})

test('operators are notified once a day of values encrypted with a secret that is no longer configured', async () => {
  await createObserver()
  const errorSpy = vi.spyOn(console, 'error').mockImplementation(() => {})
  const fresh = {
    ...env,
    ENVIRONMENT: 'production',
    AUTH_SECRET: 'the secret that came in its place, long enough',
  }
  const lines = () =>
    errorSpy.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('observer.secret'))
  await dayBefore()
  await onMinute({ ...fresh, AUTH_SECRET_PREVIOUS: settings.authSecret })
  expect(lines()).toEqual([])
  await dayBefore()
  await onMinute(fresh)
  expect(lines()).toEqual([expect.stringContaining('set it as AUTH_SECRET_PREVIOUS')])
  errorSpy.mockRestore()
})

test('pages of a hub are rendered once per commit, however often it is reported', async () => {
  const system = world.as('system', { hubs, files })
  await system.db.updateTable('place').set({ isHub: true }).where('id', '=', 'oakton').execute()
  let visits = 0
  const pages = { '/error': 500, '/404': 404 } as Record<string, number>
  const visit: VisitPath = async (_hub, path, languages) => {
    visits += 1
    const { dataVersion } = await system.db
      .selectFrom('source')
      .select('dataVersion')
      .where('id', '=', 'open')
      .executeTakeFirstOrThrow()
    const body = `${path} of version ${dataVersion}`
    const page = { status: pages[path] ?? 200, type: 'text/html', body, tags: ['source:open'], files: [] }
    return languages.map((locale) => ({ locale, ...page }))
  }
  const publish = () => publishOutbox(system, visit, () => {})
  const manifest = async () =>
    (await system.db.selectFrom('hub').select('manifest').where('placeId', '=', 'oakton').executeTakeFirst())
      ?.manifest
  await ingest(system, 'open', [{ minutes: 21 }])
  await publish()
  const [first, visitCount] = [await manifest(), visits]
  // Pages first, then pictures: each is published when complete.
  expect([visitCount > 0, first, system.reported]).toEqual([true, 2, []])
  await publish()
  expect(visits).toBe(visitCount)
  await system.db.updateTable('outbox').set({ doneAt: null }).execute()
  await publish()
  expect(await manifest()).toBe(first)
  await ingest(system, 'open', [{ minutes: 22 }])
  await publish()
  expect(await manifest()).toBe(4)
})

test('a hub that cannot be rendered blocks neither file exports nor alerts', async () => {
  const id = await createObserver()
  await onMessages(env, [outbox])
  // A place that waits after many failures is skipped entirely.
  const { db } = world.as('system')
  await db.updateTable('place').set({ isHub: true }).where('id', '=', 'oakton').execute()
  await db
    .insertInto('publishFailure')
    .values({
      ...{ placeId: 'oakton', target: 'pages', failures: 12, kind: 'unknown' as const, reason: 'of a test' },
      nextAttemptAt: sql<Date>`now() + interval '5 minutes'`,
    })
    .execute()
  await ingest(world.as('system'), 'open', [{ minutes: 31 }, { minutes: 32 }, { minutes: 33 }])
  queuedMessages = []
  await onMessages(env, [outbox])
  expect(queuedMessages.filter(({ kind }) => kind === 'exports')).toMatchObject([{ sources: ['open'] }])
  expect((await listAlerts(id)).map(({ kind }) => kind)).toContain('alert')
  const open = await db.selectFrom('outbox').select('attempts').where('doneAt', 'is', null).execute()
  expect(open.length).toBeGreaterThan(0)
  expect(open.every(({ attempts }) => attempts === 0)).toBe(true)
})
