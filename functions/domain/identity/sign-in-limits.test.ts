import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import type { Context } from '#functions/context.ts'
import { forgot, login, reset, signup } from './accounts.ts'
import { confirm } from './confirmations.ts'
import { hashText } from './keys.ts'
import { purge } from './sessions.ts'
import { allowDevice } from './sign-in-limits.ts'
import { emailsTo, expectFailure, settings, tokenIn, usedUp, visitor } from './testing.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.close())

const password = 'correct horse battery'
type Visitor = ReturnType<typeof visitor>

/** A confirmed account, and the browser that confirmed it. */
async function confirmed(email: string, ip?: string) {
  const browser = visitor(database, ip === undefined ? {} : { ip })
  await browser.ask((ctx) => signup(ctx, { data: { name: 'Ada', email, password } }))
  const token = tokenIn((await emailsTo(database, email))[0])
  await browser.ask((ctx) => confirm(ctx, { data: { token } }))
  return browser
}
const openBrowser = (ip: string) => visitor(database, { ip })
const loginAs =
  (email: string, secret = password) =>
  (ctx: Context) =>
    login(ctx, { data: { email, password: secret } })
const readFailureKind = async (browser: Visitor, email: string, secret = 'a guess of mine') =>
  (await expectFailure(browser.ask(loginAs(email, secret)))).kind
const fails = async (browser: Visitor, email: string, times: number) => {
  const kinds: string[] = []
  for (let n = 0; n < times; n++) kinds.push(await readFailureKind(browser, email))
  return kinds
}
const change = async (statement: ReturnType<typeof sql>) => {
  const { db, end } = database.connect(asSystem)
  await statement.execute(db)
  await end()
}
/** Simulates a number of failures of unknown browsers with the address within this hour. */
const simulateFailures = async (email: string, times: number) =>
  change(sql`
    insert into attempt (key, count, until)
    values (${await hashText(`${settings.authSecret}:failures:${email}`)}, ${times}, now() + interval '1 hour')
    on conflict (key) do update set count = excluded.count`)
const listSignInEmails = async (email: string) =>
  (await emailsTo(database, email)).filter(({ subject }) => subject === 'Let a browser sign in')

describe('a person who guesses', () => {
  test('blocks themselves and nobody else: the owner signs in from another network', async () => {
    const email = 'jane@example.org'
    await confirmed(email)
    expect(await fails(openBrowser('203.0.113.1'), email, 12)).toEqual([
      ...Array<string>(5).fill('unauthenticated'),
      ...Array<string>(7).fill('tooMany'),
    ])
    // The right password does not help there, and neither does a forged X-Forwarded-For header.
    const forger = openBrowser('203.0.113.1')
    forger.headers.set('x-forwarded-for', '198.51.100.7')
    expect(await readFailureKind(forger, email, password)).toBe('tooMany')
    expect((await openBrowser('198.51.100.7').ask(loginAs(email))).user.email).toBe(email)
  })

  test('waits longer each time, up to a quarter of an hour', async () => {
    const guesser = openBrowser('203.0.113.2')
    const email = 'nobody-here@example.org'
    const waits: number[] = []
    await fails(guesser, email, 5)
    for (let n = 0; n < 14; n++) {
      expect(await readFailureKind(guesser, email)).toBe('tooMany')
      waits.push(Number(guesser.responseHeaders.get('retry-after')))
      await change(sql`update attempt set next_at = clock_timestamp() where next_at is not null`)
      expect(await readFailureKind(guesser, email)).toBe('unauthenticated')
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900])
  })

  test('gains nothing by concurrent attempts, nor by other addresses of an IPv6 network', async () => {
    const email = 'kate@example.org'
    await confirmed(email)
    const kinds = await Promise.all(
      Array.from({ length: 20 }, (_, n) => readFailureKind(openBrowser(`2001:db8:0:1::${n + 1}`), email)),
    )
    expect(kinds.filter((kind) => kind === 'unauthenticated')).toHaveLength(5)
    expect(kinds.filter((kind) => kind === 'tooMany')).toHaveLength(15)
  })

  test('does not block a known browser in the same network, which has its own count', async () => {
    const email = 'lena@example.org'
    const browser = await confirmed(email, '203.0.113.4')
    expect(browser.jar.has('__Host-device')).toBe(true)
    await fails(openBrowser('203.0.113.4'), email, 7)
    // Attempts of other people from there do not block it either.
    for (let n = 0; n < 50; n++)
      await change(sql`
        insert into attempt (key, count, until) values (${await hashText(`${settings.authSecret}:login-ip:203.0.113.4`)}, 51,
          now() + interval '15 minutes') on conflict (key) do update set count = 51`)
    expect(await readFailureKind(openBrowser('203.0.113.4'), 'someone@example.org')).toBe('tooMany')
    expect((await browser.ask(loginAs(email))).user.email).toBe(email)
    expect((await fails(browser, email, 6)).at(-1)).toBe('tooMany')
  })
})

describe('above a hundred failures in an hour', () => {
  test('an unknown browser needs a link by email, and gets the same answer for any password and address', async () => {
    const email = 'mia@example.org'
    const knownBrowser = await confirmed(email)
    const nobody = 'mia-is-not-here@example.org'
    for (const address of [email, nobody]) await simulateFailures(address, 100)
    const failures = [
      await expectFailure(openBrowser('198.51.100.1').ask(loginAs(email))),
      await expectFailure(openBrowser('198.51.100.2').ask(loginAs(email, 'a guess of mine'))),
      await expectFailure(openBrowser('198.51.100.3').ask(loginAs(nobody))),
    ]
    expect(failures[0]).toMatchObject({ kind: 'unauthenticated', reason: 'newDevice' })
    expect(failures[1]).toEqual(failures[0])
    expect(failures[2]).toEqual(failures[0])
    expect((await knownBrowser.ask(loginAs(email))).user.email).toBe(email)
    expect(await listSignInEmails(nobody)).toEqual([])
    // However many try: a few emails an hour.
    for (let n = 4; n < 8; n++) await readFailureKind(openBrowser(`198.51.100.${n}`), email)
    expect(await listSignInEmails(email)).toHaveLength(3)
  })

  test('the link admits the browser that opens it, once, and signs nobody in', async () => {
    const email = 'nora@example.org'
    await confirmed(email)
    await simulateFailures(email, 100)
    const [attacker, owner] = [openBrowser('198.51.100.8'), openBrowser('198.51.100.9')]
    await readFailureKind(attacker, email)
    const token = tokenIn((await listSignInEmails(email))[0])
    expect(await owner.ask((ctx) => allowDevice(ctx, { data: { token } }))).toEqual({ ok: true })
    expect(owner.session()).toBeNull()
    expect((await owner.ask(loginAs(email))).user.email).toBe(email)
    expect(await readFailureKind(attacker, email, password)).toBe('unauthenticated')
    const again = await expectFailure(attacker.ask((ctx) => allowDevice(ctx, { data: { token } })))
    expect(again.issues).toEqual([usedUp])
    expect(attacker.jar.has('__Host-device')).toBe(false)
  })
})

describe('requesting an email', () => {
  test('strangers use up their own limit, not that of a known browser', async () => {
    const email = 'olga@example.org'
    const browser = await confirmed(email)
    const ask = (by: Visitor) => by.ask((ctx) => forgot(ctx, { data: { email } }))
    for (let n = 0; n < 5; n++) await ask(openBrowser(`203.0.113.${20 + n}`))
    expect((await expectFailure(ask(openBrowser('203.0.113.30')))).kind).toBe('tooMany')
    for (let n = 0; n < 5; n++) expect(await ask(browser)).toEqual({ ok: true })
    expect((await expectFailure(ask(browser))).kind).toBe('tooMany')
  })
})

describe('a browser that has signed in before', () => {
  const countKnownDevices = async (email: string) => {
    const { db, end } = database.connect(asSystem)
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from known_device d join "user" u on u.id = d.user_id where u.email = ${email}`.execute(
      db,
    )
    await end()
    return rows[0]?.n
  }

  test('keeps its secret, which is stored as a hash; an invented secret is replaced', async () => {
    const email = 'pia@example.org'
    const browser = await confirmed(email)
    const secret = browser.jar.get('__Host-device') ?? ''
    expect(browser.setCookies.join()).toMatch(
      /__Host-device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax/,
    )
    await browser.ask(loginAs(email))
    expect(browser.jar.get('__Host-device')).toBe(secret)
    const { db, end } = database.connect(asSystem)
    const { rows } = await sql<{
      secretHash: string
    }>`select secret_hash as "secretHash" from known_device`.execute(db)
    await end()
    expect(rows.map((row) => row.secretHash)).toContain(await hashText(secret))
    expect(JSON.stringify(rows)).not.toContain(secret)
    const other = visitor(database)
    other.jar.set('__Host-device', 'planted-by-someone-else')
    await other.ask(loginAs(email))
    expect(other.jar.get('__Host-device')).toMatch(/^[\w-]{43}$/)
    expect(await countKnownDevices(email)).toBe(2)
  })

  test('is known for everyone who signs in from it, and not for anyone else', async () => {
    const [first, second] = ['rita@example.org', 'sara@example.org']
    const browser = await confirmed(first)
    await confirmed(second)
    await simulateFailures(second, 100)
    expect(await readFailureKind(browser, second, password)).toBe('unauthenticated')
    await simulateFailures(second, 0)
    await browser.ask(loginAs(second))
    for (const email of [first, second]) await simulateFailures(email, 100)
    expect((await browser.ask(loginAs(first))).user.email).toBe(first)
    expect((await browser.ask(loginAs(second))).user.email).toBe(second)
  })

  test('is forgotten after a reset by email, and when all others are signed out; twenty are kept', async () => {
    const email = 'tina@example.org'
    const browser = await confirmed(email)
    await visitor(database).ask(loginAs(email))
    expect(await countKnownDevices(email)).toBe(2)
    await browser.ask((ctx) => purge(ctx))
    expect(await countKnownDevices(email)).toBe(1)
    for (let n = 0; n < 22; n++) await visitor(database).ask(loginAs(email))
    expect(await countKnownDevices(email)).toBe(20)
    await visitor(database).ask((ctx) => forgot(ctx, { data: { email } }))
    const token = tokenIn((await emailsTo(database, email))[0])
    const resetting = visitor(database)
    await resetting.ask((ctx) => reset(ctx, { data: { token, password: 'another horse battery' } }))
    expect(await countKnownDevices(email)).toBe(1)
    await simulateFailures(email, 100)
    expect((await resetting.ask(loginAs(email, 'another horse battery'))).user.email).toBe(email)
    expect(await readFailureKind(browser, email, 'another horse battery')).toBe('unauthenticated')
  })
})

test('an unknown address is rejected only after the same hash as a known one', async () => {
  const email = 'hedy@example.org'
  await confirmed(email, '203.0.113.90')
  // Hashing is nearly all of the response time. Calls are counted, because timing on a busy machine is
  // unreliable.
  const scrypt = vi.spyOn(crypto, 'scrypt')
  syncBuiltinESMExports()
  onTestFinished(() => {
    scrypt.mockRestore()
    syncBuiltinESMExports()
  })
  const hashesFor = async (address: string, ip: string) => {
    scrypt.mockClear()
    expect(await readFailureKind(openBrowser(ip), address)).toBe('unauthenticated')
    return scrypt.mock.calls.map(([, salt, length, options]) => ({
      saltBytes: Buffer.byteLength(salt as string),
      length,
      options,
    }))
  }
  const knownEmailHashes = await hashesFor(email, '198.18.1.1')
  expect(knownEmailHashes).toHaveLength(1)
  expect(await hashesFor('nobody@example.org', '198.18.2.1')).toEqual(knownEmailHashes)
})
