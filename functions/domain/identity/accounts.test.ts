import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import type { Context } from '#functions/context.ts'
import { forgot, login, logout, reset, signup } from './accounts.ts'
import { confirm, resend } from './confirmations.ts'
import { sessionCookie, tokenFrom } from './cookie.ts'
import { changePassword, isOwnPassword } from './password.ts'
import { readState, SignedOutFailure, state } from './state.ts'
import { emailsTo, expectFailure, settings, tokenIn, usedUp, visitor } from './testing.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

const password = 'correct horse battery'
const ada = { name: 'Ada', email: 'ada@example.org', password }
const signUp = (data: typeof ada) => visitor(database).ask((ctx) => signup(ctx, { data }))
const findNewestEmail = async (to: string) => (await emailsTo(database, to))[0]

/** A confirmed account, and the browser that confirmed it. */
async function confirmed(email: string) {
  const browser = visitor(database)
  await browser.ask((ctx) => signup(ctx, { data: { ...ada, email } }))
  const token = tokenIn(await findNewestEmail(email))
  await browser.ask((ctx) => confirm(ctx, { data: { token } }))
  return browser
}
const countSessions = async (email: string) => {
  const { db, end } = database.connect(asSystem)
  const { count } = await db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user.email', '=', email)
    .executeTakeFirstOrThrow()
  await end()
  return count
}
const loginAs =
  (email: string, secret = password) =>
  (ctx: Context) =>
    login(ctx, { data: { email, password: secret } })

describe('from sign-up to sign-out', () => {
  const browser = () => visitor(database)

  test('sign-up sends an email with a link to the app only, and signs nobody in', async () => {
    const first = browser()
    expect(await first.ask((ctx) => signup(ctx, { data: ada }))).toEqual({ ok: true })
    expect(first.session()).toBeNull()
    expect(first.setCookies).toEqual([
      expect.stringMatching(
        /^__Host-signup=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
    const [mail, ...more] = await emailsTo(database, ada.email)
    expect(more).toEqual([])
    expect(mail?.text).toContain('https://app.test:8787/confirmation?token=')
    for (const part of [mail?.text ?? '', mail?.html ?? '']) {
      expect(part).not.toContain('Ada')
      for (const [link] of part.matchAll(/https?:[^\s"<]+/g)) expect(new URL(link).host).toBe('app.test:8787')
    }
  })

  test('an unconfirmed address cannot sign in, and the reason is given only with the correct password', async () => {
    expect((await expectFailure(browser().ask(loginAs(ada.email)))).kind).toBe('forbidden')
    expect((await expectFailure(browser().ask(loginAs(ada.email, 'wrong password')))).kind).toBe(
      'unauthenticated',
    )
  })

  test('the link confirms once and signs in; the state then contains the person', async () => {
    const token = tokenIn(await findNewestEmail(ada.email))
    const first = browser()
    const { session } = await first.ask((ctx) => confirm(ctx, { data: { token, password } }))
    expect(session?.user).toMatchObject({
      email: ada.email,
      name: 'Ada',
      verified: true,
      role: null,
      places: [],
    })
    expect(first.setCookies).toHaveLength(3)
    expect(first.setCookies[0]).toMatch(/^__Host-signup=; Max-Age=0;/)
    expect(first.setCookies[1]).toMatch(
      /^__Host-session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    const currentState = await first.ask((ctx) => state(ctx, { data: undefined }))
    expect(currentState.session?.user.authMethod).toBe('password')
    const second = browser()
    const again = second.ask((ctx) => confirm(ctx, { data: { token, password } }))
    expect((await expectFailure(again)).issues).toEqual([usedUp])
    expect(second.session()).toBeNull()
  })

  test('the cookie equals the one we would write', async () => {
    const one = browser()
    await one.ask(loginAs(ada.email))
    const token = await tokenFrom(new Headers({ cookie: `__Host-session=${one.session()}` }), settings)
    expect(await sessionCookie(token ?? '', settings)).toBe(one.setCookies[0])
  })

  test('sign-in ignores the case of the address; sign-out ends the session in the database', async () => {
    const one = browser()
    await one.ask(loginAs(ada.email))
    const copy = visitor(database)
    copy.jar.set('__Host-session', one.session() ?? '')
    expect((await copy.ask((ctx) => readState(ctx, { data: {} }))).session).not.toBeNull()
    await one.ask((ctx) => logout(ctx))
    expect(one.session()).toBeNull()
    expect((await copy.ask((ctx) => readState(ctx, { data: {} }))).session).toBeNull()
  })

  test('signed out, the state is refused and contains what a visitor needs', async () => {
    const error = await browser()
      .ask((ctx) => state(ctx, { data: { hostname: 'nowhere.hubs.test' } }))
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SignedOutFailure)
    expect((error as SignedOutFailure).status).toBe(401)
    expect((error as SignedOutFailure).beside).toMatchObject({
      session: null,
      hub: { place: null, invalid: true },
      config: { clientKey: 'cpw_app' },
    })
  })
})

describe('a new password', () => {
  test('needs the email, works once, ends every session and invalidates other emails', async () => {
    const email = 'bea@example.org'
    const [laptop, phone] = [await confirmed(email), visitor(database)]
    await phone.ask(loginAs(email))
    await visitor(database).ask((ctx) => forgot(ctx, { data: { email } }))
    await visitor(database).ask((ctx) => forgot(ctx, { data: { email } }))
    const [second, first] = (await emailsTo(database, email)).map(tokenIn)
    const choose = (token = '') =>
      visitor(database).ask((ctx) => reset(ctx, { data: { token, password: 'a new one for Bea' } }))
    expect(await choose(first)).toEqual({ ok: true })
    for (const browser of [laptop, phone])
      expect((await browser.ask((ctx) => readState(ctx, { data: {} }))).session).toBeNull()
    expect((await expectFailure(visitor(database).ask(loginAs(email)))).kind).toBe('unauthenticated')
    expect((await visitor(database).ask(loginAs(email, 'a new one for Bea'))).user.email).toBe(email)
    for (const spent of [first, second, 'made up'])
      expect((await expectFailure(choose(spent))).issues).toEqual([usedUp])
    expect((await findNewestEmail(email))?.subject).toBe('Your password was changed')
  })

  test('is changed with the current one too: this browser stays signed in, the others do not', async () => {
    const email = 'fay@example.org'
    const [laptop, phone] = [await confirmed(email), visitor(database)]
    await phone.ask(loginAs(email))
    await visitor(database).ask((ctx) => forgot(ctx, { data: { email } }))
    const token = tokenIn(await findNewestEmail(email))
    const newPassword = 'a new one for Fay'
    const change = (browser: typeof laptop, current: string) =>
      browser.ask((ctx) => changePassword(ctx, { data: { current, password: newPassword } }))
    expect((await expectFailure(change(laptop, 'not this one'))).issues).toEqual([
      { path: ['current'], message: 'The password is not right.' },
    ])
    expect(await change(laptop, password)).toEqual({ ok: true, keys: [] })
    const readSessionEmail = async (browser: typeof laptop) =>
      (await browser.ask((ctx) => readState(ctx, { data: {} }))).session?.user.email
    expect([await readSessionEmail(laptop), await readSessionEmail(phone)]).toEqual([email, undefined])
    expect((await expectFailure(visitor(database).ask(loginAs(email)))).kind).toBe('unauthenticated')
    expect((await visitor(database).ask(loginAs(email, newPassword))).user.email).toBe(email)
    const late = visitor(database).ask((ctx) => reset(ctx, { data: { token, password: 'too late for it' } }))
    expect((await expectFailure(late)).kind).toBe('invalid')
    expect((await findNewestEmail(email))?.text).toContain('every other device')
    expect((await expectFailure(change(visitor(database), newPassword))).kind).toBe('unauthenticated')
  })

  test('rejects an old email’s link', async () => {
    const email = 'cleo@example.org'
    await confirmed(email)
    await visitor(database).ask((ctx) => forgot(ctx, { data: { email } }))
    const token = tokenIn(await findNewestEmail(email))
    const { db, end } = database.connect(asSystem)
    await db
      .updateTable('emailToken')
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .execute()
    await end()
    const late = visitor(database).ask((ctx) =>
      reset(ctx, { data: { token, password: 'too late for this' } }),
    )
    expect((await expectFailure(late)).kind).toBe('invalid')
    expect((await visitor(database).ask(loginAs(email))).user.email).toBe(email)
  })

  test('of two concurrent resets one succeeds', async () => {
    const email = 'dora@example.org'
    await confirmed(email)
    await visitor(database).ask((ctx) => forgot(ctx, { data: { email } }))
    const token = tokenIn(await findNewestEmail(email))
    const both = await Promise.allSettled(
      ['first choice 1', 'second choice 2'].map((newPassword) =>
        visitor(database).ask((ctx) => reset(ctx, { data: { token, password: newPassword } })),
      ),
    )
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('the token is not in the database', async () => {
    const email = 'ella@example.org'
    await confirmed(email)
    await visitor(database).ask((ctx) => forgot(ctx, { data: { email } }))
    const token = tokenIn(await findNewestEmail(email))
    const { db, end } = database.connect(asSystem)
    const rows = await db.selectFrom('emailToken').selectAll().execute()
    await end()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

describe('known addresses are not revealed', () => {
  const knownEmail = 'flora@example.org'
  beforeAll(() => confirmed(knownEmail))

  test.each([
    ['forgot', (email: string) => (ctx: Context) => forgot(ctx, { data: { email } }), 300],
    ['resend', (email: string) => (ctx: Context) => resend(ctx, { data: { email } }), 600],
    ['signup', (email: string) => (ctx: Context) => signup(ctx, { data: { ...ada, email } }), 600],
  ])('%s: same answer, same headers, same time', async (name, run, floor) => {
    const responses = []
    for (const email of [knownEmail, `${name}-unknown@example.org`]) {
      const [browser, started] = [visitor(database, { isPaced: true }), Date.now()]
      const answer = await browser.ask(run(email))
      // A sign-up sets a cookie with a random secret; otherwise the headers are equal too.
      const headers = [...browser.responseHeaders].map(([header, value]) => [
        header,
        value.replace(/(?<=^__Host-signup=)[\w-]{43}(?=;)/, 'random'),
      ])
      responses.push({ answer, headers })
      expect(Date.now() - started).toBeGreaterThanOrEqual(floor - 5)
    }
    expect(responses[0]).toEqual(responses[1])
  })

  test('sign-in: same message', async () => {
    const wrong = await expectFailure(visitor(database).ask(loginAs(knownEmail, 'not the password')))
    expect(
      await expectFailure(visitor(database).ask(loginAs('nobody@example.org', 'not the password'))),
    ).toEqual(wrong)
  })

  test('the owner of a known address gets an email, and the password stays', async () => {
    await signUp({ ...ada, email: knownEmail, password: 'an attempt to replace it' })
    expect((await findNewestEmail(knownEmail))?.subject).toBe('You already have an account')
    expect((await visitor(database).ask(loginAs(knownEmail))).user.email).toBe(knownEmail)
  })

  test('a password set by an earlier sign-up with someone else’s address is not kept', async () => {
    const email = 'gina@example.org'
    await signUp({ ...ada, email, password: 'set by someone else' })
    await signUp({ ...ada, email, password: 'set by the owner' })
    const token = tokenIn(await findNewestEmail(email))
    const data = { token, password: 'set by the owner' }
    await visitor(database).ask((ctx) => confirm(ctx, { data }))
    expect((await expectFailure(visitor(database).ask(loginAs(email, 'set by someone else')))).kind).toBe(
      'unauthenticated',
    )
    expect((await visitor(database).ask(loginAs(email, 'set by the owner'))).user.email).toBe(email)
  })
})

describe('sessions cannot be fixed from outside', () => {
  test('a planted cookie is replaced, and an earlier real session ends', async () => {
    const email = 'hana@example.org'
    const attacker = await confirmed('attacker@example.org')
    await confirmed(email)
    const victim = visitor(database)
    const planted = attacker.session() ?? ''
    victim.jar.set('__Host-session', planted)
    await victim.ask(loginAs(email))
    expect(victim.session()).not.toBe(planted)
    expect((await attacker.ask((ctx) => readState(ctx, { data: {} }))).session).toBeNull()
    victim.jar.set('__Host-session', 'planted.value')
    expect((await victim.ask((ctx) => readState(ctx, { data: {} }))).session).toBeNull()
  })

  test('a confirmation link does not switch a browser to another person', async () => {
    const browser = await confirmed('iris@example.org')
    await signUp({ ...ada, email: 'other@example.org' })
    const token = tokenIn(await findNewestEmail('other@example.org'))
    const data = { token, password }
    expect(await browser.ask((ctx) => confirm(ctx, { data }))).toEqual({ session: null })
    expect((await browser.ask((ctx) => readState(ctx, { data: {} }))).session?.user.email).toBe(
      'iris@example.org',
    )
    // The address is still confirmed, and no session exists that no browser holds.
    expect(await countSessions('other@example.org')).toBe(0)
    expect((await visitor(database).ask(loginAs('other@example.org'))).user.verified).toBe(true)
  })
})

describe('guessing', () => {
  test('successes are not counted', async () => {
    const email = 'kira@example.org'
    const browser = await confirmed(email)
    const countAttempts = async () => {
      const { db, end } = database.connect(asSystem)
      const { rows } = await sql<{ n: number }>`select sum(count)::int as n from attempt`.execute(db)
      await end()
      return rows[0]?.n
    }
    const before = await countAttempts()
    await browser.ask(loginAs(email))
    expect(await browser.ask((ctx) => isOwnPassword(ctx, password))).toBe(true)
    expect(await countAttempts()).toBe(before)
    expect(await browser.ask((ctx) => isOwnPassword(ctx, 'not this one'))).toBe(false)
    expect(await countAttempts()).toBe((before ?? 0) + 1)
  })

  test('emails to an address are limited', async () => {
    const email = 'nobody-here@example.org'
    for (let n = 0; n < 5; n++) await visitor(database).ask((ctx) => forgot(ctx, { data: { email } }))
    expect((await expectFailure(visitor(database).ask((ctx) => forgot(ctx, { data: { email } })))).kind).toBe(
      'tooMany',
    )
  })
})

test('over plain http on this machine sign-up, confirmation, sign-in and sign-out work with cookies that WebKit keeps', async () => {
  const local = { ...settings, scheme: 'http', appHost: 'localhost:8787' }
  const email = 'webkit@example.org'
  const browser = visitor(database, { settings: local })
  await browser.ask((ctx) => signup(ctx, { data: { ...ada, email } }))
  expect([...browser.jar.keys()]).toEqual(['signup'])
  const link = /http:\/\/localhost:8787\S+/.exec((await findNewestEmail(email))?.text ?? '')?.[0] ?? ''
  const token = new URL(link).searchParams.get('token') ?? ''
  await browser.ask((ctx) => confirm(ctx, { data: { token } }))
  expect([...browser.jar.keys()]).toEqual(['session', 'device'])
  await browser.ask(loginAs(email))
  expect(browser.setCookies).toEqual([
    expect.stringMatching(/^session=[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
  ])
  expect(await browser.ask(async (ctx) => ctx.actor.user?.email)).toBe(email)
  // The same session under the unprefixed cookie name is ignored if the configured origin is https.
  const elsewhere = visitor(database)
  elsewhere.jar.set('session', browser.session() ?? '')
  elsewhere.headers.set('host', 'localhost:8787')
  expect(await elsewhere.ask(async (ctx) => ctx.actor.kind)).toBe('anonymous')
  elsewhere.jar.set('__Host-session', browser.session() ?? '')
  expect(await elsewhere.ask(async (ctx) => ctx.actor.user?.email)).toBe(email)
  await browser.ask((ctx) => logout(ctx))
  expect(browser.session()).toBeNull()
})
