import { allLanguages } from '#functions/shapes/locale.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect } from '#db/connect.ts'
import { asSystem, hasRealPostgres, type TestDatabase } from '#db/testing.ts'
import { call } from '#functions/api/call.ts'
import { system } from '#functions/context.ts'
import { v1 } from '#functions/v1/index.ts'
import { softAuthenticator, type AuthenticatorFaults } from './authenticator.testing.ts'
import * as factors from './factors.ts'
import * as passkeys from './passkeys.ts'
import { notAccepted, origin, password, withPasskeys, type Browser } from './passkeys.testing.ts'
import { prove, secondStep, stepKinds } from './second-step.ts'
import { databaseWithRoles, emailsTo, expectFailure } from './testing.ts'
import { codeAt, computeCodePair } from './totp.testing.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await databaseWithRoles()
})
afterAll(() => database.close())

const {
  add,
  age,
  askFor,
  begin,
  create,
  find,
  halfIn,
  withDatabase,
  logIn,
  person,
  readBrowserState,
  step,
  visitor,
  withPasskey,
} = withPasskeys(() => database)

describe('adding a passkey', () => {
  test('the first is a second factor: recovery codes, an email, a line, other sessions end', async () => {
    const { browser, userId, email } = await person('first@example.org')
    const phone = visitor()
    await logIn(phone, email)
    const key = softAuthenticator(origin)
    const challenge = await begin(browser)
    expect(challenge.publicKey).toMatchObject({
      rp: { id: 'app.test', name: 'Commonplace' },
      user: { name: email },
      excludeCredentials: [],
      authenticatorSelection: { userVerification: 'required' },
    })
    expect(browser.setCookies.join()).toMatch(/__Host-passkey=[^;]+;.*Path=\/;.*HttpOnly;.*Secure/)
    const newPasskey = await create(browser, key.make(challenge), 'Laptop')
    expect(new Set(newPasskey.recoveryCodes).size).toBe(10)
    expect(browser.jar.has('__Host-passkey')).toBe(false)
    expect(await find(browser)).toMatchObject({
      results: [{ id: newPasskey.id, name: 'Laptop', lastUsedAt: null }],
    })
    expect(await browser.ask((ctx) => factors.find(ctx))).toEqual({
      ...{ isOn: true, isRequired: false, hasApp: false, hasPasskey: true, codesLeft: 10 },
    })
    expect((await readBrowserState(phone)).session).toBeNull()
    expect((await readBrowserState(browser)).session?.user.email).toBe(email)
    expect((await emailsTo(database, email))[0]?.subject).toBe('A passkey was added to your account')
    const lines = await withDatabase((db) =>
      db.selectFrom('activity').select('verb').where('personId', '=', userId).execute(),
    )
    expect(lines.map(({ verb }) => verb)).toContain('passkeyAdded')
    // A second passkey: the browser gets the id of the first to exclude it, and no recovery codes are
    // created.
    const next = await begin(browser)
    expect(next.publicKey.excludeCredentials).toEqual([
      { id: key.id, type: 'public-key', transports: ['internal'] },
    ])
    expect((await create(browser, softAuthenticator(origin).make(next))).recoveryCodes).toEqual([])
  })

  test('requires a recent re-authentication, and a session: a key is not enough', async () => {
    const { browser, key } = await person('proved@example.org')
    await age(browser, 11)
    expect((await expectFailure(browser.ask((ctx) => call(v1.core.passkey.begin, ctx)))).reason).toBe(
      'stepUp',
    )
    const program = visitor()
    program.key = key
    expect((await expectFailure(begin(program))).kind).toBe('forbidden')
    expect((await expectFailure(find(program))).kind).toBe('forbidden')
  })

  test.each<[string, AuthenticatorFaults]>([
    ['another origin', { origin: 'https://app.test.evil.test' }],
    ['another scheme', { origin: 'http://app.test:8787' }],
    ['another host', { rpId: 'evil.test' }],
    ['another challenge', { challenge: 'bm90LW91cnM' }],
    ['the answer of a use', { type: 'webauthn.get' }],
    ['no user verification', { isUnverified: true }],
    ['nobody there', { isAbsent: true }],
  ])('rejects %s', async (what, other) => {
    const { browser } = await person(`${what.replaceAll(' ', '-')}@add.example.org`)
    const key = softAuthenticator(origin)
    const challenge = await begin(browser)
    const { jar } = browser
    const cookie = jar.get('__Host-passkey') ?? ''
    expect(await expectFailure(create(browser, key.make(challenge, other)))).toMatchObject(notAccepted)
    expect(await find(browser)).toEqual({ results: [] })
    // The challenge is used up by that.
    jar.set('__Host-passkey', cookie)
    expect(await expectFailure(create(browser, key.make(challenge)))).toMatchObject(notAccepted)
    expect((await browser.ask((ctx) => factors.find(ctx))).isOn).toBe(false)
  })

  test.each([
    ['no CBOR', 'AAAA'],
    ['cut CBOR', 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVjF'],
    ['endless CBOR', 'v2NmbXRkbm9uZQ'],
    ['CBOR of something else', 'gwECAw'],
    ['a map of promised gigabytes', 'u_____8'],
  ])('rejects %s', async (what, attestationObject) => {
    const { browser } = await person(`${what.replaceAll(' ', '-')}@cbor.example.org`)
    const passkey = softAuthenticator(origin).make(await begin(browser))
    const bad = { ...passkey, response: { ...passkey.response, attestationObject } }
    expect(await expectFailure(create(browser, bad))).toMatchObject(notAccepted)
    expect(await find(browser)).toEqual({ results: [] })
  })

  test('a challenge is answered in its own session, by its own person, once and in five minutes', async () => {
    const { browser, email } = await person('own@example.org')
    const other = visitor()
    await logIn(other, email)
    const stranger = (await person('stranger@example.org')).browser
    for (const thief of [other, stranger]) {
      const stolenChallenge = await begin(browser)
      thief.jar.set('__Host-passkey', browser.jar.get('__Host-passkey') ?? '')
      expect(
        await expectFailure(create(thief, softAuthenticator(origin).make(stolenChallenge))),
      ).toMatchObject(notAccepted)
      expect(await find(thief)).toEqual({ results: [] })
    }
    const challenge = await begin(browser)
    await withDatabase((db) =>
      db
        .updateTable('verification')
        .set({ expiresAt: sql<Date>`now() - interval '1 second'` })
        .execute(),
    )
    expect(await expectFailure(create(browser, softAuthenticator(origin).make(challenge)))).toMatchObject(
      notAccepted,
    )
    const fresh = await begin(browser)
    const cookie = browser.jar.get('__Host-passkey') ?? ''
    await create(browser, softAuthenticator(origin).make(fresh))
    browser.jar.set('__Host-passkey', cookie)
    expect(await expectFailure(create(browser, softAuthenticator(origin).make(fresh)))).toMatchObject(
      notAccepted,
    )
    expect((await find(browser)).results).toHaveLength(1)
  })

  test('nobody can add a passkey of another person', async () => {
    const { key } = await withPasskey('has-it@example.org')
    const { browser } = await person('wants-it@example.org')
    expect(await expectFailure(create(browser, key.make(await begin(browser))))).toMatchObject(notAccepted)
    expect(await find(browser)).toEqual({ results: [] })
  })

  test('ten are the maximum', async () => {
    const { browser } = await person('ten@example.org')
    for (let i = 0; i < 10; i += 1) await add(browser, `Key ${i}`)
    expect(await expectFailure(begin(browser))).toMatchObject({
      ...{ kind: 'conflict', message: 'There are 10 passkeys already: remove one first.' },
    })
    expect((await find(browser)).results).toHaveLength(10)
  })

  // Two at once take two sessions of the database.
  test.skipIf(!hasRealPostgres)('of two added concurrently, the eleventh is rejected', async () => {
    const { browser, userId } = await person('eleven@example.org')
    for (let i = 0; i < 9; i += 1) await add(browser, `Key ${i}`)
    const second = visitor()
    const challenge = await begin(browser)
    second.jar.set('__Host-session', browser.jar.get('__Host-session') ?? '')
    const askedToo = await begin(second)
    const holder = database.connect(asSystem)
    let outcomes: Promise<PromiseSettledResult<unknown>[]> | undefined
    // Both requests reach the lock on the person's row before either continues.
    await holder.transaction(async (tx) => {
      await sql`select from "user" where id = ${userId} for update`.execute(tx)
      outcomes = Promise.allSettled([
        create(browser, softAuthenticator(origin).make(challenge)),
        create(second, softAuthenticator(origin).make(askedToo)),
      ])
      await new Promise((resolve) => setTimeout(resolve, 1500))
    })
    await holder.end()
    expect((await outcomes)?.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await find(browser)).results).toHaveLength(10)
  })

  test('not on the host of a hub, and by the configured origin whatever host the request names', async () => {
    const { browser } = await person('hub@example.org')
    const site = {
      ...{ mode: 'hub' as const, host: 'oak.hubs.test', origin: 'https://oak.hubs.test', placeId: 'oak' },
      ...{ canonicalHost: 'oak.hubs.test', locale: 'en' as const, languages: allLanguages },
    }
    expect((await expectFailure(browser.ask((ctx) => passkeys.begin({ ...ctx, site })))).kind).toBe(
      'forbidden',
    )
    browser.headers.set('host', 'evil.test')
    browser.headers.set('origin', 'https://evil.test')
    browser.headers.set('x-forwarded-host', 'evil.test')
    const challenge = await begin(browser)
    expect(challenge.publicKey.rp.id).toBe('app.test')
    const evilPasskey = softAuthenticator('https://evil.test').make(challenge, { rpId: 'evil.test' })
    expect(await expectFailure(create(browser, evilPasskey))).toMatchObject(notAccepted)
  })
})

describe('a passkey beside an app', () => {
  const enrol = (browser: Browser) => browser.ask((ctx) => factors.enrol(ctx, { data: { password } }))

  test('each signs in; removal removes only that one, and the last one the second step', async () => {
    const { browser, email, key, recoveryCodes } = await withPasskey('both@example.org')
    const enrolment = await enrol(browser)
    // The codes that were given with the passkey stay.
    expect(enrolment.recoveryCodes).toEqual([])
    const { code, next } = computeCodePair(enrolment.key)
    await browser.ask((ctx) => factors.confirm(ctx, { data: { code } }))
    expect(await browser.ask((ctx) => factors.find(ctx))).toMatchObject({ hasApp: true, hasPasskey: true })
    const one = await halfIn(email)
    expect(await one.ask((ctx) => stepKinds(ctx))).toEqual({ waiting: { app: true, passkey: true } })
    await one.ask((ctx) => secondStep(ctx, { data: { code: next } }))
    await browser.ask((ctx) => factors.remove(ctx))
    expect(await browser.ask((ctx) => factors.find(ctx))).toMatchObject({
      ...{ isOn: true, hasApp: false, hasPasskey: true, codesLeft: 10 },
    })
    const two = await halfIn(email)
    await step(two, key.use(await askFor(two)))
    const three = await halfIn(email)
    await three.ask((ctx) => secondStep(ctx, { data: { recoveryCode: recoveryCodes[3] ?? '' } }))
    const [storedPasskey] = (await find(browser)).results
    const params = { passkeyId: storedPasskey?.id ?? '' }
    const renamed = await browser.ask((ctx) =>
      passkeys.updateById(ctx, { params, data: { name: 'In the drawer' } }),
    )
    expect(renamed?.name).toBe('In the drawer')
    await browser.ask((ctx) => passkeys.deleteById(ctx, { params }))
    expect(await browser.ask((ctx) => factors.find(ctx))).toMatchObject({ isOn: false, codesLeft: 0 })
    expect((await emailsTo(database, email))[0]?.subject).toBe('A passkey was removed from your account')
    await logIn(visitor(), email)
    await age(browser, 11)
    await browser.ask((ctx) => prove(ctx, { data: { password } }))
  })

  test('the password alone cannot add an app beside a passkey, and an unfinished app proves nothing', async () => {
    const { browser, email } = await withPasskey('begun@example.org')
    const enrolment = await enrol(browser)
    await age(browser, 11)
    const { code, next } = computeCodePair(enrolment.key)
    const proof = browser.ask((ctx) => prove(ctx, { data: { code: next } }))
    expect(await expectFailure(proof)).toMatchObject({ kind: 'invalid', issues: [{ path: ['code'] }] })
    const browserOfThief = await halfIn(email)
    const entered = browserOfThief.ask((ctx) => secondStep(ctx, { data: { code } }))
    expect((await expectFailure(entered)).kind).toBe('invalid')
    expect((await expectFailure(enrol(browser))).reason).toBe('stepUp')
    expect(await browser.ask((ctx) => factors.find(ctx))).toMatchObject({ hasApp: false })
  })

  test('only its person can change a passkey', async () => {
    const { browser, id } = await withPasskey('mine@example.org')
    const { browser: stranger } = await withPasskey('yours@example.org')
    const params = { passkeyId: id }
    const renamed = stranger.ask((ctx) => passkeys.updateById(ctx, { params, data: { name: 'Mine' } }))
    expect(await renamed).toBeUndefined()
    expect(await stranger.ask((ctx) => passkeys.deleteById(ctx, { params }))).toBeUndefined()
    expect((await find(browser)).results).toMatchObject([{ id, name: 'Key' }])
    // Row-level security hides it as well.
    const { db, end } = connect(database.env, { user: 'someone-else', places: [], global: '' })
    expect(await db.selectFrom('passkey').select('id').execute()).toEqual([])
    await end()
  })
})

test('a super admin enrols by a passkey, and the recovery command removes all of them', async () => {
  const { browser, email } = await person('root@example.org', 'super_admin')
  expect(await browser.ask(async (ctx) => ctx.actor)).toMatchObject({ mustEnrol: true })
  const challenge = await browser.ask((ctx) => call(v1.core.passkey.begin, ctx))
  const passkey = softAuthenticator(origin).make(challenge)
  await browser.ask((ctx) => call(v1.core.passkey.create, ctx, { data: { name: 'Key', passkey } }))
  expect((await browser.ask(async (ctx) => ctx.actor)).user?.role).toBe('super_admin')
  const enrolment = await browser.ask((ctx) => factors.enrol(ctx, { data: { password } }))
  await browser.ask((ctx) => factors.confirm(ctx, { data: { code: codeAt(enrolment.key, Date.now()) } }))
  const { end, ...connection } = database.connect(asSystem)
  await visitor().ask((ctx) => factors.recover({ ...ctx, ...connection, actor: system }, email))
  await end()
  expect((await readBrowserState(browser)).session).toBeNull()
  const again = visitor()
  await logIn(again, email)
  expect(await again.ask(async (ctx) => ctx.actor)).toMatchObject({ mustEnrol: true })
  expect(await again.ask((ctx) => factors.find(ctx))).toMatchObject({ hasApp: false, hasPasskey: false })
})
