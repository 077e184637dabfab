import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '#db/schema.ts'
import { asSystem, freshDatabase, hasRealPostgres, type TestDatabase } from '#db/testing.ts'
import { call } from '#functions/api/call.ts'
import { v1 } from '#functions/v1/index.ts'
import { deleteOpenSignUp } from './email-change.ts'
import { sweepIdentity } from './sweep.ts'
import { softAuthenticator } from './authenticator.testing.ts'
import { emailsTo, expectFailure, tokenIn, usedUp, visitor } from './testing.ts'
import { codeAt } from './totp.testing.ts'

const { auth, factor, passkey } = v1.core
type Browser = ReturnType<typeof visitor>
const password = 'correct horse battery'

let database: TestDatabase
let db: Db
let end: () => Promise<void>
beforeAll(async () => {
  database = await freshDatabase()
  ;({ db, end } = database.connect(asSystem))
})
afterAll(async () => {
  await end()
  await database.close()
})

/** Makes the links of changes to an address older by a number of hours. */
async function ageLinks(newEmail: string, hours: number) {
  const earlier = sql`expires_at = expires_at - make_interval(hours => ${hours})`
  const changes = sql`select id from email_change where new_email = ${newEmail}`
  await sql`update email_token set ${earlier} where subject_id in (${changes})`.execute(db)
  await sql`update email_change set ${earlier} where new_email = ${newEmail}`.execute(db)
}
const findNewestEmail = async (to: string) => (await emailsTo(database, to))[0]
let n = 0
/** Returns two unused addresses. */
const addresses = () => {
  n += 1
  return { old: `old-${n}@example.org`, next: `next-${n}@example.net` }
}
const signUp = (email: string, browser = visitor(database)) =>
  browser.ask((ctx) => call(auth.signup, ctx, { data: { name: 'Ada', email, password } }))
const signIn = (email: string, browser = visitor(database), secret = password) =>
  browser.ask((ctx) => call(auth.login, ctx, { data: { email, password: secret } }))
/** A confirmed account, signed in by its password: that is a proof. */
async function person(email: string, browser = visitor(database)): Promise<Browser> {
  await signUp(email, browser)
  const token = tokenIn(await findNewestEmail(email))
  await browser.ask((ctx) => call(auth.confirm, ctx, { data: { token } }))
  await signIn(email, browser)
  return browser
}
const ask = (browser: Browser, email: string) =>
  browser.ask((ctx) => call(auth.changeEmail, ctx, { data: { email } }))
const follow = (browser: Browser, token: string) =>
  browser.ask((ctx) => call(auth.confirmEmail, ctx, { data: { token } }))
const undo = (token: string, browser = visitor(database)) =>
  browser.ask((ctx) => call(auth.undoEmail, ctx, { data: { token } }))
async function moveToAddress(browser: Browser, to: string): Promise<void> {
  await ask(browser, to)
  await follow(browser, tokenIn(await findNewestEmail(to)))
}
const isSignedIn = (browser: Browser) => browser.ask(async (ctx) => ctx.actor.user?.email ?? null)
const findUser = (email: string) =>
  db.selectFrom('user').select(['id', 'emailVerified', 'role']).where('email', '=', email).executeTakeFirst()

describe('requesting another address', () => {
  test('requires a re-authentication within the last ten minutes', async () => {
    const { old, next } = addresses()
    const browser = await person(old)
    await sql`update session set proved_at = now() - interval '11 minutes'`.execute(db)
    expect(await expectFailure(ask(browser, next))).toMatchObject({ kind: 'forbidden', reason: 'stepUp' })
    expect(await emailsTo(database, next)).toEqual([])
    await browser.ask((ctx) => call(factor.prove, ctx, { data: { password } }))
    await ask(browser, next)
    expect(await emailsTo(database, next)).toHaveLength(1)
  })

  test('changes nothing yet; the email has a link to the app and names nobody', async () => {
    const { old, next } = addresses()
    const browser = await person(old)
    const before = (await emailsTo(database, old)).length
    expect(await ask(browser, next)).toEqual({ ok: true })
    const mail = await findNewestEmail(next)
    expect(mail?.text).toContain('https://app.test:8787/account/email?token=')
    for (const part of [mail?.subject, mail?.text, mail?.html])
      for (const secret of ['Ada', old]) expect(part).not.toContain(secret)
    expect([await findUser(next), await isSignedIn(browser)]).toEqual([undefined, old])
    expect(await emailsTo(database, old)).toHaveLength(before)
    await signIn(old)
  })

  test('rejects the current address', async () => {
    const { old } = addresses()
    const browser = await person(old)
    expect((await expectFailure(ask(browser, old))).issues).toEqual([
      { path: ['email'], message: 'This is your address already.' },
    ])
  })

  test('an address with an account gets the same answer in the same time, and its owner an email without a confirmation link', async () => {
    const { old, next } = addresses()
    const browser = await person(old, visitor(database, { isPaced: true }))
    await person(next)
    const started = Date.now()
    expect(await ask(browser, next)).toEqual({ ok: true })
    expect(Date.now() - started).toBeGreaterThanOrEqual(590)
    const mail = await findNewestEmail(next)
    expect(mail?.subject).toBe('This address has an account already')
    expect(mail?.text).not.toContain('token=')
  })

  test('stores the token only as a hash, and hides the change from database roles that name nothing', async () => {
    const { old, next } = addresses()
    const browser = await person(old)
    await ask(browser, next)
    const token = tokenIn(await findNewestEmail(next))
    const { rows } = await sql<{ row: string }>`select to_jsonb(c)::text as row from email_change c`.execute(
      db,
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { row } of rows) expect(row).not.toContain(token)
    const visibleRows = await browser.ask((ctx) => ctx.db.selectFrom('emailChange').select('id').execute())
    expect(visibleRows).toEqual([])
  })
})

describe('following the link at the new address', () => {
  test('changes the address once, ends other sessions and the links sent to the old address, and notifies it', async () => {
    const { old, next } = addresses()
    const [browser, other] = [await person(old), visitor(database)]
    await signIn(old, other)
    await visitor(database).ask((ctx) => call(auth.forgot, ctx, { data: { email: old } }))
    const resetToken = tokenIn(await findNewestEmail(old))
    await ask(browser, next)
    const token = tokenIn(await findNewestEmail(next))
    expect(await follow(browser, token)).toEqual({ ok: true })
    expect(await findUser(old)).toBeUndefined()
    expect(await findUser(next)).toMatchObject({ emailVerified: true })
    expect([await isSignedIn(browser), await isSignedIn(other)]).toEqual([next, null])
    const resetData = { token: resetToken, password: 'another horse battery' }
    expect(
      (await expectFailure(visitor(database).ask((ctx) => call(auth.reset, ctx, { data: resetData }))))
        .issues,
    ).toEqual([usedUp])
    expect((await expectFailure(signIn(old))).kind).toBe('unauthenticated')
    await signIn(next)
    expect((await expectFailure(follow(browser, token))).issues).toEqual([usedUp])
    const notice = await findNewestEmail(old)
    expect(notice?.subject).toBe('The e-mail address of your account was changed')
    expect(notice?.text).toContain('https://app.test:8787/account/undo-email?token=')
    // Enough to recognise one's own address, too little for an attacker with the old mailbox to sign in.
    expect(notice?.text).toContain('n…@example.net')
    expect(notice?.text).not.toContain(next)
  })

  test('requires a session of the person who requested it: nobody can give their account to someone who clicks', async () => {
    const { old, next } = addresses()
    const stranger = await person(old)
    const { old: own } = addresses()
    const owner = await person(own)
    await ask(stranger, next)
    const token = tokenIn(await findNewestEmail(next))
    expect((await expectFailure(follow(visitor(database), token))).kind).toBe('unauthenticated')
    const theirs = await expectFailure(follow(owner, token))
    expect(theirs.issues[0]?.path).toEqual(['token'])
    expect(theirs.message).toMatch(/^Another account asked for this\./)
    expect(await findUser(next)).toBeUndefined()
    // It was not spent by that.
    await follow(stranger, token)
  })

  test('works for 24 hours, only the newest link, and not after a password reset by email', async () => {
    const { old, next } = addresses()
    const browser = await person(old)
    await ask(browser, next)
    const first = tokenIn(await findNewestEmail(next))
    await ask(browser, next)
    const second = tokenIn(await findNewestEmail(next))
    expect((await expectFailure(follow(browser, first))).issues).toEqual([usedUp])
    const age = (hours: number) => ageLinks(next, hours)
    await age(25)
    expect((await expectFailure(follow(browser, second))).issues).toEqual([usedUp])
    await age(-25)
    await visitor(database).ask((ctx) => call(auth.forgot, ctx, { data: { email: old } }))
    const token = tokenIn(await findNewestEmail(old))
    await visitor(database).ask((ctx) =>
      call(auth.reset, ctx, { data: { token, password: 'another horse battery' } }),
    )
    await signIn(old, browser, 'another horse battery')
    expect((await expectFailure(follow(browser, second))).issues).toEqual([usedUp])
  })

  test('an address that was taken meanwhile is rejected and nothing changes', async () => {
    const { old, next } = addresses()
    const browser = await person(old)
    await ask(browser, next)
    const token = tokenIn(await findNewestEmail(next))
    await person(next)
    expect((await expectFailure(follow(browser, token))).kind).toBe('conflict')
    expect(await isSignedIn(browser)).toBe(old)
  })

  test('an unconfirmed sign-up does not reserve an address, and its link becomes invalid', async () => {
    const { old, next } = addresses()
    const browser = await person(old)
    const squatter = visitor(database)
    await signUp(next, squatter)
    const link = tokenIn(await findNewestEmail(next))
    await moveToAddress(browser, next)
    expect(await isSignedIn(browser)).toBe(next)
    const theirs = squatter.ask((ctx) => call(auth.confirm, ctx, { data: { token: link } }))
    expect((await expectFailure(theirs)).issues).toEqual([usedUp])
  })

  test('an address that an account got a moment ago does not take over that account', async () => {
    const { next } = addresses()
    await person(next)
    const { transaction, end: done } = database.connect(asSystem)
    await transaction((tx) => deleteOpenSignUp(tx, next))
    await done()
    expect(await findUser(next)).toMatchObject({ emailVerified: true })
    const { old } = addresses()
    await signUp(old)
    const again = database.connect(asSystem)
    await again.transaction((tx) => deleteOpenSignUp(tx, old))
    await again.end()
    expect(await findUser(old)).toBeUndefined()
  })

  test('of two accounts that want one address, one gets it', async () => {
    const { next } = addresses()
    const both = [await person(addresses().old), await person(addresses().old)]
    const tokens: string[] = []
    for (const browser of both) {
      await ask(browser, next)
      tokens.push(tokenIn(await findNewestEmail(next)))
    }
    const outcomes = await Promise.allSettled(both.map((browser, i) => follow(browser, tokens[i] ?? '')))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const lost = outcomes.find((outcome) => outcome.status === 'rejected')
    expect(lost?.reason).toMatchObject({ kind: 'conflict' })
  })

  test.runIf(hasRealPostgres)('an account created at the same moment keeps the address', async () => {
    const { old, next } = addresses()
    const browser = await person(old)
    await ask(browser, next)
    const token = tokenIn(await findNewestEmail(next))
    const other = database.connect(asSystem)
    let follows: Promise<unknown> = Promise.resolve()
    await other.transaction(async (tx) => {
      await tx
        .insertInto('user')
        .values({
          id: crypto.randomUUID(),
          email: next,
          name: 'Bea',
          emailVerified: true,
          role: null,
          onboarding: '{}',
          image: null,
        })
        .execute()
      follows = expectFailure(follow(browser, token))
      follows.catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, 1500))
    })
    await other.end()
    expect(await follows).toMatchObject({
      kind: 'conflict',
      message: 'This address has another account by now.',
    })
    expect(await isSignedIn(browser)).toBe(old)
  })
})

describe('undoing the change from the old address', () => {
  test('restores the address, ends every session and the password, and sends the email to choose another', async () => {
    const { old, next } = addresses()
    const thief = await person(old)
    await moveToAddress(thief, next)
    const token = tokenIn(await findNewestEmail(old))
    expect(await undo(token)).toEqual({ email: old })
    expect(await findUser(next)).toBeUndefined()
    expect(await findUser(old)).toMatchObject({ emailVerified: true })
    expect(await isSignedIn(thief)).toBeNull()
    for (const email of [old, next]) expect((await expectFailure(signIn(email))).kind).toBe('unauthenticated')
    const mail = await findNewestEmail(old)
    expect(mail?.subject).toBe('Choose a new password')
    const resetData = { token: tokenIn(mail), password: 'another horse battery' }
    await visitor(database).ask((ctx) => call(auth.reset, ctx, { data: resetData }))
    await signIn(old, visitor(database), 'another horse battery')
    expect((await expectFailure(undo(token))).issues).toEqual([usedUp])
  })

  test('removes a second factor that was set up since, and keeps an earlier one', async () => {
    for (const isOfBefore of [false, true]) {
      const { old, next } = addresses()
      const thief = await person(old)
      const enrol = async () => {
        const { key } = await thief.ask((ctx) => call(factor.enrol, ctx, { data: { password } }))
        await thief.ask((ctx) => call(factor.confirm, ctx, { data: { code: codeAt(key, Date.now()) } }))
      }
      if (isOfBefore) await enrol()
      await moveToAddress(thief, next)
      if (!isOfBefore) await enrol()
      await undo(tokenIn(await findNewestEmail(old)))
      const { id } = (await findUser(old)) ?? { id: '' }
      const row = db.selectFrom('user').select('twoFactorEnabled as isOn').where('id', '=', id)
      expect(await row.executeTakeFirst()).toEqual({ isOn: isOfBefore })
      const resetData = { token: tokenIn(await findNewestEmail(old)), password: 'another horse battery' }
      await visitor(database).ask((ctx) => call(auth.reset, ctx, { data: resetData }))
      const signedIn = signIn(old, visitor(database), 'another horse battery')
      if (isOfBefore) expect(await expectFailure(signedIn)).toMatchObject({ reason: 'secondFactor' })
      else expect((await signedIn).user.email).toBe(old)
    }
  })

  test('removes a passkey that was added since, and keeps an earlier one', async () => {
    const { old, next } = addresses()
    const thief = await person(old)
    const add = async (name: string) => {
      const newPasskey = softAuthenticator('https://app.test:8787').make(
        await thief.ask((ctx) => call(passkey.begin, ctx)),
      )
      await thief.ask((ctx) => call(passkey.create, ctx, { data: { name, passkey: newPasskey } }))
    }
    await add('of before')
    await moveToAddress(thief, next)
    await add('of the thief')
    await undo(tokenIn(await findNewestEmail(old)))
    const { id } = (await findUser(old)) ?? { id: '' }
    const left = db.selectFrom('passkey').select('name').where('userId', '=', id)
    expect(await left.execute()).toEqual([{ name: 'of before' }])
    const row = db.selectFrom('user').select('twoFactorEnabled as isOn').where('id', '=', id)
    expect(await row.executeTakeFirst()).toEqual({ isOn: true })
  })

  test('works after another change of address, and invalidates the undo links since then', async () => {
    const { old, next } = addresses()
    const third = `third-${next}`
    const thief = await person(old)
    await moveToAddress(thief, next)
    const first = tokenIn(await findNewestEmail(old))
    await moveToAddress(thief, third)
    const second = tokenIn(await findNewestEmail(next))
    await visitor(database).ask((ctx) => call(auth.forgot, ctx, { data: { email: third } }))
    const theirReset = tokenIn(await findNewestEmail(third))
    await ask(thief, next)
    const waiting = tokenIn(await findNewestEmail(next))
    expect(await undo(first)).toEqual({ email: old })
    expect((await expectFailure(undo(second))).issues).toEqual([usedUp])
    const resetData = { token: theirReset, password: 'another horse battery' }
    expect(
      (await expectFailure(visitor(database).ask((ctx) => call(auth.reset, ctx, { data: resetData }))))
        .issues,
    ).toEqual([usedUp])
    expect((await expectFailure(follow(thief, waiting))).kind).toBe('unauthenticated')
    expect([await findUser(next), await findUser(third)]).toEqual([undefined, undefined])
  })

  test('works for seven days, even when the password was changed since; then the sweep deletes it', async () => {
    const { old, next } = addresses()
    const thief = await person(old)
    await moveToAddress(thief, next)
    const token = tokenIn(await findNewestEmail(old))
    await thief.ask((ctx) =>
      call(auth.password, ctx, { data: { current: password, password: 'the thief chose this' } }),
    )
    const age = (hours: number) => ageLinks(next, hours)
    await sweepIdentity(db)
    await age(7 * 24 + 1)
    expect((await expectFailure(undo(token))).issues).toEqual([usedUp])
    await age(-2)
    await sweepIdentity(db)
    expect(await undo(token)).toEqual({ email: old })
    const again = await person(addresses().old)
    await moveToAddress(again, next)
    await age(8 * 24 + 1)
    await sweepIdentity(db)
    expect(await db.selectFrom('emailChange').select('id').where('newEmail', '=', next).execute()).toEqual([])
  })

  test('an old address with a new unconfirmed sign-up is given back; a confirmed account keeps it', async () => {
    const { old, next } = addresses()
    await moveToAddress(await person(old), next)
    const token = tokenIn(await findNewestEmail(old))
    await signUp(old)
    expect(await undo(token)).toEqual({ email: old })

    const { old: left, next: currentEmail } = addresses()
    await moveToAddress(await person(left), currentEmail)
    const late = tokenIn(await findNewestEmail(left))
    await person(left)
    expect((await expectFailure(undo(late))).kind).toBe('conflict')
    expect(await findUser(currentEmail)).toBeDefined()
  })

  test('an invitation, a key and a global role stay with the person', async () => {
    const { old, next } = addresses()
    const browser = await person(old)
    await sql`update "user" set role = 'support' where email = ${old}`.execute(db)
    await moveToAddress(browser, next)
    expect(await findUser(next)).toMatchObject({ role: 'support' })
    await undo(tokenIn(await findNewestEmail(old)))
    expect(await findUser(old)).toMatchObject({ role: 'support' })
  })

  test('guesses of tokens are limited', async () => {
    const browser = visitor(database, { ip: '203.0.113.77' })
    for (let i = 0; i < 30; i += 1) expect((await expectFailure(undo('guess', browser))).kind).toBe('invalid')
    expect((await expectFailure(undo('guess', browser))).kind).toBe('tooMany')
  })
})
