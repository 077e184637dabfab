import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '#db/schema.ts'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import { seedRoles } from '#functions/access/seed.ts'
import { call } from '#functions/api/call.ts'
import type { SsoChanges } from '#functions/shapes/sso.ts'
import { v1 } from '#functions/v1/index.ts'
import { createAccount } from '../create-account.ts'
import { lettersTo, refused, settings, visitor } from '../testing.ts'
import { recheckMailDomains } from './mail-domains.ts'
import { hostileProvider, outside, realProvider, signInAt, type Outside } from './provider.testing.ts'

const { sso, auth } = v1.core
type Browser = ReturnType<typeof visitor>
const password = 'correct horse battery'
const real = 'https://login.city.example'
const hostile = 'https://idp.other.example'
const registration = {
  clientId: 'commonplace',
  secret: 'the secret of the client, of many letters',
  redirectUri: `https://${settings.appHost}/login/sso/callback`,
}

let database: TestDatabase
let db: Db
let end: () => Promise<void>
let world: Outside
let evil: Awaited<ReturnType<typeof hostileProvider>>
beforeAll(async () => {
  database = await freshDatabase()
  ;({ db, end } = database.connect(asSystem))
  const { transaction, end: done } = database.connect(asSystem)
  await transaction(async (tx) => {
    await seedRoles(tx)
    const kept = { createdBy: null, theme: '{}', mapConfiguration: '{}' }
    for (const id of ['city', 'county'])
      await tx
        .insertInto('place')
        .values({ id, name: id, displayName: `The ${id}`, ...kept })
        .execute()
    const admin = { name: 'Admin', password, verified: true, globalRole: null }
    for (const placeId of ['city', 'county'])
      await createAccount(tx, {
        ...admin,
        email: `admin@${placeId}.example`,
        memberships: [{ placeId, role: 'organization_admin' }],
      })
    await createAccount(tx, {
      ...admin,
      email: 'mia@city.example',
      memberships: [{ placeId: 'county', role: 'content_admin' }],
    })
    await createAccount(tx, {
      ...admin,
      email: 'root@city.example',
      globalRole: 'super_admin',
      memberships: [],
    })
  })
  await done()
  world = outside()
  await realProvider(world, real, registration, {
    ann: { email: 'ann@city.example', email_verified: true, name: 'Ann Able' },
    pat: { email: 'pat@city.example', email_verified: true },
    mia: { email: 'mia@city.example', email_verified: true },
    old: { email: 'old@city.example' },
    far: { email: 'far@elsewhere.example', email_verified: true },
    root: { email: 'root@city.example', email_verified: true },
  })
  evil = await hostileProvider(world, hostile, registration)
})
afterAll(async () => {
  await end()
  await database.close()
  await world.net.close()
})

const browserOf = (about: Parameters<typeof visitor>[1] = {}) =>
  visitor(database, {
    settings: { ...settings, secondFactor: 'optional' },
    fetch: world.fetch,
    ...about,
  })
async function signedIn(email: string): Promise<Browser> {
  const browser = browserOf()
  await browser.ask((ctx) => call(auth.login, ctx, { data: { email, password } }))
  return browser
}
const provider: SsoChanges = {
  name: 'City account',
  issuer: real,
  clientId: registration.clientId,
  secret: registration.secret,
  role: 'viewer',
  isOn: true,
}
const save = (browser: Browser, changes: Partial<SsoChanges> = {}, placeId = 'city') =>
  browser.ask((ctx) =>
    call(v1.place.saveSso, ctx, { params: { placeId }, data: { ...provider, ...changes } }),
  )
/** Names a mail domain, sets its record and has it checked. */
async function prove(browser: Browser, domain: string, placeId = 'city') {
  const params = { placeId }
  const { proof } = await browser.ask((ctx) =>
    call(v1.place.mailDomain.create, ctx, { params, data: { domain } }),
  )
  world.zone[proof.name] = [['TXT', `"${proof.value}"`]]
  return browser.ask((ctx) =>
    call(v1.place.mailDomain.verify, ctx, { params: { placeId, mailDomainId: domain } }),
  )
}
const begin = async (browser: Browser, isAgain = false, redirectTo = '/sources') => {
  const { url } = await browser.ask((ctx) =>
    call(sso.start, ctx, { data: { placeId: 'city', redirectTo, isAgain } }),
  )
  return url
}
const finish = (browser: Browser, query: string) =>
  browser.ask((ctx) => call(sso.finish, ctx, { data: { query } }))
/** The whole way of a person of the real provider. */
async function comeIn(browser: Browser, accountId: string) {
  return finish(browser, await signInAt(world, await begin(browser), accountId))
}
const who = (browser: Browser) => browser.ask(async (ctx) => ctx.actor.user?.email ?? null)
const sessions = async () =>
  (await db.selectFrom('session').select('id').where('ssoPlaceId', 'is not', null).execute()).length
const said = async () =>
  (await db.selectFrom('placeSso').select('lastError').where('placeId', '=', 'city').executeTakeFirst())
    ?.lastError

describe('setting it up', () => {
  test('takes an organization admin of the place, and a proof of the last ten minutes', async () => {
    expect(await refused(save(await signedIn('admin@county.example')))).toMatchObject({ kind: 'notFound' })
    expect(await refused(save(browserOf()))).toMatchObject({ kind: 'unauthenticated' })
    const admin = await signedIn('admin@city.example')
    await sql`update session set proved_at = now() - interval '11 minutes'`.execute(db)
    expect(await refused(save(admin))).toMatchObject({ kind: 'forbidden', reason: 'stepUp' })
  })

  test('asks the provider, keeps the secret sealed and never shows it', async () => {
    const admin = await signedIn('admin@city.example')
    const shown = await save(admin, { issuer: `${real}/.well-known/openid-configuration` })
    expect(shown.provider).toMatchObject({ issuer: real, role: 'viewer', isOn: true, people: 0 })
    expect(JSON.stringify(shown)).not.toContain(registration.secret)
    const row = await db.selectFrom('placeSso').select('secret').executeTakeFirstOrThrow()
    expect(row.secret).toMatch(/^v\d\./)
    expect(row.secret).not.toContain(registration.secret)
    const own = await admin.ask((ctx) => call(v1.place.sso, ctx, { params: { placeId: 'city' } }))
    expect(own.redirectUri).toBe(registration.redirectUri)
    expect(JSON.stringify(own)).not.toContain(registration.secret)
  })

  test.each([
    ['http://login.city.example', 'Must be an https address, such as https://login.example.org.'],
    ['https://login.city.example/other', 'The provider answers with an unexpected status.'],
    ['https://10.0.0.1', 'The provider cannot be reached. The address must not lead into a private network.'],
    [
      'https://inside.city.example',
      'The provider cannot be reached. The address must not lead into a private network.',
    ],
    ['https://user:pass@login.city.example', 'Must be an https address, such as https://login.example.org.'],
  ])('refuses the issuer %s', async (issuer, message) => {
    world.zone['inside.city.example'] = [['A', '10.1.2.3']]
    const { kind, issues } = await refused(save(await signedIn('admin@city.example'), { issuer }))
    expect([kind, issues]).toEqual([
      'invalid',
      [{ path: ['issuer'], message, ...(issues[0]?.value !== undefined && { value: issuer }) }],
    ])
  })

  test('refuses a role that may do more, that is not there, and that of organization admins', async () => {
    const admin = await signedIn('admin@city.example')
    const roleOf = async (role: string) =>
      (await refused(save(admin, { role }))).issues.map(({ path }) => path)
    expect(await roleOf('organization_admin')).toEqual([['role']])
    expect(await roleOf('super_admin')).toEqual([['role']])
    expect(await roleOf('nobody')).toEqual([['role']])
  })

  test('another client takes its secret again; the same one keeps it', async () => {
    const admin = await signedIn('admin@city.example')
    await save(admin, { secret: undefined, name: 'City account' })
    const { issues } = await refused(save(admin, { secret: undefined, clientId: 'another' }))
    expect(issues).toMatchObject([{ path: ['secret'] }])
  })

  test('a mail domain counts when its record is in DNS, and for this place only', async () => {
    const admin = await signedIn('admin@city.example')
    const params = { placeId: 'city', mailDomainId: 'city.example' }
    await admin.ask((ctx) =>
      call(v1.place.mailDomain.create, ctx, {
        params: { placeId: 'city' },
        data: { domain: '@City.Example' },
      }),
    )
    const check = () => admin.ask((ctx) => call(v1.place.mailDomain.verify, ctx, { params }))
    expect(await check()).toMatchObject({ id: 'city.example', verifiedAt: null, found: [] })
    world.zone['_commonplace.city.example'] = [['TXT', 'commonplace-verify=0123456789abcdef0123456789abcdef']]
    expect(await check()).toMatchObject({ verifiedAt: null })
    expect((await prove(admin, 'city.example')).verifiedAt).toBeInstanceOf(Date)
    const county = await signedIn('admin@county.example')
    const theirs = await county.ask((ctx) =>
      call(v1.place.mailDomain.create, ctx, {
        params: { placeId: 'county' },
        data: { domain: 'city.example' },
      }),
    )
    expect(theirs.verifiedAt).toBeNull()
    expect(
      await county.ask((ctx) =>
        call(v1.place.mailDomain.verify, ctx, {
          params: { placeId: 'county', mailDomainId: 'city.example' },
        }),
      ),
    ).toMatchObject({ verifiedAt: null })
  })

  test.each(['localhost', 'co.uk', '10.0.0.1', 'a b.example', ''])('%j is no mail domain', async (domain) => {
    const admin = await signedIn('admin@city.example')
    const run = admin.ask((ctx) =>
      call(v1.place.mailDomain.create, ctx, { params: { placeId: 'city' }, data: { domain } }),
    )
    expect((await refused(run)).issues).toMatchObject([{ path: ['domain'] }])
  })
})

describe('coming in by a real provider', () => {
  test('the first time makes an account with the role for new people; the second time it is the same', async () => {
    const browser = browserOf()
    expect(await comeIn(browser, 'ann')).toEqual({ outcome: 'signedIn', redirectTo: '/sources' })
    expect(await who(browser)).toBe('ann@city.example')
    const user = await db
      .selectFrom('user')
      .selectAll()
      .where('email', '=', 'ann@city.example')
      .executeTakeFirstOrThrow()
    expect(user).toMatchObject({ name: 'Ann Able', emailVerified: true, authMethod: 'sso', role: null })
    const roles = await db
      .selectFrom('placeUser')
      .select(['placeId', 'role'])
      .where('userId', '=', user.id)
      .execute()
    expect(roles).toEqual([{ placeId: 'city', role: 'viewer' }])
    await comeIn(browserOf(), 'ann')
    const count = await db.selectFrom('user').select('id').where('email', '=', 'ann@city.example').execute()
    expect(count).toHaveLength(1)
    const trail = await db
      .selectFrom('activity')
      .select(['verb', 'placeId'])
      .where('targetId', '=', user.id)
      .orderBy('at')
      .execute()
    expect(trail.filter(({ placeId }) => placeId === 'city')).toEqual([{ verb: 'joined', placeId: 'city' }])
    expect(trail.filter(({ verb }) => verb === 'signedIn')).toHaveLength(2)
    expect(await said()).toBeNull()
  })

  test('several browsers of one new person at once make one account', async () => {
    const browsers = [browserOf(), browserOf(), browserOf()]
    const queries = []
    for (const browser of browsers) queries.push(await signInAt(world, await begin(browser), 'old'))
    const ends = await Promise.all(browsers.map((browser, at) => finish(browser, queries[at] ?? '')))
    expect(ends.map(({ outcome }) => outcome)).toEqual(['signedIn', 'signedIn', 'signedIn'])
    const rows = await db
      .selectFrom('user')
      .select(['id', 'name'])
      .where('email', '=', 'old@city.example')
      .execute()
    expect(rows).toMatchObject([{ name: 'old' }])
  })

  test('the session opens that place and nothing else, and does nothing to the account', async () => {
    const browser = browserOf()
    await comeIn(browser, 'ann')
    const { id } = await db
      .selectFrom('user')
      .select('id')
      .where('email', '=', 'ann@city.example')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('placeUser')
      .values({ placeId: 'county', userId: id, role: 'organization_admin' })
      .execute()
    expect(await browser.ask(async (ctx) => ctx.actor.memberships)).toEqual([
      { placeId: 'city', role: 'viewer' },
    ])
    const state = await browser.ask((ctx) => call(auth.state, ctx, {}))
    expect(state.session?.user.places.map((place) => place.id)).toEqual(['city'])
    const mine = { userId: id }
    const tries = [
      () => browser.ask((ctx) => call(v1.user.key.create, ctx, { params: mine, data: { name: 'k' } })),
      () => browser.ask((ctx) => call(v1.user.key.find, ctx, { params: mine })),
      () => browser.ask((ctx) => call(auth.changeEmail, ctx, { data: { email: 'x@example.org' } })),
      () => browser.ask((ctx) => call(auth.password, ctx, { data: { current: 'x', password } })),
      () => browser.ask((ctx) => call(v1.core.factor.enrol, ctx, { data: { password } })),
      () => browser.ask((ctx) => call(v1.session.find, ctx, {})),
      () => browser.ask((ctx) => call(v1.user.updateById, ctx, { params: mine, data: { name: 'Other' } })),
      () => browser.ask((ctx) => call(v1.user.deleteById, ctx, { params: mine, data: { password } })),
      () =>
        browser.ask((ctx) => call(v1.place.user.deleteById, ctx, { params: { placeId: 'county', ...mine } })),
      () => browser.ask((ctx) => call(sso.find, ctx, {})),
    ]
    for (const run of tries)
      expect(await refused(run())).toMatchObject({ kind: 'forbidden', reason: 'ownSignIn' })
    await db.deleteFrom('placeUser').where('userId', '=', id).where('placeId', '=', 'county').execute()
  })

  test('it ends within a day and is not renewed', async () => {
    const browser = browserOf()
    await comeIn(browser, 'ann')
    const ends = () =>
      db
        .selectFrom('session')
        .select('expiresAt')
        .where('ssoPlaceId', '=', 'city')
        .orderBy('createdAt', 'desc')
        .executeTakeFirstOrThrow()
    const { expiresAt } = await ends()
    expect(expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(24 * 3_600_000)
    await who(browser)
    expect((await ends()).expiresAt).toEqual(expiresAt)
  })

  test('what matters most asks the provider once more', async () => {
    const browser = browserOf()
    await comeIn(browser, 'ann')
    const { id } = await db
      .selectFrom('user')
      .select('id')
      .where('email', '=', 'ann@city.example')
      .executeTakeFirstOrThrow()
    await db.updateTable('placeUser').set({ role: 'organization_admin' }).where('userId', '=', id).execute()
    await sql`update session set proved_at = null where user_id = ${id}`.execute(db)
    expect(await refused(save(browser, { name: 'Renamed' }))).toMatchObject({ reason: 'ssoAgain' })
    const url = await begin(browser, true)
    expect(new URL(url).searchParams.get('prompt')).toBe('login')
    await finish(browser, await signInAt(world, url, 'ann'))
    expect((await save(browser, { name: 'Renamed' })).provider?.name).toBe('Renamed')
    await db.updateTable('placeUser').set({ role: 'viewer' }).where('userId', '=', id).execute()
  })

  test('the sign-in screen finds the place by the mail domain', async () => {
    const by = (email: string) => browserOf().ask((ctx) => call(sso.byEmail, ctx, { data: { email } }))
    expect((await by('Anyone@City.Example')).results).toMatchObject([
      { placeId: 'city', placeName: 'The city' },
    ])
    expect((await by('anyone@sub.city.example')).results).toEqual([])
    expect((await by('anyone@elsewhere.example')).results).toEqual([])
  })
})

describe('an address that has an account', () => {
  test('is connected by its owner alone, signed in by themselves', async () => {
    const browser = browserOf()
    expect(await comeIn(browser, 'mia')).toMatchObject({ outcome: 'link' })
    expect(await who(browser)).toBeNull()
    const link = (from: Browser) => from.ask((ctx) => call(sso.link, ctx, {}))
    expect(await refused(link(browser))).toMatchObject({ kind: 'unauthenticated' })
    expect(await browser.ask((ctx) => call(sso.waiting, ctx, {}))).toMatchObject({
      email: 'mia@city.example',
    })
    // Another person who signs in here gets nothing of it.
    await browser.ask((ctx) => call(auth.login, ctx, { data: { email: 'admin@county.example', password } }))
    expect(await refused(link(browser))).toMatchObject({ kind: 'forbidden' })
    await browser.ask((ctx) => call(auth.login, ctx, { data: { email: 'mia@city.example', password } }))
    await link(browser)
    expect((await lettersTo(database, 'mia@city.example'))[0]?.subject).toMatch(/connected/)
    const again = browserOf()
    expect(await comeIn(again, 'mia')).toMatchObject({ outcome: 'signedIn' })
    // What they may do elsewhere is not opened by the city's provider.
    expect(await again.ask(async (ctx) => ctx.actor.memberships)).toEqual([
      { placeId: 'city', role: 'viewer' },
    ])
    const mine = await signedIn('mia@city.example')
    const { results } = await mine.ask((ctx) => call(sso.find, ctx, {}))
    expect(results).toMatchObject([{ placeName: 'The city', issuer: real }])
    await mine.ask((ctx) => call(sso.deleteById, ctx, { params: { ssoId: results[0]?.id ?? '' } }))
    expect(await who(again)).toBeNull()
    expect(await comeIn(browserOf(), 'mia')).toMatchObject({ outcome: 'link' })
  })

  test('someone else cannot disconnect it', async () => {
    const browser = browserOf()
    await comeIn(browser, 'mia')
    await browser.ask((ctx) => call(auth.login, ctx, { data: { email: 'mia@city.example', password } }))
    await browser.ask((ctx) => call(sso.link, ctx, {}))
    const { id } = await db
      .selectFrom('ssoIdentity')
      .innerJoin('user', 'user.id', 'userId')
      .select('ssoIdentity.id')
      .where('email', '=', 'mia@city.example')
      .executeTakeFirstOrThrow()
    const other = await signedIn('admin@county.example')
    const run = other.ask((ctx) => call(sso.deleteById, ctx, { params: { ssoId: id } }))
    expect(await refused(run)).toMatchObject({ kind: 'notFound' })
  })

  test('a sign-up that nobody confirmed holds no address', async () => {
    const stranger = browserOf()
    await stranger.ask((ctx) =>
      call(auth.signup, ctx, { data: { name: 'Stranger', email: 'someone@city.example', password } }),
    )
    const admin = await signedIn('admin@city.example')
    await save(admin, { issuer: hostile })
    evil.self.tokens = async (nonce) => evil.answerOf(await evil.token(evil.claims(nonce)))
    const browser = browserOf()
    await evilQuery(browser)
    expect(await finish(browser, await evilQuery(browser))).toMatchObject({ outcome: 'signedIn' })
    const signIn = stranger.ask((ctx) =>
      call(auth.login, ctx, { data: { email: 'someone@city.example', password } }),
    )
    expect(await refused(signIn)).toMatchObject({ kind: 'unauthenticated' })
    await save(admin)
  })
})

/** What the hostile provider would send back, in the form an honest one does. */
async function evilQuery(browser: Browser, changes: Record<string, string | null> = {}, isAgain = false) {
  const url = new URL(await begin(browser, isAgain))
  evil.self.nonce = url.searchParams.get('nonce') ?? ''
  const query = { code: 'a-code', state: url.searchParams.get('state') ?? '', iss: hostile, ...changes }
  return new URLSearchParams(
    Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== null),
  ).toString()
}

describe('hostile answers', () => {
  beforeAll(async () => {
    await save(await signedIn('admin@city.example'), { issuer: hostile })
    await db.deleteFrom('session').where('ssoPlaceId', 'is not', null).execute()
  })
  afterEach(() => evil.self.reset())
  const answer =
    (changes: object, by?: Parameters<typeof evil.token>[1]) =>
    async (nonce: string): Promise<object> =>
      evil.answerOf(await evil.token(evil.claims(nonce, changes), by))
  const now = () => Math.floor(Date.now() / 1000)

  /** Each plays a part of the protocol wrongly. The query it comes back with is as it should be unless it says otherwise. */
  const attacks: [name: string, play: (browser: Browser) => Promise<string>][] = [
    ['without a state', (browser) => evilQuery(browser, { state: null })],
    ['with another state', (browser) => evilQuery(browser, { state: 'another' })],
    ['with a state twice', async (browser) => `${await evilQuery(browser)}&state=another`],
    ['naming another issuer beside the code', (browser) => evilQuery(browser, { iss: real })],
    [
      'naming no issuer beside the code, though it says it does',
      (browser) => evilQuery(browser, { iss: null }),
    ],
    ['with an error', (browser) => evilQuery(browser, { error: 'access_denied', code: null })],
    ['with a token in the query', (browser) => evilQuery(browser, { id_token: 'x.y.z', code: null })],
    ['with the nonce of another try', async (browser) => says(browser, answer({ nonce: 'another' }))],
    ['without a nonce', async (browser) => says(browser, answer({ nonce: undefined }))],
    ['for another client', async (browser) => says(browser, answer({ aud: 'another' }))],
    [
      'for two clients, issued to the other',
      async (browser) => says(browser, answer({ aud: ['commonplace', 'another'], azp: 'another' })),
    ],
    ['of another issuer', async (browser) => says(browser, answer({ iss: real }))],
    ['that has ended', async (browser) => says(browser, answer({ exp: now() - 120 }))],
    ['that begins later', async (browser) => says(browser, answer({ nbf: now() + 600 }))],
    ['without an end', async (browser) => says(browser, answer({ exp: undefined }))],
    ['that nobody signed', async (browser) => says(browser, answer({}, 'none'))],
    [
      'signed with the client’s secret',
      async (browser) => says(browser, answer({}, { secret: registration.secret })),
    ],
    ['signed with a key that is not published', async (browser) => says(browser, answer({}, 'other'))],
    [
      'changed after it was signed',
      async (browser) =>
        says(browser, async (nonce) => {
          const [head, , signature] = (await evil.token(evil.claims(nonce))).split('.')
          const body = Buffer.from(JSON.stringify(evil.claims(nonce, { sub: 'changed' }))).toString(
            'base64url',
          )
          return evil.answerOf(`${head}.${body}.${signature}`)
        }),
    ],
    [
      'without an identity token',
      async (browser) => says(browser, async () => ({ access_token: 'at', token_type: 'Bearer' })),
    ],
    ['about nobody', async (browser) => says(browser, answer({ sub: '' }))],
    [
      'about somebody with a name of 300 characters',
      async (browser) => says(browser, answer({ sub: 'x'.repeat(300) })),
    ],
    [
      'with an address of a domain that is not proved',
      async (browser) => says(browser, answer({ email: 'mayor@elsewhere.example' })),
    ],
    [
      'with an address of a part of the domain',
      async (browser) => says(browser, answer({ email: 'mayor@sub.city.example' })),
    ],
    [
      'with an address that ends like one of the domain',
      async (browser) => says(browser, answer({ email: 'mayor@elsewhere.example@city.example' })),
    ],
    [
      'with an address that it says itself is not verified',
      async (browser) => says(browser, answer({ email_verified: false })),
    ],
    ['without an address', async (browser) => says(browser, answer({ email: undefined }))],
    [
      'with the address of a super admin',
      async (browser) => says(browser, answer({ sub: 'r', email: 'root@city.example' })),
    ],
    [
      'with UserInfo of somebody else',
      async (browser) => {
        evil.self.metadata = { ...evil.self.metadata, userinfo_endpoint: `${hostile}/userinfo` }
        evil.self.userinfo = { sub: 'another', email: 'someone@city.example' }
        return says(browser, answer({ email: undefined }))
      },
    ],
    [
      'too old, where a fresh proof was asked for',
      async (browser) => {
        evil.self.tokens = answer({ auth_time: now() - 3600 })
        return evilQuery(browser, {}, true)
      },
    ],
    [
      'without the time, where a fresh proof was asked for',
      async (browser) => {
        evil.self.tokens = answer({})
        return evilQuery(browser, {}, true)
      },
    ],
    [
      'after which it names another issuer',
      async (browser) => {
        const query = await says(browser, answer({}))
        evil.self.metadata = { ...evil.self.metadata, issuer: 'https://idp.third.example' }
        return query
      },
    ],
    [
      'after which its tokens come by http',
      async (browser) => {
        const query = await says(browser, answer({}))
        evil.self.metadata = { ...evil.self.metadata, token_endpoint: 'http://idp.other.example/token' }
        return query
      },
    ],
    [
      'after which its tokens come from a private network',
      async (browser) => {
        const query = await says(browser, answer({}))
        evil.self.metadata = { ...evil.self.metadata, token_endpoint: 'https://169.254.169.254/token' }
        return query
      },
    ],
    [
      'after which its keys come from a private network',
      async (browser) => {
        const query = await says(browser, answer({}))
        evil.self.metadata = { ...evil.self.metadata, jwks_uri: 'https://inside.city.example/keys' }
        return query
      },
    ],
    [
      'after which its token endpoint redirects',
      async (browser) => {
        const query = await says(browser, answer({}))
        evil.self.answer = (request, response) => {
          if (!request.url?.startsWith('/token')) return false
          response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
          return true
        }
        return query
      },
    ],
    [
      'of a megabyte',
      async (browser) => {
        const query = await says(browser, answer({}))
        evil.self.answer = (request, response) => {
          if (!request.url?.startsWith('/token')) return false
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(`{"a":"${'x'.repeat(1_000_000)}"}`)
          return true
        }
        return query
      },
    ],
  ]
  async function says(browser: Browser, tokens: (nonce: string) => Promise<object>) {
    evil.self.tokens = tokens
    return evilQuery(browser)
  }

  test('the same provider, honest, does let in: the attacks fail by what they change', async () => {
    const browser = browserOf()
    expect(await finish(browser, await says(browser, answer({})))).toMatchObject({ outcome: 'signedIn' })
    await db.deleteFrom('session').where('ssoPlaceId', 'is not', null).execute()
  })

  test.each(attacks)('an answer %s lets nobody in', async (_name, play) => {
    const browser = browserOf()
    const query = await play(browser)
    expect(await refused(finish(browser, query))).toMatchObject({ kind: 'unauthenticated' })
    expect(await who(browser)).toBeNull()
    expect(await sessions()).toBe(0)
  })

  test('an answer lets nobody in twice, in another browser, or after ten minutes', async () => {
    const browser = browserOf()
    const query = await says(browser, answer({}))
    expect(await refused(finish(browserOf(), query))).toMatchObject({ kind: 'unauthenticated' })
    await finish(browser, query)
    browser.jar.clear()
    expect(await refused(finish(browser, query))).toMatchObject({ kind: 'unauthenticated' })
    await db.deleteFrom('session').where('ssoPlaceId', 'is not', null).execute()
    let late = 0
    const slow = browserOf({ now: () => new Date(Date.now() + late) })
    const old = await says(slow, answer({}))
    late = 11 * 60_000
    expect(await refused(finish(slow, old))).toMatchObject({ kind: 'unauthenticated' })
    expect(await sessions()).toBe(0)
  })

  test('what the provider writes is never repeated', async () => {
    const browser = browserOf()
    const query = await evilQuery(browser, {
      code: null,
      error: 'server_error',
      error_description: '<b>call 555-0199</b>',
    })
    const { say } = await refused(finish(browser, query))
    expect(say).not.toMatch(/555|<b>/)
    expect(await said()).toBe('The provider sent an error instead of signing in.')
  })

  test('who was taken out of the place, or became a super admin, is not let in and not kept in', async () => {
    const browser = browserOf()
    await finish(browser, await says(browser, answer({})))
    const { id } = await db
      .selectFrom('user')
      .select('id')
      .where('email', '=', 'someone@city.example')
      .executeTakeFirstOrThrow()
    await db.updateTable('user').set({ role: 'super_admin' }).where('id', '=', id).execute()
    expect(await who(browser)).toBeNull()
    const again = browserOf()
    expect(await refused(finish(again, await says(again, answer({}))))).toMatchObject({
      kind: 'unauthenticated',
    })
    await db.updateTable('user').set({ role: null }).where('id', '=', id).execute()
    await db.deleteFrom('placeUser').where('userId', '=', id).execute()
    expect(await refused(finish(again, await says(again, answer({}))))).toMatchObject({
      kind: 'unauthenticated',
    })
  })

  test('turning it off ends the sessions it opened, and lets nobody in any more', async () => {
    const admin = await signedIn('admin@city.example')
    await save(admin)
    const browser = browserOf()
    await comeIn(browser, 'ann')
    const query = await signInAt(world, await begin(browser), 'ann')
    await save(admin, { isOn: false })
    expect(await who(browser)).toBeNull()
    expect(await refused(finish(browser, query))).toMatchObject({ kind: 'unauthenticated' })
    expect(await refused(begin(browserOf()))).toMatchObject({ kind: 'notFound' })
    await save(admin)
    await admin.ask((ctx) => call(v1.place.removeSso, ctx, { params: { placeId: 'city' } }))
    expect(await refused(begin(browserOf()))).toMatchObject({ kind: 'notFound' })
    await save(admin)
  })
})

describe('the proof of a mail domain', () => {
  /** A day later the cron looks again. */
  async function nextDay(): Promise<{ checked: number; lapsed: number }> {
    await sql`update mail_domain set checked_at = checked_at - interval '1 day'`.execute(db)
    const system = database.connect(asSystem)
    const browser = browserOf()
    const result = await browser.ask((ctx) => recheckMailDomains({ ...ctx, ...system }))
    await system.end()
    return result
  }

  test('is looked for daily; three days without it and the domain does not count; the admins are told', async () => {
    const record = world.zone['_commonplace.city.example']
    delete world.zone['_commonplace.city.example']
    const admin = await signedIn('admin@city.example')
    const verifiedAt = async () =>
      (
        await admin.ask((ctx) => call(v1.place.mailDomain.find, ctx, { params: { placeId: 'city' } }))
      ).results.find(({ id }) => id === 'city.example')?.verifiedAt
    await nextDay()
    await nextDay()
    expect(await verifiedAt()).not.toBeNull()
    expect(await nextDay()).toMatchObject({ lapsed: 1 })
    expect(await verifiedAt()).toBeNull()
    const subjects = (await lettersTo(database, 'admin@city.example')).map(({ subject }) => subject)
    expect(subjects).toEqual(
      expect.arrayContaining([
        'city.example: its proof is gone from DNS',
        'Nobody with an address of city.example can sign in',
      ]),
    )
    expect(await refused(comeIn(browserOf(), 'pat'))).toMatchObject({ kind: 'unauthenticated' })
    world.zone['_commonplace.city.example'] = record ?? []
    await prove(admin, 'city.example')
    expect(await comeIn(browserOf(), 'pat')).toMatchObject({ outcome: 'signedIn' })
  })

  test('name servers that do not answer count for nothing', async () => {
    const deaf = browserOf({ fetch: () => Promise.reject(new TypeError('No network.')) })
    const system = database.connect(asSystem)
    for (let day = 0; day < 4; day++) {
      await sql`update mail_domain set checked_at = checked_at - interval '1 day'`.execute(db)
      expect(await deaf.ask((ctx) => recheckMailDomains({ ...ctx, ...system }))).toMatchObject({ lapsed: 0 })
    }
    await system.end()
  })
})
