import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem, freshDatabase, hasRealPostgres, type TestDatabase } from '#db/testing.ts'
import type { Context } from '#functions/context.ts'
import { forgot, login, reset, signup } from './accounts.ts'
import { confirm, resend } from './confirmations.ts'
import { emailsTo, expectFailure, settings, tokenIn, usedUp, visitor } from './testing.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

const password = 'correct horse battery'
const ada = { name: 'Ada', password }
const findNewestEmail = async (to: string) => (await emailsTo(database, to))[0]
const loginAs =
  (email: string, secret = password) =>
  (ctx: Context) =>
    login(ctx, { data: { email, password: secret } })

describe('a confirmation belongs to the sign-up it was sent for', () => {
  const address = (() => {
    let n = 0
    return () => `confirm-${(n += 1)}@example.org`
  })()
  /** A browser that has signed up, and the token it was sent. */
  async function signUp(email: string, signUpPassword = password, browser = visitor(database)) {
    await browser.ask((ctx) => signup(ctx, { data: { ...ada, email, password: signUpPassword } }))
    return { browser, token: tokenIn(await findNewestEmail(email)) }
  }
  const follow = (browser: ReturnType<typeof visitor>, token: string, enteredPassword?: string) =>
    browser.ask((ctx) =>
      confirm(ctx, { data: { token, ...(enteredPassword !== undefined && { password: enteredPassword }) } }),
    )
  const isVerified = async (email: string) => {
    const { db, end } = database.connect(asSystem)
    const user = await db
      .selectFrom('user')
      .select('emailVerified')
      .where('email', '=', email)
      .executeTakeFirst()
    await end()
    return user?.emailVerified
  }

  test('the browser that signed up needs no password', async () => {
    const { browser, token } = await signUp(address())
    expect((await follow(browser, token)).session?.user.verified).toBe(true)
    expect(browser.jar.has('__Host-signup')).toBe(false)
  })

  test('another browser needs the password, and asking for it does not use up the link', async () => {
    const email = address()
    const { token } = await signUp(email)
    const other = visitor(database)
    const asks = await expectFailure(follow(other, token))
    expect(asks.kind).toBe('invalid')
    expect(asks.issues).toEqual([{ path: ['password'], message: asks.message }])
    expect(asks.message).toMatch(/^Type the password you chose when you signed up\..*“Forgot password”/)
    const wrong = await expectFailure(follow(other, token, 'not this one, no'))
    expect(wrong.issues).toEqual([{ path: ['password'], message: wrong.message }])
    expect([await isVerified(email), other.session()]).toEqual([false, null])
    expect((await follow(other, token, password)).session?.user.email).toBe(email)
    expect(other.session()).not.toBeNull()
  })

  test('a later sign-up invalidates the earlier link, even with its password and in its browser', async () => {
    const email = address()
    const first = await signUp(email, 'the first password')
    const second = await signUp(email, 'the second password')
    for (const enteredPassword of [undefined, 'the first password', 'the second password'])
      expect((await expectFailure(follow(first.browser, first.token, enteredPassword))).issues).toEqual([
        usedUp,
      ])
    // The cookie of the older sign-up is not valid for the newer one.
    expect((await expectFailure(follow(first.browser, second.token))).issues[0]?.path).toEqual(['password'])
    expect(
      (await expectFailure(follow(first.browser, second.token, 'the first password'))).issues[0]?.path,
    ).toEqual(['password'])
    expect(await isVerified(email)).toBe(false)
    expect((await follow(second.browser, second.token)).session?.user.email).toBe(email)
  })

  test('the name is that of the confirmed sign-up, too', async () => {
    const email = address()
    await visitor(database).ask((ctx) => signup(ctx, { data: { name: 'Mallory', email, password } }))
    const { browser, token } = await signUp(email)
    expect((await follow(browser, token)).session?.user.name).toBe('Ada')
  })

  test('a new link invalidates the earlier one, and the browser that signed up is still recognised', async () => {
    const email = address()
    const { browser, token } = await signUp(email)
    await visitor(database).ask((ctx) => resend(ctx, { data: { email } }))
    const again = tokenIn(await findNewestEmail(email))
    expect(again).not.toBe(token)
    expect((await expectFailure(follow(browser, token))).issues).toEqual([usedUp])
    expect((await follow(browser, again)).session?.user.email).toBe(email)
  })

  test('a link works for 24 hours, and one of an earlier version of the product never', async () => {
    const email = address()
    const { browser, token } = await signUp(email)
    const { createEmailVerificationToken } = await import('better-auth/api')
    const stateless = await createEmailVerificationToken(settings.authSecret, email, undefined, 3600)
    expect((await expectFailure(follow(browser, stateless, password))).issues).toEqual([usedUp])
    const { db, end } = database.connect(asSystem)
    const hours = async (n: number) =>
      sql`update email_token set expires_at = expires_at - make_interval(hours => ${n})`.execute(db)
    const { rows } = await sql<{ hours: number }>`
      select round(extract(epoch from expires_at - created_at) / 3600)::int as hours from email_token`.execute(
      db,
    )
    expect(new Set(rows.map((row) => row.hours))).toEqual(new Set([24]))
    await hours(25)
    expect((await expectFailure(follow(browser, token, password))).issues).toEqual([usedUp])
    await hours(-25)
    await end()
    expect((await follow(browser, token)).session?.user.email).toBe(email)
  })

  test('guesses of the password are limited to ten per address, and do not use up the link', async () => {
    const email = address()
    const { browser, token } = await signUp(email)
    const kinds: string[] = []
    for (let n = 0; n < 12; n++) {
      const guesser = visitor(database, { ip: `198.51.100.${n}` })
      kinds.push((await expectFailure(follow(guesser, token, `guess number ${n}`))).kind)
    }
    expect(kinds).toEqual([...Array<string>(10).fill('invalid'), 'tooMany', 'tooMany'])
    expect((await expectFailure(follow(visitor(database), token, password))).kind).toBe('tooMany')
    expect((await follow(browser, token)).session?.user.email).toBe(email)
  })

  test('guesses of links are limited', async () => {
    const guesser = visitor(database, { ip: '192.0.2.77' })
    const kinds: string[] = []
    for (let n = 0; n < 32; n++) kinds.push((await expectFailure(follow(guesser, `made up ${n}`))).kind)
    expect(kinds).toEqual([...Array<string>(30).fill('invalid'), 'tooMany', 'tooMany'])
  })

  test('followed twice concurrently it confirms once', async () => {
    const { browser, token } = await signUp(address())
    const twin = visitor(database)
    for (const [name, value] of browser.jar) twin.jar.set(name, value)
    const both = await Promise.allSettled([follow(browser, token), follow(twin, token)])
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('many concurrent sign-ups leave one password, and the one valid link belongs to the same sign-up', async () => {
    const email = address()
    const passwords = ['parallel one', 'parallel two', 'parallel three', 'parallel four']
    // Paced, so that no email is replaced while it is being sent: its outcome would be "replaced", too.
    const browsers = passwords.map(() => visitor(database, { isPaced: true }))
    await Promise.all(passwords.map((each, i) => signUp(email, each, browsers[i])))
    const tokens = (await emailsTo(database, email)).map(tokenIn)
    // A later sign-up replaces a queued email.
    const { db, end } = database.connect(asSystem)
    const mailRows = await db.selectFrom('mail').select('outcome').where('to', '=', email).execute()
    await end()
    expect(mailRows).toHaveLength(4)
    expect(mailRows.filter(({ outcome }) => outcome === 'sent')).toHaveLength(tokens.length)
    expect(mailRows.every(({ outcome }) => outcome === 'sent' || outcome === 'replaced')).toBe(true)
    const outcomes: string[] = []
    for (const token of tokens)
      for (const [i, browser] of browsers.entries()) {
        const { session } = await follow(browser, token).catch(() => ({ session: null }))
        if (session) outcomes.push(passwords[i] ?? '')
      }
    expect(outcomes).toHaveLength(1)
    const opens = await Promise.all(
      passwords.map((each) =>
        visitor(database)
          .ask(loginAs(email, each))
          .then(
            () => each,
            () => null,
          ),
      ),
    )
    expect(opens.filter(Boolean)).toEqual(outcomes)
  })

  // Transactions that wait for each other need more than the one session of the embedded database.
  test.skipIf(!hasRealPostgres)(
    'a sign-up during the owner’s confirmation never replaces the password of a confirmed account',
    async () => {
      const email = address()
      await signUp(email)
      const { transaction, end } = database.connect(asSystem)
      let isThere = () => {}
      const confirming = new Promise<void>((resolve) => (isThere = resolve))
      const confirmedMeanwhile = transaction(async (tx) => {
        await tx.updateTable('user').set({ emailVerified: true }).where('email', '=', email).execute()
        isThere()
        // The sign-up finds an unconfirmed address, and waits for the lock of its row.
        await new Promise((resolve) => setTimeout(resolve, 1500))
      })
      await confirming
      const data = { ...ada, email, password: 'of someone else' }
      await visitor(database).ask((ctx) => signup(ctx, { data }))
      await confirmedMeanwhile
      await end()
      expect((await expectFailure(visitor(database).ask(loginAs(email, data.password)))).kind).toBe(
        'unauthenticated',
      )
      expect((await visitor(database).ask(loginAs(email))).user.email).toBe(email)
      expect((await findNewestEmail(email))?.subject).toBe('You already have an account')
    },
  )

  test('choosing a new password confirms the address and invalidates every link', async () => {
    const email = address()
    const { browser, token } = await signUp(email)
    await visitor(database).ask((ctx) => forgot(ctx, { data: { email } }))
    const data = { token: tokenIn(await findNewestEmail(email)), password: 'chosen by the owner' }
    await visitor(database).ask((ctx) => reset(ctx, { data }))
    const { db, end } = database.connect(asSystem)
    const left = db
      .selectFrom('confirmation')
      .innerJoin('user', 'user.id', 'confirmation.userId')
      .select('user.id')
      .where('user.email', '=', email)
    expect(await left.execute()).toEqual([])
    await end()
    for (const enteredPassword of [undefined, password, data.password])
      expect((await expectFailure(follow(browser, token, enteredPassword))).issues).toEqual([usedUp])
    expect((await visitor(database).ask(loginAs(email, data.password))).user.verified).toBe(true)
    await visitor(database).ask((ctx) => resend(ctx, { data: { email } }))
    expect((await findNewestEmail(email))?.subject).toBe('Your password was changed')
  })

  test('the database shows a link only to a transaction that names it', async () => {
    const email = address()
    await signUp(email)
    const stranger = database.connect({ user: '', places: [], global: '' })
    const [visibleRows, deletion] = [
      await stranger.db.selectFrom('confirmation').selectAll().execute(),
      await stranger.db.deleteFrom('confirmation').executeTakeFirstOrThrow(),
    ]
    await stranger.end()
    expect([visibleRows, deletion.numDeletedRows]).toEqual([[], 0n])
    const { db, end } = database.connect(asSystem)
    const rows = await db.selectFrom('confirmation').selectAll().execute()
    const { rows: forced } = await sql<{ isForced: boolean }>`
      select relforcerowsecurity as is_forced from pg_class where relname = 'confirmation'`.execute(db)
    await end()
    expect(rows.length).toBeGreaterThan(0)
    expect(forced).toEqual([{ isForced: true }])
    expect(JSON.stringify(rows)).not.toContain(tokenIn(await findNewestEmail(email)))
  })
})
