import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from './testing/wire.testing.ts'
import { asWithReason } from './testing/with-reason.testing.ts'
import { identifyActor } from '#functions/domain/identity/actor.ts'
import { createAccount } from '#functions/domain/identity/create-account.ts'
import { hashText } from '#functions/domain/identity/keys.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, settings, type TestWorld, type Person, type TestContext } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const askAs = (person: Person, requestLine: string, body?: unknown) =>
  ask(world.as(person), requestLine, body)
const system = () => world.as('system').db
const actorWith = (key: string) =>
  identifyActor(new Headers(), key, system(), { settings, responseHeaders: new Headers(), later: () => {} })
/** An actor with a key instead of a session. */
const withKey = async (key: string): Promise<TestContext> =>
  world.as('member', { actor: await actorWith(key) })
const findRole = async (userId: string) =>
  (
    await system()
      .selectFrom('placeUser')
      .select('role')
      .where('userId', '=', userId)
      .where('placeId', '=', 'oakton')
      .executeTakeFirst()
  )?.role

describe('account keys', () => {
  test('are shown once, act as their person, and stop working when revoked', async () => {
    const response = await askAs('member', 'POST /users/member/keys', { name: 'laptop' })
    expect(response.status).toBe(201)
    const { id, key } = response.body as unknown as { id: string; key: string }
    expect(key).toMatch(/^cpk_/)
    const list = await askAs('member', 'GET /users/member/keys')
    expect(list.body).toMatchObject({
      results: [{ id, name: 'laptop', prefix: key.slice(0, 10), lastUsedAt: null }],
      meta: { results: 1, total: 1 },
    })
    expect(JSON.stringify(list.body)).not.toContain(key.slice(10))
    const row = await system().selectFrom('apiKey').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row.hash).toBe(await hashText(key))
    expect(JSON.stringify(row)).not.toContain(key)
    expect((await ask(await withKey(key), 'GET /users/member')).body).toMatchObject({ id: 'member' })
    expect((await askAs('member', `DELETE /users/member/keys/${id}`)).body).toEqual({ id })
    await expect(actorWith(key)).rejects.toMatchObject({ kind: 'unauthenticated' })
    expect((await askAs('member', `DELETE /users/member/keys/${id}`)).status).toBe(404)
  })

  test('are not accessible to anyone else, not even super admins', async () => {
    const { body } = await askAs('member', 'POST /users/member/keys', { name: 'mine' })
    for (const person of ['viewer', 'organization_admin', 'support', 'super_admin'] as const) {
      expect((await askAs(person, 'GET /users/member/keys')).status).toBe(403)
      expect((await askAs(person, 'POST /users/member/keys', { name: 'x' })).status).toBe(403)
      expect((await askAs(person, `DELETE /users/member/keys/${String(body.id)}`)).status).toBe(403)
      // Under their own path another's key does not exist.
      expect((await askAs(person, `DELETE /users/${person}/keys/${String(body.id)}`)).status).toBe(404)
    }
  })

  test('cannot create keys: a stolen one must not survive in another', async () => {
    const { body } = await askAs('member', 'POST /users/member/keys', { name: 'found' })
    const thief = await withKey(String(body.key))
    expect((await ask(thief, 'POST /users/member/keys', { name: 'more' })).status).toBe(403)
  })

  test('are at most fifty, also with concurrent requests', async () => {
    const some = Array.from({ length: 47 }, (_, i) => ({
      ...{ id: `key-${i}`, hash: `hash-${i}`, prefix: 'cpk_', userId: 'viewer', name: `key ${i}` },
      ...{ scope: 'account' as const, sourceId: null, placeId: null },
    }))
    await system().insertInto('apiKey').values(some).execute()
    const make = (name: string) => askAs('viewer', 'POST /users/viewer/keys', { name })
    const answers = await Promise.all(Array.from({ length: 10 }, () => make('at once')))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, ...Array<number>(7).fill(409)])
    await askAs('viewer', 'DELETE /users/viewer/keys/key-1')
    expect((await make('room again')).status).toBe(201)
    const { body } = await askAs('viewer', 'GET /users/viewer/keys?limit=2&search=room')
    expect(body).toMatchObject({ results: [{ name: 'room again' }], meta: { total: 1 } })
  })
})

describe('write keys of a source', () => {
  test('are created by admins, write its data and cannot create keys', async () => {
    const response = await askAs('content_admin', 'POST /sources/inner/keys', { name: 'sensor' })
    expect(response.status).toBe(201)
    const { id, key } = response.body as unknown as { id: string; key: string }
    expect(key).toMatch(/^cps_/)
    const sensor = await withKey(key)
    expect(sensor.actor.source).toEqual({ id: 'inner', placeId: 'oakton' })
    for (const requestLine of [
      'GET /sources/inner/keys',
      'POST /sources/inner/keys',
      `DELETE /sources/inner/keys/${id}`,
    ])
      expect([
        requestLine,
        (await ask(sensor, requestLine, requestLine.startsWith('POST') ? { name: 'x' } : undefined)).status,
      ]).toEqual([requestLine, 403])
    expect((await ask(sensor, 'GET /sessions')).status).toBe(403)
    expect((await askAs('organization_admin', 'GET /sources/inner/keys')).body).toMatchObject({
      results: [{ id }],
    })
    expect((await askAs('organization_admin', `DELETE /sources/open/keys/${id}`)).status).toBe(404)
    expect((await askAs('organization_admin', `DELETE /sources/inner/keys/${id}`)).body).toEqual({ id })
    await expect(actorWith(key)).rejects.toMatchObject({ kind: 'unauthenticated' })
  })

  test('are not for members, nor for other places', async () => {
    const make = (person: Person) => askAs(person, 'POST /sources/inner/keys', { name: 'x' })
    expect((await make('anonymous')).status).toBe(401)
    expect((await make('member')).status).toBe(403)
    // Without a reason support staff do not see the source; with one they may not do this either.
    expect((await make('support')).status).toBe(404)
    const supportContext = await asWithReason(world, 'support')
    expect((await ask(supportContext, 'POST /sources/inner/keys', { name: 'x' })).status).toBe(403)
    expect((await make('stranger')).status).toBe(404)
  })
})

describe('one’s own sessions', () => {
  const plant = async (id: string, userId: string) =>
    system()
      .insertInto('session')
      .values({
        id,
        userId,
        token: `token-${id}`,
        expiresAt: new Date('2100-01-01'),
        ipAddress: '203.0.113.77',
      })
      .execute()

  test('are visible to their person, by session or key, and cannot be ended by anyone else', async () => {
    await plant('session-of-member', 'member')
    await plant('other-of-member', 'member')
    await plant('session-of-viewer', 'viewer')
    const { body } = await askAs('member', 'GET /sessions?orderings[0][value]=createdAt')
    expect(body).toMatchObject({ meta: { results: 2, total: 2 } })
    expect((body.results as unknown as { current: boolean }[]).filter(({ current }) => current)).toHaveLength(
      1,
    )
    expect(JSON.stringify(body)).not.toMatch(/token|113\.77/)
    expect((await askAs('member', 'GET /sessions?limit=1')).body).toMatchObject({
      meta: { results: 1, total: 2 },
    })
    for (const requestLine of ['DELETE /sessions/session-of-viewer', 'DELETE /sessions/nowhere'])
      expect((await askAs('member', requestLine)).status).toBe(404)
    const response = await askAs('member', 'POST /users/member/keys', { name: 'script' })
    const script = await withKey(String(response.body.key))
    expect((await ask(script, 'GET /sessions')).body).toMatchObject({ meta: { total: 2 } })
    expect((await askAs('member', 'POST /sessions/purge')).body).toEqual({ count: 1 })
    expect((await askAs('member', 'DELETE /sessions/session-of-member')).body).toEqual({
      id: 'session-of-member',
    })
    expect((await askAs('viewer', 'GET /sessions')).body).toMatchObject({ meta: { total: 1 } })
  })
})

describe('the people of a place', () => {
  test('are listed, with addresses only for admins', async () => {
    const { body } = await askAs('organization_admin', 'GET /places/oakton/users?search=viewer@')
    expect(body).toMatchObject({ results: [{ id: 'viewer', role: 'viewer', email: 'viewer@example.com' }] })
    const listResponse = await askAs('viewer', 'GET /places/oakton/users')
    expect(JSON.stringify(listResponse.body)).not.toContain('@')
    expect((await askAs('viewer', 'GET /places/oakton/users?search=viewer@')).body).toMatchObject({
      results: [],
    })
  })

  test('get no role above that of the person who assigns it, and cannot be changed by lower ones', async () => {
    const grants = ['placeUser.update', 'placeUser.delete'].map((operationId) => ({
      roleId: 'content_admin',
      operationId,
    }))
    await system().insertInto('roleOperation').values(grants).execute()
    const patch = (userId: string, role: string | null) =>
      askAs('content_admin', `PATCH /places/oakton/users/${userId}`, { role })
    expect((await patch('viewer', 'organization_admin')).status).toBe(403)
    expect((await patch('content_admin', 'organization_admin')).status).toBe(403)
    expect((await patch('organization_admin', 'viewer')).status).toBe(403)
    expect((await askAs('content_admin', 'DELETE /places/oakton/users/organization_admin')).status).toBe(403)
    expect((await patch('viewer', 'super_admin')).status).toBe(400)
    expect((await patch('viewer', 'nonsense')).status).toBe(400)
    expect((await patch('viewer', 'member')).status).toBe(200)
    expect((await patch('viewer', 'viewer')).status).toBe(200)
    expect(await findRole('organization_admin')).toBe('organization_admin')
    await system()
      .deleteFrom('roleOperation')
      .where('roleId', '=', 'content_admin')
      .where(
        'operationId',
        'in',
        grants.map(({ operationId }) => operationId),
      )
      .execute()
  })

  test('the last organization admin stays', async () => {
    const me = '/places/oakton/users/organization_admin'
    expect((await askAs('organization_admin', `PATCH ${me}`, { role: 'viewer' })).status).toBe(409)
    expect((await askAs('organization_admin', `PATCH ${me}`, { role: null })).status).toBe(409)
    expect((await askAs('organization_admin', `DELETE ${me}`)).status).toBe(409)
    expect((await askAs('super_admin', `DELETE ${me}`)).status).toBe(409)
  })

  test('a lower role or removal applies from the next request on', async () => {
    // A session identifies only the person: their roles are read again for every request.
    await system()
      .insertInto('session')
      .values({ id: 'of-admin', userId: 'content_admin', token: 'admin', expiresAt: new Date('2100-01-01') })
      .execute()
    const response = await ask(world.as('content_admin'), 'POST /users/content_admin/keys', {
      name: 'script',
    })
    const key = String(response.body.key)
    const create = async () =>
      (await ask(await withKey(key), 'POST /places/oakton/collections', { name: 'Trees' })).status
    expect(await create()).toBe(201)
    await askAs('organization_admin', 'PATCH /places/oakton/users/content_admin', { role: 'viewer' })
    expect(await create()).toBe(403)
    await askAs('organization_admin', 'PATCH /places/oakton/users/content_admin', { role: null })
    expect(await create()).toBe(403)
    await askAs('organization_admin', 'DELETE /places/oakton/users/content_admin')
    expect(await create()).toBe(404)
    await system()
      .insertInto('placeUser')
      .values({ placeId: 'oakton', userId: 'content_admin', role: 'content_admin' })
      .execute()
  })

  test('a member without a role may leave', async () => {
    expect((await askAs('no_role', 'DELETE /places/oakton/users/no_role')).status).toBe(200)
    expect(await findRole('no_role')).toBeUndefined()
  })
})

describe('a user', () => {
  test('can see and change themselves', async () => {
    expect((await askAs('member', 'GET /users/member')).body).toMatchObject({
      email: 'member@example.com',
      verified: true,
      places: [{ id: 'oakton', role: 'member' }],
    })
    expect((await askAs('member', 'PATCH /users/member', { name: 'Mem' })).body).toMatchObject({
      name: 'Mem',
    })
    for (const changes of [
      { email: 'a@b.org' },
      { verified: false },
      { emailVerified: true },
      { authMethod: 'x' },
    ])
      expect((await askAs('member', 'PATCH /users/member', changes)).status).toBe(400)
    expect((await askAs('member', 'PATCH /users/member', { role: 'super_admin' })).status).toBe(403)
    expect((await askAs('super_admin', 'PATCH /users/super_admin', { role: null })).status).toBe(403)
    expect((await askAs('member', 'GET /users')).status).toBe(403)
    expect((await askAs('support', 'GET /users?limit=2')).body).toMatchObject({ meta: { results: 2 } })
  })

  test('must sign in again after getting a global role, which is logged', async () => {
    await system()
      .insertInto('session')
      .values({ id: 'old', userId: 'none', token: 'old', expiresAt: new Date('2100-01-01') })
      .execute()
    expect((await askAs('super_admin', 'PATCH /users/none', { role: 'support' })).body).toMatchObject({
      role: 'support',
    })
    expect(await system().selectFrom('session').select('id').where('userId', '=', 'none').execute()).toEqual(
      [],
    )
    const lines = await system()
      .selectFrom('activity')
      .select(['verb', 'actorId', 'placeId'])
      .where('targetId', '=', 'none')
      .execute()
    expect(lines).toEqual([{ verb: 'updated', actorId: 'super_admin', placeId: null }])
  })

  test('can delete themselves only with the password, and never as the last admin', async () => {
    expect(await askAs('viewer', 'DELETE /users/viewer', { password: 'wrong' })).toMatchObject({
      status: 400,
      body: { fields: [{ path: ['password'] }] },
    })
    expect((await askAs('super_admin', 'DELETE /users/organization_admin')).status).toBe(409)
    expect((await askAs('super_admin', 'DELETE /users/viewer')).body).toEqual({ id: 'viewer' })
    expect((await askAs('super_admin', 'GET /users/viewer')).status).toBe(404)
    expect((await askAs('super_admin', 'DELETE /users/viewer')).status).toBe(404)
  })
})

describe('names of people and of places', () => {
  const bad = ['<b>Ann</b>', 'a > b', 'Ann\nBcc: x@y.example', 'An\u2028n', '   ']

  test('are rejected with markup or line breaks, in every endpoint', async () => {
    for (const name of bad) {
      const requests = [
        ['member', 'PATCH /users/member', { name }],
        ['organization_admin', 'PATCH /places/oakton', { name }],
        ['organization_admin', 'PATCH /places/oakton', { displayName: name }],
        ['super_admin', 'POST /places', { id: 'pinewood', name }],
      ] as const
      for (const [person, path, body] of requests) {
        const { status, body: responseBody } = await askAs(person, path, body)
        expect([path, name, status]).toEqual([path, name, 400])
        expect(responseBody).toMatchObject({ fields: [{ path: [Object.keys(body).at(-1)] }] })
      }
      await expect(
        createAccount(system(), {
          ...{ email: 'new@people.test', name, password: 'long enough words', verified: true },
          ...{ globalRole: null, memberships: [] },
        }),
      ).rejects.toThrow()
    }
  })

  test('keep their letters', async () => {
    expect(
      (await askAs('member', 'PATCH /users/member', { name: ' Zoë O’Brien & Søn ' })).body,
    ).toMatchObject({
      name: 'Zoë O’Brien & Søn',
    })
  })
})
