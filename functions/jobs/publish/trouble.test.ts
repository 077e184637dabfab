import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildSnapshot, writeEdges } from './edge.ts'
import type { VisitPath } from './make-hub.ts'
import { publishOutbox } from './publish.ts'
import { readSnapshotAgain, writeSnapshot } from '#functions/edge/hub/snapshot.ts'
import { openHubs } from './trouble.testing.ts'
import { hubState } from '#functions/domain/hub/hubs.ts'
import { isAnyToPublish, markHandled, untoldPlaces } from '#functions/domain/outbox/outbox-reader.ts'
import { countFailure } from '#functions/domain/page/publishing/failures.ts'
import { call } from '#functions/api/call.ts'
import { requireConforming } from '#functions/api/conform.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
let hubs: ReturnType<typeof openHubs>

beforeAll(async () => {
  world = await openWorld(city)
  hubs = openHubs(world)
  await hubs.ctx.db
    .updateTable('place')
    .set({ isHub: true })
    .where('id', 'in', ['oakton', 'elmsford'])
    .execute()
  await hubs.publish(['oakton', 'elmsford'])
})
afterAll(() => world.close())
beforeEach(async () => {
  hubs.state.instead = null
  hubs.fault.fails = null
  await sql`update hub set lease_until = null`.execute(hubs.ctx.db)
  hubs.state.tags = () => ['source:open']
  hubs.ctx.reported.length = 0
  await sql`update outbox set done_at = now() where done_at is null`.execute(hubs.ctx.db)
  await sql`update outbox set prepared_at = now(), told_at = now()`.execute(hubs.ctx.db)
  await sql`delete from publish_failure`.execute(hubs.ctx.db)
  hubs.state.visited.length = 0
  hubs.wakes.length = 0
})

const breakOakton = () => {
  hubs.state.instead = (placeId) => {
    if (placeId === 'oakton') throw new Error('broken')
  }
}

test('a correction is retried without limit', async () => {
  hubs.state.words = 'corrected'
  breakOakton()
  await hubs.emit('source', { id: 'open' })
  for (let tries = 0; tries < 60; tries += 1) {
    await hubs.publish()
    await hubs.wait(400)
  }
  hubs.state.instead = null
  await hubs.publish()
  expect(await hubs.open('oakton')).toBe(0)
  expect((await hubs.read('/about')).text).toBe('corrected /about')
})

test('an event committed while others are processed is processed as well, with any number', async () => {
  const { db } = hubs.ctx
  const insert = (id: number) =>
    sql`insert into outbox (id, kind, place_id, payload) overriding system value
      values (${id}, 'page', 'oakton', '{"id":"late"}')`.execute(db)
  await insert(900_002)
  const untold = await untoldPlaces(hubs.ctx)
  // Its number was allocated earlier, but it was committed only now.
  await insert(900_001)
  for (const { placeId, events } of untold) await markHandled(hubs.ctx, placeId, events)
  expect(await untoldPlaces(hubs.ctx)).toEqual([{ placeId: 'oakton', events: ['900001'] }])
})

test('a message about another place does not retry a failed place early', async () => {
  breakOakton()
  await hubs.emit('source', { id: 'open' })
  await hubs.publish()
  hubs.state.visited.length = 0
  // Even on a slow machine its delay has not expired.
  await sql`update publish_failure set next_attempt_at = now() + interval '1 minute'`.execute(hubs.ctx.db)
  for (let i = 0; i < 5; i += 1) {
    await hubs.emit('page', { id: `p${i}`, listChanged: false }, 'elmsford')
    await hubs.publish()
  }
  expect(await hubs.open('elmsford')).toBe(0)
  expect(hubs.state.visited.filter((each) => each.startsWith('oakton'))).toEqual([])
})

test('hundreds of events that fail for one place delay no other', async () => {
  breakOakton()
  await sql`insert into outbox (kind, place_id, payload)
    select 'source', 'oakton', '{"id":"open"}'::jsonb from generate_series(1, 700)`.execute(hubs.ctx.db)
  await hubs.emit('source', { id: 'open' }, 'elmsford')
  for (let i = 0; i < 3; i += 1) await hubs.publish()
  expect(await hubs.open('elmsford')).toBe(0)
  expect(await hubs.open('oakton')).toBe(700)
})

test('a withdrawn story is gone even if no manifest can be written', async () => {
  const path = '/pages/storytelling/story/preview'
  expect((await hubs.read(path)).status).toBe(200)
  hubs.fault.fails = (key, verb) => verb === 'put' && key.startsWith('hubs/')
  await hubs.ctx.db.updateTable('page').set({ publish: 'draft' }).where('id', '=', 'story').execute()
  await hubs.emit('page', { id: 'story' })
  await hubs.publish()
  expect((await hubs.read(path)).status).toBe(404)
  await hubs.ctx.db.updateTable('page').set({ publish: 'published' }).where('id', '=', 'story').execute()
})

test('a story with a withdrawn insight is withheld until it can be rendered again', async () => {
  const path = '/pages/storytelling/story/preview'
  hubs.state.tags = (of) =>
    of === path ? ['insight:calls', 'shows:insight:calls', 'page:story'] : ['pages:oakton']
  await hubs.publish(['oakton'])
  expect((await hubs.read(path)).status).toBe(200)
  breakOakton()
  await hubs.ctx.db.updateTable('insight').set({ visibility: 'place' }).where('id', '=', 'calls').execute()
  await hubs.emit('insight', { id: 'calls' })
  await hubs.publish()
  expect((await hubs.read(path)).status).toBe(503)
  expect((await hubs.read('/about')).status).toBe(200)
})

const failure = (target = 'pages') =>
  hubs.ctx.db
    .selectFrom('publishFailure')
    .selectAll()
    .where('placeId', '=', 'oakton')
    .where('target', '=', target)
    .executeTakeFirst()
const storyPath = '/pages/storytelling/story/preview'
const setStoryStatus = (publish: 'draft' | 'published') =>
  hubs.ctx.db.updateTable('page').set({ publish }).where('id', '=', 'story').execute()
/** Repairs everything, with the story and the insight public. */
const mended = async () => {
  hubs.state.instead = null
  hubs.fault.fails = null
  await setStoryStatus('published')
  await hubs.ctx.db.updateTable('insight').set({ visibility: 'public' }).where('id', '=', 'calls').execute()
  await hubs.publish(['oakton'])
  expect((await hubs.read(storyPath)).status).toBe(200)
  expect(await failure()).toBeUndefined()
}

test('retries are delayed increasingly, up to five minutes, each with a message', async () => {
  await mended()
  breakOakton()
  await hubs.emit('source', { id: 'open' })
  const waits: number[] = []
  for (let tries = 0; tries < 12; tries += 1) {
    hubs.wakes.length = 0
    await hubs.publish()
    const { nextAttemptAt, failures } = (await failure()) ?? {}
    expect(failures).toBe(tries + 1)
    const { rows } = await sql<{ wait: number }>`
      select extract(epoch from ${nextAttemptAt}::timestamptz - clock_timestamp())::float8 as wait`.execute(
      hubs.ctx.db,
    )
    waits.push(rows[0]?.wait ?? 0)
    // One message per failed attempt, for its own time; earlier ones do nothing.
    expect(hubs.wakes).toHaveLength(1)
    expect(hubs.wakes[0]).toBeGreaterThanOrEqual(Math.floor(waits.at(-1) ?? 0))
    await hubs.publish()
    expect(hubs.wakes).toHaveLength(1)
    await hubs.wait(400)
  }
  for (const [i, wait] of waits.entries()) expect(wait).toBeLessThanOrEqual(Math.min(300, 2 ** i) + 0.1)
  expect(Math.max(...waits)).toBeGreaterThan(10)
})

test('the error is stored as a message for people of the place, without internal details', async () => {
  await mended()
  hubs.state.instead = () => {
    throw Object.assign(new Error('select secret from outbox where "password" = 1'), { code: '23505' })
  }
  await hubs.emit('source', { id: 'open' })
  await hubs.publish()
  const storedRow = await hubs.ctx.db
    .selectFrom('outbox')
    .select(['attempts', 'lastError'])
    .where('doneAt', 'is', null)
    .executeTakeFirst()
  expect(storedRow).toEqual({
    attempts: 1,
    lastError: 'something unexpected went wrong, which was reported',
  })
  const status = await call(v1.place.hubStatus, world.as('viewer'), { params: { placeId: 'oakton' } })
  requireConforming({ name: 'hubStatus', endpoint: v1.place.hubStatus }, status)
  expect(status).toMatchObject({
    isHealthy: false,
    problems: [{ target: 'pages', kind: 'unknown', attempts: 1, path: null }],
  })
  expect(status?.problems[0]?.message).toMatch(
    /^The hub shows the version of \w+day \d+ \w+, \d\d:\d\d, because something unexpected went wrong/,
  )
  expect(JSON.stringify(status)).not.toContain('secret')
  // People of other places cannot see it, and those who may not publish cannot retry.
  await expect(
    call(v1.place.hubStatus, world.as('stranger'), { params: { placeId: 'oakton' } }),
  ).rejects.toMatchObject({ kind: 'notFound' })
  await expect(
    call(v1.place.publishHub, world.as('member'), { params: { placeId: 'oakton' } }),
  ).rejects.toMatchObject({ kind: 'forbidden' })
  const { rows } = await sql`select from publish_failure`.execute(world.as('stranger').db)
  expect(rows).toEqual([])
})

test('a retry on request happens at once', async () => {
  await mended()
  breakOakton()
  await hubs.emit('source', { id: 'open' })
  for (let tries = 0; tries < 9; tries += 1) {
    await hubs.publish()
    await hubs.wait(tries === 8 ? 0 : 400)
  }
  await sql`update publish_failure set next_attempt_at = now() + interval '5 minutes'`.execute(hubs.ctx.db)
  hubs.state.instead = null
  await hubs.publish()
  expect(await failure()).toBeDefined()
  const asker = world.as('content_admin')
  expect(await call(v1.place.publishHub, asker, { params: { placeId: 'oakton' } })).toEqual({ count: 1 })
  expect(asker.woken()).toBe(1)
  await hubs.publish()
  expect([await failure(), await hubs.open('oakton')]).toEqual([undefined, 0])
  const status = await call(v1.place.hubStatus, asker, { params: { placeId: 'oakton' } })
  expect(status).toMatchObject({ isHealthy: true, problems: [] })
})

test('a query that takes too long is named, with its page', async () => {
  await mended()
  const visit: VisitPath = async (hub, path, locales, languages, memo) => {
    const pages = await hubs.visit(hub, path, locales, languages, memo)
    if (path !== '/about') return pages
    const failures = [{ kind: 'tooSlow', insightId: 'calls' }]
    return pages.map((page) => ({ ...page, status: 503, failures }))
  }
  await hubs.emit('source', { id: 'open' })
  await publishOutbox(hubs.ctx, visit, () => {})
  expect(await failure()).toMatchObject({
    kind: 'question',
    path: '/about',
    reason: 'the page /about could not be made: the insight “Calls” took too long to answer',
  })
})

test('a place that hangs is not awaited', async () => {
  await mended()
  const times = { step: 4000, least: 4000, hang: 6000, edge: 50 }
  let release = () => {}
  hubs.state.instead = (placeId) =>
    placeId === 'oakton' ? new Promise<void>((resolve) => (release = resolve)) : undefined
  await hubs.emit('source', { id: 'open' })
  await hubs.emit('source', { id: 'open' }, 'elmsford')
  const startMs = performance.now()
  const ended = publishOutbox(hubs.ctx, hubs.visit, () => {}, [], undefined, times)
  await vi.waitFor(async () => expect(await hubs.open('elmsford')).toBe(0), { timeout: 15_000, interval: 50 })
  // Meanwhile content of it is withdrawn, and the edge is updated.
  await setStoryStatus('draft')
  await hubs.emit('page', { id: 'story' })
  await vi.waitFor(async () => expect((await hubs.read(storyPath)).status).toBe(404), { timeout: 15_000 })
  await ended
  expect(performance.now() - startMs).toBeLessThan(25_000)
  expect(await failure()).toMatchObject({ kind: 'time', failures: 1 })
  expect(await hubs.open('oakton')).toBe(2)
  // The hanging process continues: as in production its successor has a higher fence, so that it stores
  // nothing any more.
  await sql`update hub set lease_until = null, fence = fence + 1`.execute(hubs.ctx.db)
  hubs.state.instead = null
  release()
})

describe('withdrawn content is removed at once', () => {
  /** What the withdrawing request does, without the queue. */
  const writeEdgesNow = () => writeEdges(hubs.ctx, ['oakton'])

  beforeEach(async () => {
    hubs.state.tags = (path) =>
      path === storyPath ? ['page:story', 'insight:calls', 'shows:insight:calls'] : ['pages:oakton']
    await mended()
    hubs.ctx.reported.length = 0
  })

  test.each<[string, () => Promise<unknown> | void]>([
    ['every page fails', () => breakOakton()],
    [
      'the storage takes no page and no manifest',
      () => void (hubs.fault.fails = (key, verb) => verb === 'put' && !key.startsWith('site/')),
    ],
    [
      'the place waits five minutes after many failures',
      async () => {
        await countFailure(
          hubs.ctx,
          { placeId: 'oakton', target: 'pages' },
          { kind: 'unknown', path: null, reason: 'of a test' },
        )
        await sql`update publish_failure set failures = 20, next_attempt_at = now() + interval '5 minutes'`.execute(
          hubs.ctx.db,
        )
        breakOakton()
      },
    ],
    [
      'someone else makes the hub',
      () =>
        sql`update hub set lease_until = now() + interval '1 minute', fence = fence + 1`.execute(hubs.ctx.db),
    ],
  ])('even if %s', async (_what, trouble) => {
    await trouble()
    await setStoryStatus('draft')
    await hubs.emit('page', { id: 'story' })
    await writeEdgesNow()
    expect((await hubs.read(storyPath)).status).toBe(404)
    expect((await hubs.read('/og/pages/story.png')).status).toBe(404)
    await setStoryStatus('published')
    await writeEdgesNow()
    // The same by the queue only, and for content shown by a page.
    await hubs.ctx.db.updateTable('insight').set({ visibility: 'place' }).where('id', '=', 'calls').execute()
    await hubs.emit('insight', { id: 'calls' })
    await hubs.publish()
    expect((await hubs.read(storyPath)).status).toBe(503)
    expect((await hubs.read('/about')).status).toBe(200)
    await sql`update hub set lease_until = null`.execute(hubs.ctx.db)
  })

  test('a withdrawal retries a hub that waits after failures at once; a correction does not', async () => {
    breakOakton()
    await hubs.emit('page', { id: 'story' })
    await hubs.publish()
    await sql`update publish_failure set next_attempt_at = now() + interval '5 minutes'`.execute(hubs.ctx.db)
    hubs.state.instead = null
    await hubs.emit('page', { id: 'story', listChanged: false })
    await hubs.publish()
    expect(await failure()).toBeDefined()
    await setStoryStatus('draft')
    await hubs.emit('page', { id: 'story' })
    await hubs.publish()
    expect([await failure(), await hubs.open('oakton')]).toEqual([undefined, 0])
  })

  test('a host whose snapshot cannot be written is retried, and no other waits', async () => {
    await hubs.ctx.db
      .insertInto('placeDomain')
      .values({ host: 'oakton.example', placeId: 'oakton', token: 'x', verifiedAt: new Date() })
      .execute()
    await hubs.emit('hub', {})
    await hubs.publish()
    hubs.fault.fails = (key) => key === 'site/oakton.example.json'
    await setStoryStatus('draft')
    await hubs.emit('page', { id: 'story' })
    await hubs.publish()
    expect((await hubs.read(storyPath)).status).toBe(404)
    expect(await failure('oakton.example')).toMatchObject({
      kind: 'storage',
      failures: expect.any(Number) as number,
    })
    expect(await failure()).toBeUndefined()
    hubs.fault.fails = null
    // Nothing happened since: the failure itself causes the retry.
    await hubs.wait(400)
    expect(await isAnyToPublish(hubs.ctx)).toBe(true)
    await hubs.publish()
    expect(await failure('oakton.example')).toBeUndefined()
    expect(await isAnyToPublish(hubs.ctx)).toBe(false)
    const snapshot = await readSnapshotAgain(hubs.hubs, 'oakton.example')
    expect(snapshot?.pages).not.toContain('story')
    await hubs.ctx.db.deleteFrom('placeDomain').where('host', '=', 'oakton.example').execute()
  })

  test('an older snapshot does not replace a later one', async () => {
    const slow = await hubState(hubs.ctx, 'oakton')
    await setStoryStatus('draft')
    await writeEdgesNow()
    if (!slow) throw new Error('There is no hub.')
    await writeSnapshot(hubs.hubs, 'oakton.localhost', buildSnapshot(hubs.ctx, slow))
    expect((await hubs.read(storyPath)).status).toBe(404)
  })

  test("a withheld page says so in the reader's language, and its file is not served", async () => {
    hubs.state.words = 'with a file'
    const visit: VisitPath = async (hub, path, locales, languages, memo) =>
      (await hubs.visit(hub, path, locales, languages, memo)).map((page) =>
        path === storyPath
          ? { ...page, files: [{ name: 'a1.svg', type: 'image/svg+xml', body: '<svg/>' }] }
          : page,
      )
    await hubs.emit('hub', {})
    await publishOutbox(hubs.ctx, visit, () => {})
    expect((await hubs.read('/f/a1.svg')).status).toBe(200)
    breakOakton()
    await hubs.ctx.db
      .updateTable('insight')
      .set({ deletedAt: new Date() })
      .where('id', '=', 'calls')
      .execute()
    await writeEdgesNow()
    const response = await hubs.read(`/es${storyPath}`)
    expect([
      response.status,
      response.headers.get('retry-after'),
      response.headers.get('cache-control'),
    ]).toEqual([503, '10', 'no-store'])
    expect(response.text).toContain('Esta página se está actualizando')
    expect(response.text).not.toContain('with a file')
    expect((await hubs.read('/f/a1.svg')).status).toBe(404)
    await hubs.ctx.db.updateTable('insight').set({ deletedAt: null }).where('id', '=', 'calls').execute()
  })

  test('a closed hub redirects nowhere, whatever fails', async () => {
    breakOakton()
    await hubs.ctx.db.updateTable('place').set({ isHub: false }).where('id', '=', 'oakton').execute()
    await writeEdgesNow()
    expect((await hubs.read('/about')).status).toBe(0)
    await hubs.ctx.db.updateTable('place').set({ isHub: true }).where('id', '=', 'oakton').execute()
  })
})
