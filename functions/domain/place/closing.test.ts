import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from 'kysely'
import { v1 } from '#functions/v1/index.ts'
import { call } from '#functions/api/call.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person, type TestContext } from '#db/worlds/world.ts'
import { asSystem } from '#db/testing.ts'
import type { Context } from '#functions/context.ts'
import { endClosed, markClosed } from '#functions/domain/internals/purge-closed.ts'
import { purgeDeleted } from '#functions/domain/internals/purge.ts'
import { maintainJobs } from '#functions/domain/importer/job/sweep.ts'
import { requireFreeId } from '#functions/domain/place-request/start.ts'
import { writeEdges } from '#functions/jobs/publish/edge.ts'
import { readHost } from '#functions/edge/hub/snapshot.ts'
import { serveClosedHost } from '#functions/edge/hub/closed-host.ts'
import { resolve } from '#functions/edge/hub/resolve.ts'

let world: TestWorld
/** The product itself, where closed places are seen. */
let whole: TestContext
const dayMs = 86_400_000
const params = { placeId: 'oakton' }
beforeAll(async () => {
  world = await openWorld(city)
  const system = world.as('system')
  whole = world.over(world.database.connect({ ...asSystem, closed: true }), system.actor)
})
afterAll(() => world.close())

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { kind: string; message: string; issues?: { message: string }[] }) =>
      `${error.kind}: ${error.issues?.[0]?.message ?? error.message}`,
  )
const close = (person: Person, name = 'Oakton', changes: Partial<Context> = {}) =>
  outcome(call(v1.place.close, world.as(person, changes), { params, data: { name } }))
const reopen = (person: Person, changes: Partial<Context> = {}) =>
  outcome(call(v1.place.reopen, world.as(person, changes), { params }))
const createLaterClock = (days: number) => ({ now: () => new Date(Date.now() + days * dayMs) })

/** Every test begins with the place open. */
beforeEach(async () => {
  await sql`update place set deleted_at = null where id = 'oakton'`.execute(whole.db)
  await sql`update closed_place set reopened_at = now() where purged_at is null`.execute(whole.db)
})

test('only an administrator who types its name closes it; all are notified, and can undo it', async () => {
  for (const person of ['viewer', 'member', 'content_admin'] as const)
    expect(await close(person)).toMatch(/^forbidden/)
  expect(await close('stranger')).toMatch(/^notFound|^forbidden/)
  expect(await close('organization_admin', 'oakton')).toMatch(/^invalid: Type the name .* Oakton\.$/)
  const counts = await call(v1.place.closing, world.as('organization_admin'), { params })
  expect(counts).toMatchObject({ name: 'Oakton', days: 30, people: expect.any(Number) as number })
  expect(counts.sources).toBeGreaterThan(0)
  expect(counts.hosts.at(-1)).toBe('oakton.localhost')

  expect(await close('organization_admin')).toBe('done')
  const email = world.mailbox.letters.find(({ subject }) => subject === 'Your organization was closed')
  expect(email?.to).toBe('organization_admin@example.com')
  expect(email?.text).toContain('/organization/closed')
  // Twice is as once.
  expect(await close('organization_admin')).toMatch(/^notFound/)
  const { results } = await call(v1.place.closedPlaces, world.as('organization_admin'))
  expect(results).toMatchObject([{ id: 'oakton', name: 'Oakton' }])
  expect((await call(v1.place.closedPlaces, world.as('member'))).results).toEqual([])
  for (const person of ['member', 'super_admin', 'stranger'] as const)
    expect(await reopen(person)).toMatch(/^notFound/)
  expect(await reopen('organization_admin')).toBe('done')
  expect(await reopen('organization_admin')).toMatch(/^notFound/)
  const { db } = world.as('system')
  const lines = await db
    .selectFrom('activity')
    .select('verb')
    .where('targetType', '=', 'place')
    .where('targetId', '=', 'oakton')
    .orderBy('at')
    .execute()
  expect(lines.map(({ verb }) => verb).slice(-2)).toEqual(['closed', 'reopened'])
})

test('two concurrent closings close it once', async () => {
  const both = await Promise.all([close('organization_admin'), close('organization_admin')])
  expect(both.sort()).toEqual(['done', 'notFound: Not Found'])
})

test('no run begins while it is closed, and active ones continue afterwards', async () => {
  const { db } = world.as('system')
  await sql`update importer set next_run_at = now() - interval '1 hour' where place_id = 'oakton'`.execute(db)
  await sql`update job set status = 'running', heartbeat_at = now(), lease_until = now() + interval '1 minute'
    where id = (select id from job where place_id = 'oakton' limit 1)`.execute(db)
  const jobs = () =>
    whole.db
      .selectFrom('job')
      .select(['id', 'status'])
      .where('placeId', '=', 'oakton')
      .orderBy('id')
      .execute()
  const before = await jobs()
  expect(await close('organization_admin')).toBe('done')
  // A worker that holds the run no longer sees it.
  const { numAffectedRows } =
    await sql`update job set heartbeat_at = now() where place_id = 'oakton'`.execute(db)
  expect(numAffectedRows).toBe(0n)
  await sql`update job set heartbeat_at = now() - interval '9 days' where place_id = 'oakton'`.execute(
    whole.db,
  )
  await maintainJobs(world.as('system'))
  expect(await jobs()).toEqual(before)
  expect(await reopen('organization_admin')).toBe('done')
  const { count } = await db
    .selectFrom('job')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('placeId', '=', 'oakton')
    .where('status', '=', 'running')
    .where('heartbeatAt', '>', sql<Date>`now() - interval '1 minute'`)
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(before.filter(({ status }) => status === 'running').length)
})

test('a save in flight gets the same answer as for an unknown place, and changes nothing', async () => {
  const editor = world.as('content_admin')
  expect(await close('organization_admin')).toBe('done')
  const data = { name: 'Late', placeId: 'oakton', dataTypeId: 'call', visibility: 'private' as const }
  expect(await outcome(call(v1.source.create, editor, { data }))).toMatch(/^(notFound|invalid)/)
  await expect(
    sql`insert into page (id, place_id, title, type, visibility) values ('late', 'oakton', 'Late', 'blank', 'private')`.execute(
      world.as('system').db,
    ),
  ).rejects.toThrow('open_place')
})

test('its hosts say that it was closed, its public state is empty, and both are restored', async () => {
  const system = world.as('system')
  const readPublicSources = async () =>
    (await (await system.hubs.get('site/places/oakton.json'))?.json<{ sources: object }>())?.sources
  await writeEdges(system, ['oakton'])
  expect(Object.keys((await readPublicSources()) ?? {}).length).toBeGreaterThan(0)
  expect(await close('organization_admin')).toBe('done')
  await writeEdges(system, ['oakton'])
  expect(await readPublicSources()).toEqual({})
  const find = (host: string) => readHost(system.hubs, host)
  const closed = await resolve('oakton.localhost:8787', system.settings, find)
  if (!closed || !('closed' in closed)) throw new Error('The host does not say that it is closed.')
  const ask = (path: string, method = 'GET') =>
    serveClosedHost(new Request(`http://oakton.localhost:8787${path}`, { method }), closed)
  for (const path of ['/', '/domains', '/f/some.json', '/t/points/open/1/1/1.mvt', '/sitemap.xml', '/fr'])
    expect(ask(path).status).toBe(410)
  expect(await ask('/').text()).toContain('This hub was closed')
  expect(ask('/v1/sources').status).toBe(404)
  expect(await ask('/', 'HEAD').text()).toBe('')
  expect(await reopen('organization_admin')).toBe('done')
  await writeEdges(system, ['oakton'])
  expect(await resolve('oakton.localhost:8787', system.settings, find)).not.toHaveProperty('closed')
  expect(Object.keys((await readPublicSources()) ?? {}).length).toBeGreaterThan(0)
})

test('after 30 days it cannot be reopened; then everything is deleted, but its id and hosts are never reused', async () => {
  const { db } = world.as('system')
  await sql`insert into place_domain (host, place_id, token, verified_at) values ('data.oakton.example', 'oakton', 't', now())
    on conflict do nothing`.execute(db)
  expect(await close('organization_admin')).toBe('done')
  expect(await reopen('organization_admin', createLaterClock(30.01))).toMatch(/^notFound/)
  const purge = async (days: number) => {
    await sql`update closed_place set closed_at = now() - make_interval(hours => ${days * 24}::int) where place_id = 'oakton'`.execute(
      whole.db,
    )
    await sql`update place set deleted_at = now() - make_interval(hours => ${days * 24}::int) where id = 'oakton'`.execute(
      whole.db,
    )
    await markClosed(whole)
    // As `maintainFiles` does each minute.
    await sql`update asset set bytes_gone_at = now() where deleted_at is not null`.execute(whole.db)
    await purgeDeleted(whole)
    return endClosed(whole)
  }
  const count = async (table: string) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(table)} where place_id = 'oakton'`.execute(whole.db)
    return rows[0]?.n ?? 0
  }
  const [sources, pages] = [await count('source'), await count('page')]
  expect(await purge(30)).toBe(0)
  expect([await count('source'), await count('page')]).toEqual([sources, pages])
  expect(await purge(32)).toBe(1)
  for (const table of [
    'page',
    'insight',
    'importer',
    'job',
    'place_user',
    'place_domain',
    'asset',
    'api_key',
  ])
    expect([table, await count(table)]).toEqual([table, 0])
  const left = await sql`
    select from source join source_stat on source_stat.source_id = source.id where source.place_id = 'oakton'`.execute(
    whole.db,
  )
  expect(left.rows).toEqual([])
  // Repeating it does nothing, and reopening is impossible.
  expect(await purge(40)).toBe(0)
  expect(await reopen('organization_admin')).toMatch(/^notFound/)
  // Rows of other places remain.
  expect((await db.selectFrom('place').select('id').where('id', '=', 'elmsford').execute()).length).toBe(1)
  for (const id of ['oakton', 'oakt0n'])
    expect(await outcome(requireFreeId(world.as('stranger').db, id))).toMatch(/^conflict/)
  expect(
    await outcome(call(v1.place.create, world.as('super_admin'), { data: { id: 'oakton', name: 'Other' } })),
  ).toMatch(/^conflict/)
  const other = { params: { placeId: 'elmsford' }, data: { domain: 'www.data.oakton.example' } }
  expect(await outcome(call(v1.place.domain.verify, world.as('super_admin'), other))).toBe(
    'conflict: This was the host of an organization that was closed.',
  )
  // The host is permanently marked as closed.
  const system = world.as('system')
  await writeEdges(system, ['oakton'])
  expect(await readHost(system.hubs, 'data.oakton.example')).toMatchObject({ closed: true })
})
