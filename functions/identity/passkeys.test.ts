import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import { call } from '#functions/api/call.ts'
import { seedRoles } from '#functions/access/seed.ts'
import { connect } from '#db/connect.ts'
import { system } from '#functions/context.ts'
import type { Settings } from '#functions/context.ts'
import { v1 } from '#functions/v1/index.ts'
import { login } from './accounts.ts'
import { softAuthenticator, type Otherwise } from './authenticator.testing.ts'
import { createAccount } from './create-account.ts'
import * as factors from './factors.ts'
import * as passkeys from './passkeys.ts'
import { challengeBetweenSteps, prove, secondStep, stepKinds } from './second-step.ts'
import { readState } from './state.ts'
import { lettersTo, refused, settings, visitor } from './testing.ts'
import { codeAt } from './totp.testing.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
  const { transaction, end } = database.connect(asSystem)
  await transaction((tx) => seedRoles(tx))
  await end()
})
afterAll(() => database.close())

const password = 'correct horse battery'
const origin = `https://${settings.appHost}`
type Browser = ReturnType<typeof visitor>
type Key = ReturnType<typeof softAuthenticator>

const logIn = (browser: Browser, email: string) =>
  browser.ask((ctx) => login(ctx, { data: { email, password } }))

async function inDatabase<T>(run: (db: ReturnType<TestDatabase['connect']>['db']) => Promise<T>): Promise<T> {
  const { db, end } = database.connect(asSystem)
  try {
    return await run(db)
  } finally {
    await end()
  }
}

async function person(email: string, globalRole: 'super_admin' | null = null) {
  const made = await inDatabase((db) =>
    createAccount(db, {
      ...{ email, name: email, password, verified: true, globalRole, memberships: [], keyName: 'k' },
    }),
  )
  const browser = visitor(database)
  await logIn(browser, email)
  return { browser, email, ...made }
}

const begin = (browser: Browser) => browser.ask((ctx) => passkeys.begin(ctx))
const create = (browser: Browser, passkey: ReturnType<Key['make']>, name = 'Key') =>
  browser.ask((ctx) => passkeys.create(ctx, { data: { name, passkey } }))
const find = (browser: Browser) => browser.ask((ctx) => passkeys.find(ctx))

/** Adds a passkey. */
async function add(browser: Browser, name = 'Key', other: Otherwise = {}) {
  const key = softAuthenticator(origin)
  const made = await create(browser, key.make(await begin(browser), other), name)
  return { key, ...made }
}

/** A person with one passkey and nothing else. */
async function withPasskey(email: string, globalRole: 'super_admin' | null = null) {
  const made = await person(email, globalRole)
  return { ...made, ...(await add(made.browser)) }
}

/** A browser in which the password was right. */
async function halfIn(email: string, about?: Parameters<typeof visitor>[1]) {
  const browser = visitor(database, about)
  expect((await refused(logIn(browser, email))).reason).toBe('secondFactor')
  return browser
}

const askFor = (browser: Browser) => browser.ask((ctx) => challengeBetweenSteps(ctx))
const step = (browser: Browser, passkey: ReturnType<Key['use']>) =>
  browser.ask((ctx) => secondStep(ctx, { data: { passkey } }))
const stateOf = (browser: Browser) => browser.ask((ctx) => readState(ctx, { data: undefined }))
const age = (browser: Browser, minutes: number) =>
  browser.ask((ctx) =>
    inDatabase((db) =>
      db
        .updateTable('session')
        .set({ provedAt: sql<Date>`now() - make_interval(mins => ${minutes})` })
        .where('id', '=', ctx.actor.session?.id ?? '')
        .execute(),
    ),
  )
const notAccepted = { kind: 'invalid', issues: [{ path: ['passkey'] }] }

describe('adding a passkey', () => {
  test('the first is a second factor: recovery codes, an email, a line, other sessions end', async () => {
    const { browser, userId, email } = await person('first@example.org')
    const phone = visitor(database)
    await logIn(phone, email)
    const key = softAuthenticator(origin)
    const asked = await begin(browser)
    expect(asked.publicKey).toMatchObject({
      rp: { id: 'app.test', name: 'Commonplace' },
      user: { name: email },
      excludeCredentials: [],
      authenticatorSelection: { userVerification: 'required' },
    })
    expect(browser.setCookies.join()).toMatch(/__Host-passkey=[^;]+;.*Path=\/;.*HttpOnly;.*Secure/)
    const made = await create(browser, key.make(asked), 'Laptop')
    expect(new Set(made.recoveryCodes).size).toBe(10)
    expect(browser.jar.has('__Host-passkey')).toBe(false)
    expect(await find(browser)).toMatchObject({
      results: [{ id: made.id, name: 'Laptop', lastUsedAt: null }],
    })
    expect(await browser.ask((ctx) => factors.find(ctx))).toEqual({
      ...{ isOn: true, isRequired: false, hasApp: false, hasPasskey: true, codesLeft: 10 },
    })
    expect((await stateOf(phone)).session).toBeNull()
    expect((await stateOf(browser)).session?.user.email).toBe(email)
    expect((await lettersTo(database, email))[0]?.subject).toBe('A passkey was added to your account')
    const lines = await inDatabase((db) =>
      db.selectFrom('activity').select('verb').where('personId', '=', userId).execute(),
    )
    expect(lines.map(({ verb }) => verb)).toContain('passkeyAdded')
    // A second one is beside it: the browser is told of the first, and no codes are made.
    const next = await begin(browser)
    expect(next.publicKey.excludeCredentials).toEqual([
      { id: key.id, type: 'public-key', transports: ['internal'] },
    ])
    expect((await create(browser, softAuthenticator(origin).make(next))).recoveryCodes).toEqual([])
  })

  test('a proof of a moment ago is asked for, and a session: a key is none', async () => {
    const { browser, key } = await person('proved@example.org')
    await age(browser, 11)
    expect((await refused(browser.ask((ctx) => call(v1.core.passkey.begin, ctx)))).reason).toBe('stepUp')
    const program = visitor(database)
    program.key = key
    expect((await refused(begin(program))).kind).toBe('forbidden')
    expect((await refused(find(program))).kind).toBe('forbidden')
  })

  test.each<[string, Otherwise]>([
    ['another origin', { origin: 'https://app.test.evil.test' }],
    ['another scheme', { origin: 'http://app.test:8787' }],
    ['another host', { rpId: 'evil.test' }],
    ['another challenge', { challenge: 'bm90LW91cnM' }],
    ['the answer of a use', { type: 'webauthn.get' }],
    ['no user verification', { isUnverified: true }],
    ['nobody there', { isAbsent: true }],
  ])('refuses %s', async (what, other) => {
    const { browser } = await person(`${what.replaceAll(' ', '-')}@add.example.org`)
    const key = softAuthenticator(origin)
    const asked = await begin(browser)
    const { jar } = browser
    const cookie = jar.get('__Host-passkey') ?? ''
    expect(await refused(create(browser, key.make(asked, other)))).toMatchObject(notAccepted)
    expect(await find(browser)).toEqual({ results: [] })
    // The challenge is used up by that.
    jar.set('__Host-passkey', cookie)
    expect(await refused(create(browser, key.make(asked)))).toMatchObject(notAccepted)
    expect((await browser.ask((ctx) => factors.find(ctx))).isOn).toBe(false)
  })

  test.each([
    ['no CBOR', 'AAAA'],
    ['cut CBOR', 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVjF'],
    ['endless CBOR', 'v2NmbXRkbm9uZQ'],
    ['CBOR of something else', 'gwECAw'],
    ['a map of promised gigabytes', 'u_____8'],
  ])('refuses %s', async (what, attestationObject) => {
    const { browser } = await person(`${what.replaceAll(' ', '-')}@cbor.example.org`)
    const passkey = softAuthenticator(origin).make(await begin(browser))
    const bad = { ...passkey, response: { ...passkey.response, attestationObject } }
    expect(await refused(create(browser, bad))).toMatchObject(notAccepted)
    expect(await find(browser)).toEqual({ results: [] })
  })

  test('a challenge is answered in its own session, by its own person, once and in five minutes', async () => {
    const { browser, email } = await person('own@example.org')
    const other = visitor(database)
    await logIn(other, email)
    const stranger = (await person('stranger@example.org')).browser
    for (const thief of [other, stranger]) {
      const asked = await begin(browser)
      thief.jar.set('__Host-passkey', browser.jar.get('__Host-passkey') ?? '')
      expect(await refused(create(thief, softAuthenticator(origin).make(asked)))).toMatchObject(notAccepted)
      expect(await find(thief)).toEqual({ results: [] })
    }
    const asked = await begin(browser)
    await inDatabase((db) =>
      db
        .updateTable('verification')
        .set({ expiresAt: sql<Date>`now() - interval '1 second'` })
        .execute(),
    )
    expect(await refused(create(browser, softAuthenticator(origin).make(asked)))).toMatchObject(notAccepted)
    const fresh = await begin(browser)
    const cookie = browser.jar.get('__Host-passkey') ?? ''
    await create(browser, softAuthenticator(origin).make(fresh))
    browser.jar.set('__Host-passkey', cookie)
    expect(await refused(create(browser, softAuthenticator(origin).make(fresh)))).toMatchObject(notAccepted)
    expect((await find(browser)).results).toHaveLength(1)
  })

  test('nobody adds the passkey that another person has', async () => {
    const { key } = await withPasskey('has-it@example.org')
    const { browser } = await person('wants-it@example.org')
    expect(await refused(create(browser, key.make(await begin(browser))))).toMatchObject(notAccepted)
    expect(await find(browser)).toEqual({ results: [] })
  })

  test('ten are enough, also where two are added at once', async () => {
    const { browser } = await person('eleven@example.org')
    for (let i = 0; i < 9; i += 1) await add(browser, `Key ${i}`)
    const second = visitor(database)
    second.jar.set('__Host-session', browser.jar.get('__Host-session') ?? '')
    const [one, two] = [await begin(browser), await begin(second)]
    const outcomes = await Promise.allSettled([
      create(browser, softAuthenticator(origin).make(one)),
      create(second, softAuthenticator(origin).make(two)),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await find(browser)).results).toHaveLength(10)
    expect(await refused(begin(browser))).toMatchObject({
      ...{ kind: 'conflict', say: 'There are 10 passkeys already: remove one first.' },
    })
  })

  test('not on the host of a hub, and by the configured origin whatever the request says of its host', async () => {
    const { browser } = await person('hub@example.org')
    const site = {
      ...{ mode: 'hub' as const, host: 'oak.hubs.test', origin: 'https://oak.hubs.test', placeId: 'oak' },
      ...{ canonicalHost: 'oak.hubs.test', locale: 'en' as never },
    }
    expect((await refused(browser.ask((ctx) => passkeys.begin({ ...ctx, site })))).kind).toBe('forbidden')
    browser.headers.set('host', 'evil.test')
    browser.headers.set('origin', 'https://evil.test')
    browser.headers.set('x-forwarded-host', 'evil.test')
    const asked = await begin(browser)
    expect(asked.publicKey.rp.id).toBe('app.test')
    const made = softAuthenticator('https://evil.test').make(asked, { rpId: 'evil.test' })
    expect(await refused(create(browser, made))).toMatchObject(notAccepted)
  })
})

describe('signing in with a passkey as the second step', () => {
  test('after the password, and only then', async () => {
    const { email, key, browser: first } = await withPasskey('signs-in@example.org')
    const stranger = visitor(database)
    expect((await refused(askFor(stranger))).reason).toBe('signInAgain')
    expect(await stranger.ask((ctx) => stepKinds(ctx))).toEqual({ waiting: null })
    const browser = await halfIn(email)
    expect((await stateOf(browser)).session).toBeNull()
    expect(await browser.ask((ctx) => stepKinds(ctx))).toEqual({ waiting: { app: false, passkey: true } })
    const asked = await askFor(browser)
    expect(asked.publicKey).toMatchObject({
      rpId: 'app.test',
      userVerification: 'required',
      allowCredentials: [{ id: key.id, type: 'public-key', transports: ['internal'] }],
    })
    expect((await step(browser, key.use(asked))).user.email).toBe(email)
    expect([...browser.jar.keys()].sort()).toEqual(['__Host-device', '__Host-session'])
    const [kept] = (await find(first)).results
    expect(kept?.lastUsedAt).toBeInstanceOf(Date)
    // It counts as a proof.
    await browser.ask((ctx) => call(v1.core.passkey.begin, ctx))
  })

  test.each<[string, Otherwise]>([
    ['another origin', { origin: 'https://app.test.evil.test' }],
    ['another port', { origin: 'https://app.test' }],
    ['another host', { rpId: 'evil.test' }],
    ['another challenge', { challenge: 'bm90LW91cnM' }],
    ['the answer of a making', { type: 'webauthn.create' }],
    ['no user verification', { isUnverified: true }],
    ['nobody there', { isAbsent: true }],
    ['a count that goes back', { counter: 4 }],
    ['a count that stays', { counter: 5 }],
    ['a key that nobody has', { credentialId: 'bm9ib2R5' }],
  ])('refuses %s', async (what, other) => {
    const { email, key } = await withPasskey(`${what.replaceAll(' ', '-')}@use.example.org`)
    key.counter = 4
    const before = await halfIn(email)
    await step(before, key.use(await askFor(before)))
    const browser = await halfIn(email)
    const asked = await askFor(browser)
    const cookie = browser.jar.get('__Host-passkey') ?? ''
    expect(await refused(step(browser, key.use(asked, other)))).toMatchObject(notAccepted)
    expect((await stateOf(browser)).session).toBeNull()
    browser.jar.set('__Host-passkey', cookie)
    expect(await refused(step(browser, key.use(asked)))).toMatchObject(notAccepted)
    // The sign-in itself goes on: with another challenge it is right.
    expect((await step(browser, key.use(await askFor(browser)))).user.email).toBe(email)
  })

  test('refuses a signature of another key, and the key of another person', async () => {
    const { email, key } = await withPasskey('signed@example.org')
    const { key: foreign } = await withPasskey('foreign@example.org')
    const browser = await halfIn(email)
    expect(await refused(step(browser, foreign.use(await askFor(browser))))).toMatchObject(notAccepted)
    const forged = foreign.use(await askFor(browser), { credentialId: key.id })
    expect(await refused(step(browser, forged))).toMatchObject(notAccepted)
    expect((await stateOf(browser)).session).toBeNull()
  })

  test('refuses an answer that was used, one to another sign-in, and one that comes too late', async () => {
    const { email, key, browser: owner } = await withPasskey('replay@example.org')
    const first = await halfIn(email)
    const steps = first.jar.get('__Host-second-step') ?? ''
    const asked = await askFor(first)
    const cookie = first.jar.get('__Host-passkey') ?? ''
    const answer = key.use(asked)
    await step(first, answer)
    const replay = visitor(database)
    replay.jar.set('__Host-second-step', steps)
    replay.jar.set('__Host-passkey', cookie)
    // The step that waited is over.
    expect((await refused(step(replay, answer))).reason).toBe('signInAgain')
    const second = await halfIn(email)
    second.jar.set('__Host-passkey', cookie)
    expect(await refused(step(second, answer))).toMatchObject(notAccepted)
    // Asked for in one sign-in, or in a session, and answered in another sign-in of the same person.
    const third = await halfIn(email)
    const other = key.use(await askFor(third))
    second.jar.set('__Host-passkey', third.jar.get('__Host-passkey') ?? '')
    expect(await refused(step(second, other))).toMatchObject(notAccepted)
    const own = key.use(await owner.ask((ctx) => passkeys.challenge(ctx)))
    second.jar.set('__Host-passkey', owner.jar.get('__Host-passkey') ?? '')
    expect(await refused(step(second, own))).toMatchObject(notAccepted)
    const late = key.use(await askFor(second))
    await inDatabase((db) =>
      db
        .updateTable('verification')
        .set({ expiresAt: sql<Date>`now() - interval '1 second'` })
        .where('value', 'like', '%expectedChallenge%')
        .execute(),
    )
    expect(await refused(step(second, late))).toMatchObject(notAccepted)
    expect((await stateOf(second)).session).toBeNull()
  })

  test('one answer sent twice at once begins one session', async () => {
    const { email, key, userId } = await withPasskey('twice@example.org')
    const browser = await halfIn(email)
    const answer = key.use(await askFor(browser))
    const twin = visitor(database)
    for (const [name, value] of browser.jar) twin.jar.set(name, value)
    const outcomes = await Promise.allSettled([step(browser, answer), step(twin, answer)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const sessions = await inDatabase((db) =>
      db.selectFrom('session').select('id').where('userId', '=', userId).execute(),
    )
    expect(sessions).toHaveLength(2)
  })

  test('a challenge that the secret of before signed is taken', async () => {
    const { email, key } = await withPasskey('rotated@example.org')
    const rotated: Settings = {
      ...settings,
      authSecret: 'another secret of these tests, thirty-two characters',
      previousAuthSecret: settings.authSecret,
    }
    const browser = await halfIn(email)
    const asked = await askFor(browser)
    const after = visitor(database, { settings: rotated })
    for (const [name, value] of browser.jar) after.jar.set(name, value)
    expect((await step(after, key.use(asked))).user.email).toBe(email)
  })

  test('recovery codes open the account of who has lost the passkey, and codes of an app do not', async () => {
    const { email, recoveryCodes, browser: owner } = await withPasskey('lost@example.org')
    const browser = await halfIn(email)
    const code = browser.ask((ctx) => secondStep(ctx, { data: { code: '123456' } }))
    expect(await refused(code)).toMatchObject({ kind: 'invalid', issues: [{ path: ['code'] }] })
    const recoveryCode = recoveryCodes[0] ?? ''
    await browser.ask((ctx) => secondStep(ctx, { data: { recoveryCode } }))
    expect(await owner.ask((ctx) => factors.find(ctx))).toMatchObject({ codesLeft: 9 })
    const fresh = await owner.ask((ctx) => factors.renewCodes(ctx))
    expect(fresh.recoveryCodes).toHaveLength(10)
  })
})

describe('proving once more by a passkey', () => {
  const proveBy = (browser: Browser, passkey: ReturnType<Key['use']>) =>
    browser.ask((ctx) => prove(ctx, { data: { passkey } }))

  test('counts, and the session stays the one it was', async () => {
    const { browser, key, userId } = await withPasskey('proves@example.org')
    await age(browser, 11)
    const before = browser.jar.get('__Host-session')
    expect((await refused(browser.ask((ctx) => prove(ctx, { data: { password } })))).kind).toBe('invalid')
    await proveBy(browser, key.use(await browser.ask((ctx) => passkeys.challenge(ctx))))
    await browser.ask((ctx) => call(v1.core.passkey.begin, ctx))
    expect(browser.jar.get('__Host-session')).toBe(before)
    const sessions = await inDatabase((db) =>
      db.selectFrom('session').select('id').where('userId', '=', userId).execute(),
    )
    expect(sessions).toHaveLength(1)
  })

  test('takes the challenge of this session, and user verification', async () => {
    const { browser, key, email } = await withPasskey('careful@example.org')
    const other = await halfIn(email)
    await step(other, key.use(await askFor(other)))
    const stolen = key.use(await other.ask((ctx) => passkeys.challenge(ctx)))
    browser.jar.set('__Host-passkey', other.jar.get('__Host-passkey') ?? '')
    expect(await refused(proveBy(browser, stolen))).toMatchObject(notAccepted)
    const asked = await browser.ask((ctx) => passkeys.challenge(ctx))
    expect(await refused(proveBy(browser, key.use(asked, { isUnverified: true })))).toMatchObject(notAccepted)
  })

  test('is refused to who has none', async () => {
    const { browser } = await person('none@example.org')
    expect((await refused(browser.ask((ctx) => passkeys.challenge(ctx)))).kind).toBe('conflict')
    const answer = softAuthenticator(origin).use({
      publicKey: { challenge: 'AA', rpId: 'app.test' } as never,
    })
    expect(await refused(proveBy(browser, answer))).toMatchObject(notAccepted)
  })
})

describe('a passkey beside an app', () => {
  const codeNow = (key: string) => codeAt(key, Date.now())
  const enrol = (browser: Browser) => browser.ask((ctx) => factors.enrol(ctx, { data: { password } }))

  test('each signs in; what is removed is that one, and with the last one the second step', async () => {
    const { browser, email, key, recoveryCodes } = await withPasskey('both@example.org')
    const begun = await enrol(browser)
    // The codes that were given with the passkey stay.
    expect(begun.recoveryCodes).toEqual([])
    await browser.ask((ctx) =>
      factors.confirm(ctx, { data: { code: codeAt(begun.key, Date.now() - 30_000) } }),
    )
    expect(await browser.ask((ctx) => factors.find(ctx))).toMatchObject({ hasApp: true, hasPasskey: true })
    const one = await halfIn(email)
    expect(await one.ask((ctx) => stepKinds(ctx))).toEqual({ waiting: { app: true, passkey: true } })
    await one.ask((ctx) => secondStep(ctx, { data: { code: codeNow(begun.key) } }))
    await browser.ask((ctx) => factors.remove(ctx))
    expect(await browser.ask((ctx) => factors.find(ctx))).toMatchObject({
      ...{ isOn: true, hasApp: false, hasPasskey: true, codesLeft: 10 },
    })
    const two = await halfIn(email)
    await step(two, key.use(await askFor(two)))
    const three = await halfIn(email)
    await three.ask((ctx) => secondStep(ctx, { data: { recoveryCode: recoveryCodes[3] ?? '' } }))
    const [kept] = (await find(browser)).results
    const params = { passkeyId: kept?.id ?? '' }
    const renamed = await browser.ask((ctx) =>
      passkeys.updateById(ctx, { params, data: { name: 'In the drawer' } }),
    )
    expect(renamed?.name).toBe('In the drawer')
    await browser.ask((ctx) => passkeys.deleteById(ctx, { params }))
    expect(await browser.ask((ctx) => factors.find(ctx))).toMatchObject({ isOn: false, codesLeft: 0 })
    expect((await lettersTo(database, email))[0]?.subject).toBe('A passkey was removed from your account')
    await logIn(visitor(database), email)
    await age(browser, 11)
    await browser.ask((ctx) => prove(ctx, { data: { password } }))
  })

  test('the password alone puts no app beside a passkey, and an app that was begun proves nothing', async () => {
    const { browser, email } = await withPasskey('begun@example.org')
    const begun = await enrol(browser)
    await age(browser, 11)
    const proof = browser.ask((ctx) => prove(ctx, { data: { code: codeNow(begun.key) } }))
    expect(await refused(proof)).toMatchObject({ kind: 'invalid', issues: [{ path: ['code'] }] })
    const browserOfThief = await halfIn(email)
    const code = codeAt(begun.key, Date.now() - 30_000)
    const entered = browserOfThief.ask((ctx) => secondStep(ctx, { data: { code } }))
    expect((await refused(entered)).kind).toBe('invalid')
    expect((await refused(enrol(browser))).reason).toBe('stepUp')
    expect(await browser.ask((ctx) => factors.find(ctx))).toMatchObject({ hasApp: false })
  })

  test('a passkey is changed by its person alone', async () => {
    const { browser, id } = await withPasskey('mine@example.org')
    const { browser: stranger } = await withPasskey('yours@example.org')
    const params = { passkeyId: id }
    const renamed = stranger.ask((ctx) => passkeys.updateById(ctx, { params, data: { name: 'Mine' } }))
    expect(await renamed).toBeUndefined()
    expect(await stranger.ask((ctx) => passkeys.deleteById(ctx, { params }))).toBeUndefined()
    expect((await find(browser)).results).toMatchObject([{ id, name: 'Key' }])
    // The database says so too.
    const { db, end } = connect(database.env, { user: 'someone-else', places: [], global: '' })
    expect(await db.selectFrom('passkey').select('id').execute()).toEqual([])
    await end()
  })
})

test('a super admin is enrolled by a passkey, and recovered by the command: it takes all', async () => {
  const { browser, email } = await person('root@example.org', 'super_admin')
  expect(await browser.ask(async (ctx) => ctx.actor)).toMatchObject({ mustEnrol: true })
  const asked = await browser.ask((ctx) => call(v1.core.passkey.begin, ctx))
  const passkey = softAuthenticator(origin).make(asked)
  await browser.ask((ctx) => call(v1.core.passkey.create, ctx, { data: { name: 'Key', passkey } }))
  expect((await browser.ask(async (ctx) => ctx.actor)).user?.role).toBe('super_admin')
  const begun = await browser.ask((ctx) => factors.enrol(ctx, { data: { password } }))
  await browser.ask((ctx) => factors.confirm(ctx, { data: { code: codeAt(begun.key, Date.now()) } }))
  const { end, ...connection } = database.connect(asSystem)
  await visitor(database).ask((ctx) => factors.recover({ ...ctx, ...connection, actor: system }, email))
  await end()
  expect((await stateOf(browser)).session).toBeNull()
  const again = visitor(database)
  await logIn(again, email)
  expect(await again.ask(async (ctx) => ctx.actor)).toMatchObject({ mustEnrol: true })
  expect(await again.ask((ctx) => factors.find(ctx))).toMatchObject({ hasApp: false, hasPasskey: false })
})
