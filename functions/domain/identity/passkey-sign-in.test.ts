import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase } from '#db/testing.ts'
import { call } from '#functions/api/call.ts'
import type { Settings } from '#functions/context.ts'
import { v1 } from '#functions/v1/index.ts'
import { softAuthenticator, type AuthenticatorFaults } from './authenticator.testing.ts'
import * as factors from './factors.ts'
import * as passkeys from './passkeys.ts'
import { notAccepted, origin, password, withPasskeys, type Browser, type Key } from './passkeys.testing.ts'
import { prove, secondStep, stepKinds } from './second-step.ts'
import { databaseWithRoles, expectFailure, settings } from './testing.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await databaseWithRoles()
})
afterAll(() => database.close())

const { age, askFor, find, halfIn, withDatabase, person, readBrowserState, step, visitor, withPasskey } =
  withPasskeys(() => database)

describe('signing in with a passkey as the second step', () => {
  test('works after the password, and only then', async () => {
    const { email, key, browser: first } = await withPasskey('signs-in@example.org')
    const stranger = visitor()
    expect((await expectFailure(askFor(stranger))).reason).toBe('signInAgain')
    expect(await stranger.ask((ctx) => stepKinds(ctx))).toEqual({ waiting: null })
    const browser = await halfIn(email)
    expect((await readBrowserState(browser)).session).toBeNull()
    expect(await browser.ask((ctx) => stepKinds(ctx))).toEqual({ waiting: { app: false, passkey: true } })
    const challenge = await askFor(browser)
    expect(challenge.publicKey).toMatchObject({
      rpId: 'app.test',
      userVerification: 'required',
      allowCredentials: [{ id: key.id, type: 'public-key', transports: ['internal'] }],
    })
    expect((await step(browser, key.use(challenge))).user.email).toBe(email)
    expect([...browser.jar.keys()].sort()).toEqual(['__Host-device', '__Host-session'])
    const [storedPasskey] = (await find(first)).results
    expect(storedPasskey?.lastUsedAt).toBeInstanceOf(Date)
    // It counts as a proof.
    await browser.ask((ctx) => call(v1.core.passkey.begin, ctx))
  })

  test.each<[string, AuthenticatorFaults]>([
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
  ])('rejects %s', async (what, other) => {
    const { email, key } = await withPasskey(`${what.replaceAll(' ', '-')}@use.example.org`)
    key.counter = 4
    const before = await halfIn(email)
    await step(before, key.use(await askFor(before)))
    const browser = await halfIn(email)
    const challenge = await askFor(browser)
    const cookie = browser.jar.get('__Host-passkey') ?? ''
    expect(await expectFailure(step(browser, key.use(challenge, other)))).toMatchObject(notAccepted)
    expect((await readBrowserState(browser)).session).toBeNull()
    browser.jar.set('__Host-passkey', cookie)
    expect(await expectFailure(step(browser, key.use(challenge)))).toMatchObject(notAccepted)
    // The sign-in itself continues: a new challenge works.
    expect((await step(browser, key.use(await askFor(browser)))).user.email).toBe(email)
  })

  test('rejects a signature of another key, and the key of another person', async () => {
    const { email, key } = await withPasskey('signed@example.org')
    const { key: foreign } = await withPasskey('foreign@example.org')
    const browser = await halfIn(email)
    expect(await expectFailure(step(browser, foreign.use(await askFor(browser))))).toMatchObject(notAccepted)
    const forged = foreign.use(await askFor(browser), { credentialId: key.id })
    expect(await expectFailure(step(browser, forged))).toMatchObject(notAccepted)
    expect((await readBrowserState(browser)).session).toBeNull()
  })

  test('rejects an answer that was used, one to another sign-in, and one that comes too late', async () => {
    const { email, key, browser: owner } = await withPasskey('replay@example.org')
    const first = await halfIn(email)
    const steps = first.jar.get('__Host-second-step') ?? ''
    const challenge = await askFor(first)
    const cookie = first.jar.get('__Host-passkey') ?? ''
    const answer = key.use(challenge)
    await step(first, answer)
    const replay = visitor()
    replay.jar.set('__Host-second-step', steps)
    replay.jar.set('__Host-passkey', cookie)
    // The step that waited is over.
    expect((await expectFailure(step(replay, answer))).reason).toBe('signInAgain')
    const second = await halfIn(email)
    second.jar.set('__Host-passkey', cookie)
    expect(await expectFailure(step(second, answer))).toMatchObject(notAccepted)
    // A challenge of one sign-in, or of a session, is not valid in another sign-in of the same person.
    const third = await halfIn(email)
    const other = key.use(await askFor(third))
    second.jar.set('__Host-passkey', third.jar.get('__Host-passkey') ?? '')
    expect(await expectFailure(step(second, other))).toMatchObject(notAccepted)
    const own = key.use(await owner.ask((ctx) => passkeys.challenge(ctx)))
    second.jar.set('__Host-passkey', owner.jar.get('__Host-passkey') ?? '')
    expect(await expectFailure(step(second, own))).toMatchObject(notAccepted)
    const late = key.use(await askFor(second))
    await withDatabase((db) =>
      db
        .updateTable('verification')
        .set({ expiresAt: sql<Date>`now() - interval '1 second'` })
        .where('value', 'like', '%expectedChallenge%')
        .execute(),
    )
    expect(await expectFailure(step(second, late))).toMatchObject(notAccepted)
    expect((await readBrowserState(second)).session).toBeNull()
  })

  test('one answer sent twice concurrently begins one session', async () => {
    const { email, key, userId } = await withPasskey('twice@example.org')
    const browser = await halfIn(email)
    const answer = key.use(await askFor(browser))
    const twin = visitor()
    for (const [name, value] of browser.jar) twin.jar.set(name, value)
    const outcomes = await Promise.allSettled([step(browser, answer), step(twin, answer)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const sessions = await withDatabase((db) =>
      db.selectFrom('session').select('id').where('userId', '=', userId).execute(),
    )
    expect(sessions).toHaveLength(2)
  })

  test('accepts a challenge signed with the previous secret', async () => {
    const { email, key } = await withPasskey('rotated@example.org')
    const rotated: Settings = {
      ...settings,
      authSecret: 'another secret of these tests, thirty-two characters',
      previousAuthSecret: settings.authSecret,
    }
    const browser = await halfIn(email)
    const challenge = await askFor(browser)
    const after = visitor({ settings: rotated })
    for (const [name, value] of browser.jar) after.jar.set(name, value)
    expect((await step(after, key.use(challenge))).user.email).toBe(email)
  })

  test('recovery codes work for a person who has lost the passkey, and codes of an app do not', async () => {
    const { email, recoveryCodes, browser: owner } = await withPasskey('lost@example.org')
    const browser = await halfIn(email)
    const code = browser.ask((ctx) => secondStep(ctx, { data: { code: '123456' } }))
    expect(await expectFailure(code)).toMatchObject({ kind: 'invalid', issues: [{ path: ['code'] }] })
    const recoveryCode = recoveryCodes[0] ?? ''
    await browser.ask((ctx) => secondStep(ctx, { data: { recoveryCode } }))
    expect(await owner.ask((ctx) => factors.find(ctx))).toMatchObject({ codesLeft: 9 })
    const fresh = await owner.ask((ctx) => factors.renewCodes(ctx))
    expect(fresh.recoveryCodes).toHaveLength(10)
  })
})

describe('re-authentication by a passkey', () => {
  const proveBy = (browser: Browser, passkey: ReturnType<Key['use']>) =>
    browser.ask((ctx) => prove(ctx, { data: { passkey } }))

  test('is valid, and keeps the session', async () => {
    const { browser, key, userId } = await withPasskey('proves@example.org')
    await age(browser, 11)
    const before = browser.jar.get('__Host-session')
    expect((await expectFailure(browser.ask((ctx) => prove(ctx, { data: { password } })))).kind).toBe(
      'invalid',
    )
    await proveBy(browser, key.use(await browser.ask((ctx) => passkeys.challenge(ctx))))
    await browser.ask((ctx) => call(v1.core.passkey.begin, ctx))
    expect(browser.jar.get('__Host-session')).toBe(before)
    const sessions = await withDatabase((db) =>
      db.selectFrom('session').select('id').where('userId', '=', userId).execute(),
    )
    expect(sessions).toHaveLength(1)
  })

  test('requires the challenge of this session, and user verification', async () => {
    const { browser, key, email } = await withPasskey('careful@example.org')
    const other = await halfIn(email)
    await step(other, key.use(await askFor(other)))
    const stolen = key.use(await other.ask((ctx) => passkeys.challenge(ctx)))
    browser.jar.set('__Host-passkey', other.jar.get('__Host-passkey') ?? '')
    expect(await expectFailure(proveBy(browser, stolen))).toMatchObject(notAccepted)
    const challenge = await browser.ask((ctx) => passkeys.challenge(ctx))
    expect(await expectFailure(proveBy(browser, key.use(challenge, { isUnverified: true })))).toMatchObject(
      notAccepted,
    )
  })

  test('is rejected without a passkey', async () => {
    const { browser } = await person('none@example.org')
    expect((await expectFailure(browser.ask((ctx) => passkeys.challenge(ctx)))).kind).toBe('conflict')
    const answer = softAuthenticator(origin).use({
      publicKey: { challenge: 'AA', rpId: 'app.test' } as never,
    })
    expect(await expectFailure(proveBy(browser, answer))).toMatchObject(notAccepted)
  })
})
