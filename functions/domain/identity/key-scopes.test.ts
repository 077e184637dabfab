import { dayInWords } from '#functions/domain/email/email.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '#functions/v1/testing/wire.testing.ts'
import { routes } from '#functions/api/routes.ts'
import { operations, isLook } from '#functions/domain/access/operations.ts'
import { v1 } from '#functions/v1/index.ts'
import type { AccountScope } from '#functions/shapes/key-scope.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, settings, type TestWorld, type Person, type TestContext } from '#db/worlds/world.ts'
import { identifyActor } from './actor.ts'
import { notifyOfExpiringKeys } from './key-notices.ts'
import { createAccountKey, createSourceKey } from './keys.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const system = () => world.as('system')
const askAs = (person: Person, requestLine: string, body?: unknown) =>
  ask(world.as(person), requestLine, body)

/** Creates a client with a key: each `ask` looks up the key again; `written` has the deferred writes. */
async function program(key: string): Promise<TestContext & { written: Promise<unknown>[] }> {
  const deferredWrites: Promise<unknown>[] = []
  const reading = {
    // The super admins of the world have no second factor.
    settings: { ...settings, secondFactor: 'optional' as const },
    responseHeaders: new Headers(),
    later: (work: Promise<unknown>) => void deferredWrites.push(work),
  }
  const actor = await identifyActor(new Headers(), key, system().db, reading)
  await Promise.all(deferredWrites)
  return Object.assign(world.as('member', { actor }), { written: deferredWrites })
}
const make = (person: Person, scope: AccountScope) => createAccountKey(system().db, person, scope, scope)
const status = async (key: { key: string }, requestLine: string, body?: unknown) =>
  (await ask(await program(key.key), requestLine, body)).status

const set = (id: string, change: object) =>
  system().db.updateTable('apiKey').set(change).where('id', '=', id).execute()
const getDateInDays = (days: number) => new Date(Date.now() + days * 86_400_000 - 60_000)

describe('the scope of an API key', () => {
  test('read: sees what its person sees and changes nothing', async () => {
    const key = await make('organization_admin', 'read')
    expect(await status(key, 'GET /sources/inner')).toBe(200)
    expect(await status(key, 'GET /places/oakton/activities')).toBe(200)
    const writes: [string, unknown][] = [
      ['PATCH /places/oakton', { description: 'x' }],
      ['POST /places/oakton/collections', { name: 'Trees' }],
      ['PATCH /users/organization_admin', { name: 'Other' }],
      ['DELETE /sources/inner', undefined],
      ['POST /core/auth/signup', { email: 'x@example.org', password: 'long enough for it', name: 'x' }],
    ]
    for (const [requestLine, body] of writes)
      expect([requestLine, await status(key, requestLine, body)]).toEqual([requestLine, 403])
    const wide = await make('organization_admin', 'account')
    expect(await status(wide, 'PATCH /places/oakton', { description: 'x' })).toBe(200)
  })

  test('a key with the scope read is denied every route of /v1 that changes something', () => {
    const changing = routes(v1).filter(({ method, endpoint }) => method !== 'get' && isLook(endpoint.allow))
    // Trying a question is a POST because questions are long.
    expect(changing.map(({ name }) => name)).toEqual(['place.insight.test'])
  })

  test('internals: only keys with that scope, and only of people who may', async () => {
    const [usual, wide, reads] = [
      await make('super_admin', 'account'),
      await make('super_admin', 'internals'),
      await make('super_admin', 'read'),
    ]
    expect(await status(wide, 'GET /internals')).toBe(200)
    expect(await status(usual, 'GET /internals')).toBe(403)
    expect(await status(reads, 'GET /internals')).toBe(403)
    expect(await status(usual, 'POST /internals/halt')).toBe(403)
    expect(await status(usual, 'GET /users')).toBe(200)
    expect(await status(await make('organization_admin', 'internals'), 'GET /internals')).toBe(403)
    const all = routes(v1).filter(({ path }) => path.includes('internals'))
    expect(all.length).toBeGreaterThan(5)
    for (const { endpoint } of all) expect(operations[endpoint.allow][0]).toBe('internal')
  })

  test('is chosen when a key is created, with its expiry; by default a year and no internals', async () => {
    const plain = await askAs('viewer', 'POST /users/viewer/keys', { name: 'a' })
    expect(plain.body).toMatchObject({ scope: 'account' })
    const computeRemainingDays = (body: unknown) =>
      (Date.parse((body as { expiresAt: string }).expiresAt) - Date.now()) / 86_400_000
    expect(computeRemainingDays(plain.body)).toBeCloseTo(365, 1)
    const short = { name: 'b', scope: 'read', expiresInDays: 7 }
    const response = await askAs('viewer', 'POST /users/viewer/keys', short)
    expect(response.body).toMatchObject({ scope: 'read' })
    expect(computeRemainingDays(response.body)).toBeCloseTo(7, 1)
    for (const wrong of [
      { scope: 'source' },
      { scope: 'all' },
      { expiresInDays: 0 },
      { expiresInDays: 731 },
      { expiresInDays: 1.5 },
      { expiresInDays: null },
    ]) {
      const errorResponse = await askAs('viewer', 'POST /users/viewer/keys', { name: 'c', ...wrong })
      expect([wrong, errorResponse.status]).toEqual([wrong, 400])
    }
    const source = await askAs('content_admin', 'POST /sources/inner/keys', { name: 'd', expiresInDays: 30 })
    expect(source.body).toMatchObject({ scope: 'source' })
    expect(computeRemainingDays(source.body)).toBeCloseTo(30, 1)
  })
})

describe('the expiry of a key', () => {
  test('rejects it, and says why to its holder', async () => {
    const keys = [await make('viewer', 'read'), await createSourceKey(system().db, 'inner', 'x')]
    for (const { id, key } of keys) {
      await program(key)
      await set(id, { expiresAt: new Date('2026-01-02T12:00:00Z') })
      await expect(program(key)).rejects.toMatchObject({
        kind: 'unauthenticated',
        message: 'This key expired on 2026-01-02. Make a new one.',
      })
      await set(id, { revokedAt: new Date() })
      await expect(program(key)).rejects.toMatchObject({ message: expect.stringContaining('revoked') })
    }
  })

  test('frees its slot for another, and keeps the key listed', async () => {
    const { id } = await make('stranger', 'read')
    await set(id, { expiresAt: getDateInDays(-1) })
    const { body } = await askAs('stranger', 'GET /users/stranger/keys')
    expect(body).toMatchObject({ results: [{ id, scope: 'read' }] })
    await system()
      .db.insertInto('apiKey')
      .values(
        Array.from({ length: 49 }, (_, n) => ({
          ...{ id: `room-${n}`, hash: `room-${n}`, prefix: 'cpk_', scope: 'read' as const, name: '' },
          ...{ userId: 'stranger', sourceId: null, placeId: null },
        })),
      )
      .execute()
    const another = () => askAs('stranger', 'POST /users/stranger/keys', { name: 'x' })
    expect((await another()).status).toBe(201)
    expect((await another()).status).toBe(409)
  })
})

describe('the last use of a key', () => {
  const readLastUse = async (id: string) =>
    (
      await system()
        .db.selectFrom('apiKey')
        .select('lastUsedAt')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).lastUsedAt

  test('is written once an hour, without delaying a request', async () => {
    const { id, key } = await make('viewer', 'account')
    expect((await program(key)).written).toHaveLength(1)
    expect(Date.now() - Number(await readLastUse(id))).toBeLessThan(60_000)
    const before = new Date(Date.now() - 59 * 60_000)
    await set(id, { lastUsedAt: before })
    expect((await program(key)).written).toHaveLength(0)
    await set(id, { lastUsedAt: new Date(Date.now() - 61 * 60_000) })
    expect((await program(key)).written).toHaveLength(1)
    expect(Date.now() - Number(await readLastUse(id))).toBeLessThan(60_000)
  })
})

describe('owners are notified', () => {
  const mails = async () => {
    const rows = await system()
      .db.selectFrom('mail')
      .select(['to', 'subject', 'text'])
      .orderBy('to')
      .execute()
    await sql`delete from mail`.execute(system().db)
    return rows
  }
  const sendNotices = async () => {
    await notifyOfExpiringKeys(system())
    return mails()
  }
  const readUserEmail = (id: string) =>
    system().db.selectFrom('user').select('email').where('id', '=', id).executeTakeFirstOrThrow()

  test('that earlier keys now expire, once; a month and a week before the expiry; and the log has an entry of the expiry', async () => {
    await system().db.deleteFrom('apiKey').execute()
    await mails()
    const viewerKey = await make('viewer', 'internals')
    const write = await createSourceKey(system().db, 'inner', 'secret name', 'content_admin')
    const orphan = await createSourceKey(system().db, 'inner', 'orphan')
    const revokedKey = await make('member', 'account')
    for (const { id } of [viewerKey, write, orphan, revokedKey]) await set(id, { nextNotice: 'introduced' })
    await set(revokedKey.id, { revokedAt: new Date() })
    const { email: viewer } = await readUserEmail('viewer')
    const { email: content } = await readUserEmail('content_admin')
    const { email: organization } = await readUserEmail('organization_admin')

    const first = await sendNotices()
    expect(first.map(({ to }) => to).sort()).toEqual([viewer, content, organization].sort())
    const toViewer = first.find(({ to }) => to === viewer)
    expect(toViewer?.subject).toBe('A key of yours has an end now')
    expect(toViewer?.text).toContain(`${viewerKey.prefix}… ends on ${dayInWords(viewerKey.expiresAt)}.`)
    for (const { text } of first) {
      expect(text).not.toContain('secret name')
      for (const { key } of [viewerKey, write, orphan]) expect(text).not.toContain(key.slice(10))
    }
    expect(await sendNotices()).toEqual([])

    for (const [days, count] of [
      [31, 0],
      [30, 1],
      [29, 0],
      [8, 0],
      [7, 1],
      [1, 0],
    ] as const) {
      await set(viewerKey.id, { expiresAt: getDateInDays(days) })
      const letters = await sendNotices()
      expect([days, letters.length]).toEqual([days, count])
      for (const { to, subject } of letters)
        expect([to, subject]).toEqual([viewer, 'A key of yours ends soon'])
    }
    await set(write.id, { expiresAt: getDateInDays(0), nextNotice: 'end' })
    expect(await sendNotices()).toEqual([])
    const lines = () =>
      system()
        .db.selectFrom('activity')
        .select(['verb', 'targetType', 'placeId'])
        .where('targetId', '=', write.id)
        .execute()
    expect(await lines()).toEqual([{ verb: 'expired', targetType: 'key', placeId: 'oakton' }])
    await sendNotices()
    expect(await lines()).toHaveLength(1)
    // The entry of an account key belongs to its person.
    await set(viewerKey.id, { expiresAt: getDateInDays(0), nextNotice: 'end' })
    expect(await sendNotices()).toEqual([])
    const own = await system()
      .db.selectFrom('activity')
      .select(['verb', 'targetType', 'placeId', 'personId', 'actorId'])
      .where('targetId', '=', viewerKey.id)
      .where('verb', '=', 'expired')
      .execute()
    expect(own).toEqual([
      { verb: 'expired', targetType: 'key', placeId: null, personId: 'viewer', actorId: null },
    ])
  })

  test('not a month before when the key is valid for less', async () => {
    const { id } = await createAccountKey(system().db, 'viewer', 'short', 'read', 20)
    expect(await sendNotices()).toEqual([])
    await set(id, { expiresAt: getDateInDays(6) })
    expect(await sendNotices()).toHaveLength(1)
  })
})
