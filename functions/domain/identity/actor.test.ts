import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import type { Db } from '#db/schema.ts'
import { settings } from '#db/worlds/world.ts'
import { seedRoles } from '#functions/domain/access/seed.ts'
import type { Actor, Context } from '#functions/context.ts'
import { login } from './accounts.ts'
import { createAccount } from './create-account.ts'
import { clientKey } from '#functions/shapes/client-key.ts'
import { createAccountKey, createSourceKey, listKeys, revokeKey } from './keys.ts'
import { sweepIdentity } from './sweep.ts'
import * as sessions from './sessions.ts'
import { readState } from './state.ts'
import { visitor } from './testing.ts'

let database: TestDatabase
let db: Db
let end: () => Promise<void>
const password = 'correct horse battery'
const defaults = { createdBy: null }
const place = (id: string) => ({
  id,
  name: id,
  displayName: `City of ${id}`,
  theme: '{}',
  mapConfiguration: '{}',
  ...defaults,
})
const people: Record<string, { userId: string; key: string | null }> = {}

beforeAll(async () => {
  database = await freshDatabase()
  const product = database.connect(asSystem)
  ;({ db, end } = product)
  await product.transaction(seedRoles)
  await db
    .insertInto('place')
    .values([place('oak'), { ...place('elm'), isHub: true }, { ...place('ash'), deletedAt: new Date() }])
    .execute()
  await db
    .insertInto('placeDomain')
    .values({ host: 'data.elm.example', placeId: 'elm', token: 't', verifiedAt: new Date() })
    .execute()
  await db
    .insertInto('placeDomain')
    .values({ host: 'unverified.example', placeId: 'elm', token: 't' })
    .execute()
  await db
    .insertInto('dataType')
    .values({ id: 'tree', name: 'Tree', schema: '{}', ...defaults })
    .execute()
  await db
    .insertInto('source')
    .values({
      id: 'shut',
      placeId: 'oak',
      dataTypeId: 'tree',
      name: 'Shut',
      visibility: 'place',
      ...defaults,
    })
    .execute()
  const plan = { password, verified: true, globalRole: null, memberships: [], keyName: 'test' }
  people.ada = await createAccount(db, {
    ...plan,
    email: 'Ada@Example.org',
    name: 'Ada',
    welcomed: true,
    memberships: [
      { placeId: 'oak', role: 'organization_admin' },
      { placeId: 'elm', role: null },
      { placeId: 'ash', role: 'viewer' },
    ],
  })
  people.root = await createAccount(db, {
    ...plan,
    email: 'root@example.org',
    name: 'Root',
    globalRole: 'super_admin',
  })
})
afterAll(async () => {
  await end()
  await database.close()
})

const readActor = (browser: ReturnType<typeof visitor>) =>
  browser.ask(async (ctx): Promise<Actor> => ctx.actor)
async function signIn(email: string, about = {}) {
  const browser = visitor(database, about)
  await browser.ask((ctx: Context) => login(ctx, { data: { email, password } }))
  return browser
}
const withKey = (key: string | null) => {
  const client = visitor(database)
  client.key = key
  return client
}

describe('a session', () => {
  test('gives the person with their places, in the order they joined, without deleted places', async () => {
    const actor = await readActor(await signIn('ada@example.org'))
    expect(actor).toMatchObject({
      kind: 'user',
      user: { id: people.ada?.userId, email: 'ada@example.org', verified: true, welcomed: true, role: null },
      source: null,
    })
    expect(actor.memberships).toHaveLength(2)
    expect(actor.memberships).toContainEqual({ placeId: 'oak', role: 'organization_admin' })
    expect(actor.memberships).toContainEqual({ placeId: 'elm', role: null })
    expect(actor.session?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000)
  })

  test('includes the pending invitations of the person, unless they already belong to the place', async () => {
    const browser = await signIn('root@example.org')
    expect(await readActor(browser)).not.toHaveProperty('invites')
    const invite = {
      ...{ placeId: 'oak', role: 'viewer', invitedBy: null },
      expiresAt: new Date(Date.now() + 86_400_000),
    }
    await db
      .insertInto('invite')
      .values([
        { id: 'for-root', email: 'root@example.org', ...invite, sentAt: new Date(Date.now() - 60_000) },
        { id: 'to-elm', email: 'root@example.org', ...invite, placeId: 'elm' },
        { id: 'for-ada', email: 'ada@example.org', ...invite },
      ])
      .execute()
    expect((await readActor(browser)).invites).toEqual([
      { id: 'to-elm', placeName: 'City of elm' },
      { id: 'for-root', placeName: 'City of oak' },
    ])
    expect(await readActor(await signIn('ada@example.org'))).not.toHaveProperty('invites')
    await db
      .updateTable('invite')
      .set({ expiresAt: new Date(0) })
      .execute()
    expect(await readActor(browser)).not.toHaveProperty('invites')
    await db.deleteFrom('invite').execute()
  })

  test('a changed role, a removal and an ended session take effect at the next request', async () => {
    const browser = await signIn('ada@example.org')
    const membershipUpdate = db.updateTable('placeUser').where('placeId', '=', 'oak')
    await membershipUpdate.set({ role: 'viewer' }).execute()
    expect((await readActor(browser)).memberships).toContainEqual({ placeId: 'oak', role: 'viewer' })
    await membershipUpdate.set({ role: 'organization_admin' }).execute()
    await db
      .updateTable('user')
      .set({ role: null })
      .where('id', '=', people.root?.userId ?? '')
      .execute()
    expect((await readActor(await signIn('root@example.org'))).user?.role).toBeNull()
    await db
      .updateTable('user')
      .set({ role: 'super_admin' })
      .where('id', '=', people.root?.userId ?? '')
      .execute()
    const { session } = await readActor(browser)
    await db
      .deleteFrom('session')
      .where('id', '=', session?.id ?? '')
      .execute()
    expect((await readActor(browser)).kind).toBe('anonymous')
  })

  test('is renewed after a day for another thirty, together with the cookie; an expired one is no session', async () => {
    const browser = await signIn('ada@example.org')
    const id = (await readActor(browser)).session?.id ?? ''
    expect(browser.setCookies).toEqual([])
    await sql`update session set expires_at = now() + interval '3 days', updated_at = now() - interval '27 days' where id = ${id}`.execute(
      db,
    )
    const renewed = await readActor(browser)
    expect(renewed.session?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 29.9 * 86_400_000)
    expect(browser.setCookies[0]).toContain('Max-Age=2592000')
    expect((await readActor(browser)).session?.id).toBe(id)
    await sql`update session set expires_at = now() - interval '1 second' where id = ${id}`.execute(db)
    expect((await readActor(browser)).kind).toBe('anonymous')
  })

  test('is not taken from the query', async () => {
    const browser = await signIn('ada@example.org')
    await expect(readActor(withKey(decodeURIComponent(browser.session() ?? '')))).rejects.toMatchObject({
      kind: 'unauthenticated',
    })
  })
})

test('expired sessions are swept, others stay', async () => {
  const [old, young] = [await signIn('ada@example.org'), await signIn('ada@example.org')]
  const id = (await readActor(old)).session?.id ?? ''
  await sql`update session set expires_at = now() - interval '1 second' where id = ${id}`.execute(db)
  await sweepIdentity(db)
  expect(await db.selectFrom('session').select('id').where('id', '=', id).execute()).toEqual([])
  expect((await readActor(young)).kind).toBe('user')
})

describe('one’s own sessions', () => {
  test('are listed without tokens, and ended one by one or all except this one', async () => {
    await db.deleteFrom('session').execute()
    const args = { params: {}, options: {}, data: undefined, placeId: null }
    const laptop = await signIn('ada@example.org', { ip: '203.0.113.77' })
    const iphone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'
    const phone = await signIn('ada@example.org', { ip: '2001:db8:1:2:3::4', userAgent: iphone })
    const stranger = await signIn('root@example.org')
    const { results } = await laptop.ask((ctx) => sessions.find(ctx, args))
    expect(results.map(({ device, ipPrefix, current }) => ({ device, ipPrefix, current }))).toEqual(
      expect.arrayContaining([
        { device: 'Firefox on Linux', ipPrefix: '203.0.113.0', current: true },
        { device: 'Safari on iPhone', ipPrefix: '2001:db8:1::', current: false },
      ]),
    )
    expect(results).toHaveLength(2)
    expect(JSON.stringify(results)).not.toContain((await readActor(laptop)).session?.token)
    const other = results.find((session) => !session.current)?.id ?? ''
    const remove = (ctx: Context) => sessions.deleteById(ctx, { params: { sessionId: other } })
    expect(await stranger.ask(remove)).toBeUndefined()
    expect((await readActor(phone)).kind).toBe('user')
    expect(await laptop.ask(remove)).toEqual({ id: other })
    expect((await readActor(phone)).kind).toBe('anonymous')
    const again = await signIn('ada@example.org')
    expect(await laptop.ask((ctx) => sessions.purge(ctx))).toEqual({ count: 1 })
    expect((await readActor(again)).kind).toBe('anonymous')
    expect((await readActor(laptop)).kind).toBe('user')
    expect((await readActor(stranger)).kind).toBe('user')
    await expect(visitor(database).ask((ctx) => sessions.find(ctx, args))).rejects.toMatchObject({
      kind: 'unauthenticated',
    })
  })
})

describe('an API key', () => {
  test('of an account acts as the user, by option or header, and takes precedence over a cookie', async () => {
    const key = people.ada?.key ?? ''
    expect(key).toMatch(/^cpk_[A-Za-z0-9_-]{43}$/)
    const actor = await readActor(withKey(key))
    expect(actor).toMatchObject({ kind: 'user', user: { email: 'ada@example.org' }, session: null })
    const client = await signIn('root@example.org')
    client.headers.set('authorization', `Bearer ${key}`)
    expect((await readActor(client)).user?.email).toBe('ada@example.org')
  })

  test('of a source acts as that source and no person, even when the source is not public', async () => {
    const { key, prefix } = await createSourceKey(db, 'shut', 'sensor')
    expect(key.startsWith(prefix)).toBe(true)
    expect(await readActor(withKey(key))).toMatchObject({
      kind: 'sourceKey',
      user: null,
      memberships: [],
      source: { id: 'shut', placeId: 'oak' },
    })
    const setDeletedAt = (deletedAt: Date | null) =>
      db.updateTable('source').set({ deletedAt }).where('id', '=', 'shut').execute()
    await setDeletedAt(new Date())
    await expect(readActor(withKey(key))).rejects.toMatchObject({ kind: 'unauthenticated' })
    await setDeletedAt(null)
    await expect(createSourceKey(db, 'none', 'x')).rejects.toMatchObject({ kind: 'notFound' })
  })

  test('is stored as a hash, listed by prefix, marked as used once an hour, and invalid when revoked', async () => {
    const owner = { userId: people.root?.userId ?? '' }
    const { id, key, prefix } = await createAccountKey(db, owner.userId, 'laptop')
    const row = () => db.selectFrom('apiKey').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(JSON.stringify(await row())).not.toContain(key.slice(prefix.length))
    await readActor(withKey(key))
    const firstUseAt = (await row()).lastUsedAt
    expect(firstUseAt).toBeInstanceOf(Date)
    await readActor(withKey(key))
    expect((await row()).lastUsedAt).toEqual(firstUseAt)
    expect((await listKeys({ db, settings }, owner)).results).toContainEqual({
      id,
      name: 'laptop',
      prefix,
      scope: 'account',
      lastUsedAt: firstUseAt,
      expiresAt: (await row()).expiresAt,
      createdAt: (await row()).createdAt,
    })
    expect(await revokeKey(db, id, { userId: people.ada?.userId ?? '' })).toBe(false)
    expect(await revokeKey(db, id, owner)).toBe(true)
    await expect(readActor(withKey(key))).rejects.toMatchObject({ kind: 'unauthenticated' })
    expect(
      (await listKeys({ db, settings }, owner)).results.map((accountKey) => accountKey.id),
    ).not.toContain(id)
  })

  test('that is empty or the app’s own is ignored; a wrong one is rejected, not treated as anonymous', async () => {
    for (const none of ['', clientKey]) expect((await readActor(withKey(none))).kind).toBe('anonymous')
    for (const wrong of ['x', `cpk_${'A'.repeat(43)}`, `cps_${'A'.repeat(43)}`])
      await expect(readActor(withKey(wrong))).rejects.toMatchObject({ kind: 'unauthenticated' })
    const two = withKey(people.ada?.key ?? '')
    two.headers.set('authorization', `Bearer ${people.root?.key}`)
    await expect(readActor(two)).rejects.toMatchObject({ kind: 'unauthenticated' })
  })
})

test('the state contains the hub of a host, by verified domain or first label', async () => {
  const browser = await signIn('ada@example.org')
  const hub = async (hostname: string) =>
    (await browser.ask((ctx) => readState(ctx, { data: { hostname } }))).hub
  expect(await hub('app.test:8787')).toBeNull()
  for (const host of ['elm.hubs.test', 'ELM.hubs.test:8787', 'data.elm.example'])
    expect(await hub(host)).toMatchObject({
      place: { id: 'elm', displayName: 'City of elm' },
      invalid: false,
    })
  for (const host of [
    'oak.hubs.test',
    'ash.hubs.test',
    'a.elm.hubs.test',
    'unverified.example',
    'elm',
    'hubs.test',
  ])
    expect(await hub(host)).toEqual({ place: null, invalid: true })
  const { session } = await browser.ask((ctx) => readState(ctx, { data: undefined }))
  expect(session?.user.places.map((userPlace) => [userPlace.id, userPlace.role])).toEqual(
    expect.arrayContaining([
      ['oak', 'organization_admin'],
      ['elm', null],
    ]),
  )
})

test('an account with a known address is not created twice', async () => {
  const plan = {
    email: 'ADA@example.org',
    name: 'Two',
    password,
    verified: true,
    globalRole: null,
    memberships: [],
  }
  await expect(createAccount(db, plan)).rejects.toMatchObject({ kind: 'conflict' })
})
