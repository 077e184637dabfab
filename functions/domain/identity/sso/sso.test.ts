import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { call } from '#functions/api/call.ts'
import { v1 } from '#functions/v1/index.ts'
import { emailsTo, expectFailure } from '../testing.ts'
import { signInAt } from './provider.testing.ts'
import { hostile, password, real, registration, ssoWorld, type Browser } from './world.testing.ts'

const { sso, auth } = v1.core
const all = await ssoWorld()
const { database, db, world, evil, createBrowser, signInByPassword, save, prove } = all
const { begin, finish, completeSignIn, readActorEmail, readLastError, evilQuery } = all
afterAll(() => all.close())

describe('setting it up', () => {
  test('requires an organization admin of the place, and a re-authentication within the last ten minutes', async () => {
    expect(await expectFailure(save(await signInByPassword('admin@county.example')))).toMatchObject({
      kind: 'notFound',
    })
    expect(await expectFailure(save(createBrowser()))).toMatchObject({ kind: 'unauthenticated' })
    const admin = await signInByPassword('admin@city.example')
    await sql`update session set proved_at = now() - interval '11 minutes'`.execute(db)
    expect(await expectFailure(save(admin))).toMatchObject({ kind: 'forbidden', reason: 'stepUp' })
  })

  test('queries the provider, stores the secret encrypted and never shows it', async () => {
    const admin = await signInByPassword('admin@city.example')
    const saveResponse = await save(admin, { issuer: `${real}/.well-known/openid-configuration` })
    expect(saveResponse.provider).toMatchObject({ issuer: real, role: 'viewer', isOn: true, people: 0 })
    expect(JSON.stringify(saveResponse)).not.toContain(registration.secret)
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
  ])('rejects the issuer %s', async (issuer, message) => {
    world.zone['inside.city.example'] = [['A', '10.1.2.3']]
    const { kind, issues } = await expectFailure(
      save(await signInByPassword('admin@city.example'), { issuer }),
    )
    expect([kind, issues.map(({ path, message: words }) => [path, words])]).toEqual([
      'invalid',
      [[['issuer'], message]],
    ])
  })

  test('rejects a role with more rights, an unknown one, and that of organization admins', async () => {
    const admin = await signInByPassword('admin@city.example')
    const collectIssuePaths = async (role: string) =>
      (await expectFailure(save(admin, { role }))).issues.map(({ path }) => path)
    expect(await collectIssuePaths('organization_admin')).toEqual([['role']])
    expect(await collectIssuePaths('super_admin')).toEqual([['role']])
    expect(await collectIssuePaths('nobody')).toEqual([['role']])
  })

  test('another client needs its secret again; the same one keeps it', async () => {
    const admin = await signInByPassword('admin@city.example')
    await save(admin, { secret: undefined, name: 'City account' })
    const { issues } = await expectFailure(save(admin, { secret: undefined, clientId: 'another' }))
    expect(issues).toMatchObject([{ path: ['secret'] }])
  })

  test('a mail domain counts when its record is in DNS, and for this place only', async () => {
    const admin = await signInByPassword('admin@city.example')
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
    const county = await signInByPassword('admin@county.example')
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

  test.each(['localhost', 'co.uk', '10.0.0.1', 'a b.example', ''])(
    '%j is no valid mail domain',
    async (domain) => {
      const admin = await signInByPassword('admin@city.example')
      const run = admin.ask((ctx) =>
        call(v1.place.mailDomain.create, ctx, { params: { placeId: 'city' }, data: { domain } }),
      )
      expect((await expectFailure(run)).issues).toMatchObject([{ path: ['domain'] }])
    },
  )
})

test('every change is an entry of the audit log of the place', async () => {
  const admin = await signInByPassword('admin@city.example')
  const county = await signInByPassword('admin@county.example')
  const params = { placeId: 'county' }
  await save(county, {}, 'county')
  await save(county, { name: 'Other' }, 'county')
  await county.ask((ctx) => call(v1.place.removeSso, ctx, { params }))
  const domainParams = { placeId: 'county', mailDomainId: 'city.example' }
  await county.ask((ctx) => call(v1.place.mailDomain.deleteById, ctx, { params: domainParams }))
  await prove(county, 'county.example', 'county')
  const lines = (browser: Browser, placeId: string) =>
    browser.ask(async (ctx) => {
      const options = { filters: { targetType: { $in: ['sso', 'mailDomain'] } }, limit: 100 }
      const { results } = await call(v1.place.activity.find, ctx, { params: { placeId }, options })
      return results.map((line) => `${line.verb} ${line.targetType} ${line.targetName}`).sort()
    })
  expect(await lines(county, 'county')).toEqual(
    [
      'created sso City account',
      'updated sso Other',
      'deleted sso Other',
      'created mailDomain city.example',
      'deleted mailDomain city.example',
      'created mailDomain county.example',
      'updated mailDomain county.example',
    ].sort(),
  )
  expect(await lines(admin, 'city')).toContain('created sso City account')
})

describe('signing in by a real provider', () => {
  test('creates an account with the role for new people the first time, and uses it the second time', async () => {
    const browser = createBrowser()
    expect(await completeSignIn(browser, 'ann')).toEqual({ outcome: 'signedIn', redirectTo: '/sources' })
    expect(await readActorEmail(browser)).toBe('ann@city.example')
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
    await completeSignIn(createBrowser(), 'ann')
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
    expect(await readLastError()).toBeNull()
  })

  test('several browsers of one new person concurrently create one account', async () => {
    const browsers = [createBrowser(), createBrowser(), createBrowser()]
    const queries: string[] = []
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

  test('the session can access that place only, and cannot change the account', async () => {
    const browser = createBrowser()
    await completeSignIn(browser, 'ann')
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
    const userParams = { userId: id }
    const tries = [
      () => browser.ask((ctx) => call(v1.user.key.create, ctx, { params: userParams, data: { name: 'k' } })),
      () => browser.ask((ctx) => call(v1.user.key.find, ctx, { params: userParams })),
      () => browser.ask((ctx) => call(auth.changeEmail, ctx, { data: { email: 'x@example.org' } })),
      () => browser.ask((ctx) => call(auth.password, ctx, { data: { current: 'x', password } })),
      () => browser.ask((ctx) => call(v1.core.factor.enrol, ctx, { data: { password } })),
      () => browser.ask((ctx) => call(v1.core.passkey.find, ctx, {})),
      () => browser.ask((ctx) => call(v1.core.passkey.begin, ctx, {})),
      () => browser.ask((ctx) => call(v1.core.passkey.challenge, ctx, {})),
      () => browser.ask((ctx) => call(v1.session.find, ctx, {})),
      () =>
        browser.ask((ctx) => call(v1.user.updateById, ctx, { params: userParams, data: { name: 'Other' } })),
      () => browser.ask((ctx) => call(v1.user.deleteById, ctx, { params: userParams, data: { password } })),
      () =>
        browser.ask((ctx) =>
          call(v1.place.user.deleteById, ctx, { params: { placeId: 'county', ...userParams } }),
        ),
      () => browser.ask((ctx) => call(sso.find, ctx, {})),
    ]
    for (const run of tries)
      expect(await expectFailure(run())).toMatchObject({ kind: 'forbidden', reason: 'ownSignIn' })
    await db.deleteFrom('placeUser').where('userId', '=', id).where('placeId', '=', 'county').execute()
  })

  test('it ends within a day and is not renewed', async () => {
    const browser = createBrowser()
    await completeSignIn(browser, 'ann')
    const ends = () =>
      db
        .selectFrom('session')
        .select('expiresAt')
        .where('ssoPlaceId', '=', 'city')
        .orderBy('createdAt', 'desc')
        .executeTakeFirstOrThrow()
    const { expiresAt } = await ends()
    expect(expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(24 * 3_600_000)
    await readActorEmail(browser)
    expect((await ends()).expiresAt).toEqual(expiresAt)
  })

  test('sensitive actions require the provider once more', async () => {
    const browser = createBrowser()
    await completeSignIn(browser, 'ann')
    const { id } = await db
      .selectFrom('user')
      .select('id')
      .where('email', '=', 'ann@city.example')
      .executeTakeFirstOrThrow()
    await db.updateTable('placeUser').set({ role: 'organization_admin' }).where('userId', '=', id).execute()
    await sql`update session set proved_at = null where user_id = ${id}`.execute(db)
    expect(await expectFailure(save(browser, { name: 'Renamed' }))).toMatchObject({ reason: 'ssoAgain' })
    const url = await begin(browser, true)
    expect(new URL(url).searchParams.get('prompt')).toBe('login')
    await finish(browser, await signInAt(world, url, 'ann'))
    expect((await save(browser, { name: 'Renamed' })).provider?.name).toBe('Renamed')
    await db.updateTable('placeUser').set({ role: 'viewer' }).where('userId', '=', id).execute()
  })

  test('the sign-in screen finds the place by the mail domain', async () => {
    const findProvidersByEmail = (email: string) =>
      createBrowser().ask((ctx) => call(sso.byEmail, ctx, { data: { email } }))
    expect((await findProvidersByEmail('Anyone@City.Example')).results).toMatchObject([
      { placeId: 'city', placeName: 'The city' },
    ])
    expect((await findProvidersByEmail('anyone@sub.city.example')).results).toEqual([])
    expect((await findProvidersByEmail('anyone@elsewhere.example')).results).toEqual([])
  })
})

describe('an address that has an account', () => {
  test('is connected only by its owner, after signing in', async () => {
    const browser = createBrowser()
    expect(await completeSignIn(browser, 'mia')).toMatchObject({ outcome: 'link' })
    expect(await readActorEmail(browser)).toBeNull()
    const link = (from: Browser) => from.ask((ctx) => call(sso.link, ctx, {}))
    expect(await expectFailure(link(browser))).toMatchObject({ kind: 'unauthenticated' })
    expect(await browser.ask((ctx) => call(sso.waiting, ctx, {}))).toMatchObject({
      waiting: { email: 'mia@city.example' },
    })
    // Another person who signs in here cannot use the pending connection.
    await browser.ask((ctx) => call(auth.login, ctx, { data: { email: 'admin@county.example', password } }))
    expect(await expectFailure(link(browser))).toMatchObject({ kind: 'forbidden' })
    await browser.ask((ctx) => call(auth.login, ctx, { data: { email: 'mia@city.example', password } }))
    const both = await Promise.allSettled([link(browser), link(browser)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find((one) => one.status === 'rejected')?.reason).toMatchObject({ kind: 'conflict' })
    expect((await emailsTo(database, 'mia@city.example'))[0]?.subject).toMatch(/connected/)
    const again = createBrowser()
    expect(await completeSignIn(again, 'mia')).toMatchObject({ outcome: 'signedIn' })
    // The city's provider does not give access to other places.
    expect(await again.ask(async (ctx) => ctx.actor.memberships)).toEqual([
      { placeId: 'city', role: 'viewer' },
    ])
    const miaBrowser = await signInByPassword('mia@city.example')
    const { results } = await miaBrowser.ask((ctx) => call(sso.find, ctx, {}))
    expect(results).toMatchObject([{ placeName: 'The city', issuer: real }])
    await miaBrowser.ask((ctx) => call(sso.deleteById, ctx, { params: { ssoId: results[0]?.id ?? '' } }))
    expect(await readActorEmail(again)).toBeNull()
    expect(await completeSignIn(createBrowser(), 'mia')).toMatchObject({ outcome: 'link' })
  })

  test('cannot be disconnected by someone else', async () => {
    const browser = createBrowser()
    await completeSignIn(browser, 'mia')
    await browser.ask((ctx) => call(auth.login, ctx, { data: { email: 'mia@city.example', password } }))
    await browser.ask((ctx) => call(sso.link, ctx, {}))
    const { id } = await db
      .selectFrom('ssoIdentity')
      .innerJoin('user', 'user.id', 'userId')
      .select('ssoIdentity.id')
      .where('email', '=', 'mia@city.example')
      .executeTakeFirstOrThrow()
    const other = await signInByPassword('admin@county.example')
    const run = other.ask((ctx) => call(sso.deleteById, ctx, { params: { ssoId: id } }))
    expect(await expectFailure(run)).toMatchObject({ kind: 'notFound' })
  })

  test('an unconfirmed sign-up does not reserve an address', async () => {
    const stranger = createBrowser()
    await stranger.ask((ctx) =>
      call(auth.signup, ctx, { data: { name: 'Stranger', email: 'someone@city.example', password } }),
    )
    const admin = await signInByPassword('admin@city.example')
    await save(admin, { issuer: hostile })
    evil.self.tokens = async (nonce) => evil.toTokenResponse(await evil.token(evil.claims(nonce)))
    const browser = createBrowser()
    await evilQuery(browser)
    expect(await finish(browser, await evilQuery(browser))).toMatchObject({ outcome: 'signedIn' })
    const signIn = stranger.ask((ctx) =>
      call(auth.login, ctx, { data: { email: 'someone@city.example', password } }),
    )
    expect(await expectFailure(signIn)).toMatchObject({ kind: 'unauthenticated' })
    await save(admin)
  })
})
