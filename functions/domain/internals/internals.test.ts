import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isOn } from './flags.ts'
import { duePlaces, openEvents } from '#functions/domain/outbox/outbox-reader.ts'
import { countFailure } from '#functions/domain/page/publishing/failures.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { call } from '#functions/api/call.ts'
import { requireConforming } from '#functions/api/conform.ts'
import type { Endpoint } from '#functions/api/endpoint.ts'
import type { VisitPath } from '#functions/jobs/publish/make-hub.ts'
import { publishOutbox } from '#functions/jobs/publish/publish.ts'
import { v1 } from '#functions/v1/index.ts'
import type { JobStatus } from '#db/schema.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld, type Person, type TestContext } from '#db/worlds/world.ts'

let world: TestWorld
/** One connection a person, however often they ask. */
const people = new Map<Person, TestContext>()
function openContext(person: Person): TestContext {
  const ctx = people.get(person) ?? world.as(person)
  people.set(person, ctx)
  return ctx
}

beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const db = () => openContext('system').db

async function did<E extends Endpoint>(endpoint: E, data?: unknown) {
  const before = await trailLength()
  const done = await call(endpoint, openContext('super_admin'), { data })
  requireConforming({ name: 'internal', endpoint }, done)
  // Each privileged call leaves exactly one line.
  expect(await trailLength()).toBe(before + 1)
  return done as { ok: true; affected: number; left: number; next?: string }
}

async function trailLength() {
  const rows = await db()
    .selectFrom('activity')
    .select(['actorId', 'placeId'])
    .where('targetType', '=', 'internal')
    .execute()
  expect(rows.every(({ actorId, placeId }) => actorId === 'super_admin' && placeId === null)).toBe(true)
  return rows.length
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)

async function run(id: string, status: JobStatus, times: { lease?: number; beat?: number }) {
  const importerId = `importer-${id}`
  const toPastDate = (minutes: number | undefined) => (minutes === undefined ? null : minutesAgo(minutes))
  const of = { sourceId: 'inner', placeId: 'oakton' }
  await db()
    .insertInto('importer')
    .values({ id: importerId, ...of, name: id, sources: '[]', mapping: '{}', createdBy: null })
    .execute()
  await db()
    .insertInto('job')
    .values({ id, importerId, ...of, status, trigger: 'manual', queuedAt: minutesAgo(60) })
    .execute()
  await db()
    .updateTable('job')
    .set({ leaseUntil: toPastDate(times.lease), heartbeatAt: toPastDate(times.beat) })
    .where('id', '=', id)
    .execute()
}

const readJobs = async () => {
  const rows = await db().selectFrom('job').select(['id', 'status', 'fence', 'leaseUntil', 'error']).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

describe('unstick', () => {
  test('ends the runs without a heartbeat, and no others', async () => {
    await run('lapsed', 'running', { lease: 1, beat: 1 })
    await run('stopped-half', 'stopping', { lease: 10, beat: 10 })
    await run('silent', 'running', { beat: 6 })
    await run('alive', 'running', { lease: -1, beat: 20 })
    await run('fresh', 'running', { beat: 1 })
    await run('next', 'queued', {})
    await run('patient', 'waiting', {})
    const facts = await call(v1.internal.find, openContext('super_admin'), {})
    requireConforming({ name: 'find', endpoint: v1.internal.find }, facts)
    const values = Object.fromEntries(facts.results.map(({ id, value }) => [id, value]))
    expect(values).toMatchObject({
      'jobs.stale': 3,
      'jobs.running': 6,
      'jobs.queued': 1,
      'queue.open': 0,
      'queue.oldest': null,
      'flag.importersHalted': false,
    })
    expect(values['version.schema']).toMatch(/^\d{4}_/)
    expect(await did(v1.internal.unstick)).toEqual({ ok: true, affected: 3, left: 0 })
    const jobs = await readJobs()
    for (const id of ['lapsed', 'stopped-half', 'silent'])
      expect(jobs.get(id)).toMatchObject({ status: 'failed', leaseUntil: null, fence: 1 })
    for (const [id, status] of Object.entries({
      alive: 'running',
      fresh: 'running',
      next: 'queued',
      patient: 'waiting',
    }))
      expect(jobs.get(id)).toMatchObject({ status, fence: 0, error: null })
    expect(await did(v1.internal.unstick)).toEqual({ ok: true, affected: 0, left: 0 })
  })
})

describe('halt and hose', () => {
  test('toggle the switch of the importers; halt lists the runs to stop', async () => {
    expect(await did(v1.internal.halt)).toEqual({ ok: true, affected: 4, left: 0 })
    expect(await isOn(openContext('viewer').db, 'importersHalted')).toBe(true)
    expect((await readJobs()).get('alive')?.status).toBe('stopping')
    expect((await readJobs()).get('next')?.status).toBe('queued')
    expect(await did(v1.internal.halt)).toEqual({ ok: true, affected: 0, left: 0 })
    expect(await did(v1.internal.hose)).toEqual({ ok: true, affected: 1, left: 0 })
    expect(await isOn(openContext('viewer').db, 'importersHalted')).toBe(false)
  })

  test('hose retries every hub at once that waits after a failure; frequent failures are never given up', async () => {
    await db()
      .insertInto('outbox')
      .values([0, 3, 50].map((attempts) => ({ kind: 'place', placeId: 'oakton', payload: '{}', attempts })))
      .execute()
    expect(await openEvents(openContext('system'))).toHaveLength(3)
    const why = { kind: 'storage' as const, path: null, reason: 'the storage did not answer' }
    await countFailure(openContext('system'), { placeId: 'oakton', target: 'pages' }, why)
    await countFailure(openContext('system'), { placeId: 'oakton', target: 'oakton.localhost' }, why)
    await db()
      .updateTable('publishFailure')
      .set({ nextAttemptAt: minutesAgo(-4) })
      .execute()
    expect(await duePlaces(openContext('system'))).toEqual([])
    const hubs = await call(v1.internal.hubs, openContext('super_admin'), {})
    requireConforming({ name: 'hubs', endpoint: v1.internal.hubs }, hubs)
    expect(hubs.results).toMatchObject([
      { placeId: 'oakton', placeName: 'Oakton', target: 'pages', kind: 'storage', attempts: 1 },
      { placeId: 'oakton', target: 'oakton.localhost', attempts: 1 },
    ])
    expect(await did(v1.internal.hose)).toEqual({ ok: true, affected: 2, left: 0 })
    expect(await duePlaces(openContext('system'))).toMatchObject([{ placeId: 'oakton', isDue: true }])
    await db().deleteFrom('outbox').execute()
    await db().deleteFrom('publishFailure').execute()
  })

  test('a switch can be changed only by the endpoints', async () => {
    for (const person of ['organization_admin', 'support'] as const) {
      const { numUpdatedRows } = await openContext(person)
        .db.updateTable('flag')
        .set({ isOn: true })
        .executeTakeFirstOrThrow()
      expect(numUpdatedRows).toBe(0n)
    }
  })
})

describe('refresh', () => {
  test('recounts, drops cached answers and has every hub made again, in steps', async () => {
    const system = openContext('system')
    const at = '2026-01-01T00:00:00Z'
    await ingest(
      system,
      'open',
      ['a', 'b'].map((type) => ({ type, minutes: 1, receivedAt: at })),
    )
    await db().updateTable('sourceStat').set({ count: 77 }).execute()
    // More sources than one call does.
    const many = Array.from({ length: 40 }, (_, i) => `many-${String(i).padStart(2, '0')}`)
    await db()
      .insertInto('source')
      .values(
        many.map((id) => ({
          id,
          placeId: 'elmsford',
          dataTypeId: 'call',
          name: id,
          visibility: 'place' as const,
          createdBy: null,
        })),
      )
      .execute()
    const answer = { placeId: 'oakton', versionKey: 'old', output: '{}', rows: '[]' }
    await db()
      .insertInto('insightResult')
      .values({ insightId: 'calls', ...answer })
      .execute()
    await db().deleteFrom('outbox').execute()
    let calls = 0
    const steps: number[] = []
    for (let after: string | undefined; calls < 10; calls++) {
      const done = await did(v1.internal.refresh, after === undefined ? undefined : { after })
      steps.push(done.left)
      after = done.next
      if (after === undefined) break
    }
    // Six sources of the world, forty more, and two places.
    expect(steps).toEqual([23, 0])
    const stats = await db().selectFrom('sourceStat').select(['sourceId', 'count']).execute()
    expect(stats).toHaveLength(46)
    expect(stats.filter(({ count }) => count > 0)).toEqual([{ sourceId: 'open', count: 2 }])
    expect(await db().selectFrom('insightResult').select('insightId').execute()).toEqual([])
    const events = await openEvents(openContext('system'))
    expect(events.map(({ kind, placeId }) => [kind, placeId])).toEqual([
      ['hub', 'elmsford'],
      ['hub', 'oakton'],
    ])
  })

  test('the hub is then made again completely, and its answers are cached again', async () => {
    const system = { ...openContext('system'), hubs: memoryBucket() }
    const visited: string[] = []
    const visit: VisitPath = async (_hub, path, languages) => {
      visited.push(path)
      const status = { '/404': 404, '/error': 500 }[path] ?? 200
      return languages.map((locale) => ({
        locale,
        status,
        type: 'text/html',
        body: path,
        tags: [],
        files: [],
      }))
    }
    await publishOutbox(system, visit, () => {}, ['oakton'])
    const whole = visited.splice(0).sort()
    await db().insertInto('outbox').values({ kind: 'hub', placeId: 'oakton', payload: '{}' }).execute()
    await publishOutbox(system, visit, () => {})
    expect(visited.sort()).toEqual(whole)
    expect(whole).toContain('/')
    const storedResults = await db()
      .selectFrom('insightResult')
      .select('insightId')
      .orderBy('insightId')
      .execute()
    expect(storedResults.map(({ insightId }) => insightId)).toEqual(['calls', 'far-calls', 'inner-calls'])
  })

  test('continues only from a position in an answer', async () => {
    const wrong = call(v1.internal.refresh, openContext('super_admin'), { data: { after: '../x' } })
    await expect(wrong).rejects.toMatchObject({ kind: 'invalid', issues: [{ path: ['after'] }] })
  })
})

test('accepts any origin without a cookie, and only our own with one', async () => {
  const origins = await call(v1.internal.origins, openContext('super_admin'), {})
  requireConforming({ name: 'origins', endpoint: v1.internal.origins }, origins)
  expect(origins.results).toEqual([
    { id: '*', withCredentials: false },
    { id: 'http://localhost:8787', withCredentials: true },
  ])
})
