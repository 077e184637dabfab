import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem, type TestDatabase } from '#db/testing.ts'
import { call } from '#functions/api/call.ts'
import { routes } from '#functions/api/routes.ts'
import { system, type Context } from '#functions/context.ts'
import { v1 } from '#functions/v1/index.ts'
import { login } from './accounts.ts'
import { identifyActor } from './actor.ts'
import { createAccount } from './create-account.ts'
import * as factors from './factors.ts'
import { prove, secondStep } from './second-step.ts'
import { readState } from './state.ts'
import { databaseWithRoles, emailsTo, expectFailure, settings, visitor } from './testing.ts'
import { codeAt, computeCodePair } from './totp.testing.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await databaseWithRoles()
})
afterAll(() => database.close())

const password = 'correct horse battery'
type Browser = ReturnType<typeof visitor>
const logIn = (browser: Browser, email: string) =>
  browser.ask((ctx) => login(ctx, { data: { email, password } }))
const wrongCode = '000000'

async function withDatabase<T>(
  run: (db: ReturnType<TestDatabase['connect']>['db']) => Promise<T>,
): Promise<T> {
  const { db, end } = database.connect(asSystem)
  try {
    return await run(db)
  } finally {
    await end()
  }
}

/** A person who is signed in. */
async function person(email: string, globalRole: 'super_admin' | null = null) {
  const account = await withDatabase((db) =>
    createAccount(db, {
      email,
      name: email,
      password,
      verified: true,
      globalRole,
      memberships: [],
      keyName: 'k',
    }),
  )
  const browser = visitor(database)
  await logIn(browser, email)
  return { browser, ...account }
}

/** Sets up an app with the code of now; `nextCode` is still to be used. */
async function enrolled(email: string, globalRole: 'super_admin' | null = null) {
  const owner = await person(email, globalRole)
  const enrolment = await owner.browser.ask((ctx) => factors.enrol(ctx, { data: { password } }))
  const { code, next: nextCode } = computeCodePair(enrolment.key)
  await owner.browser.ask((ctx) => factors.confirm(ctx, { data: { code } }))
  return { ...owner, ...enrolment, nextCode }
}

const readBrowserState = (browser: Browser) => browser.ask((ctx) => readState(ctx, { data: undefined }))
const step = (browser: Browser, data: Parameters<typeof secondStep>[1]['data']) =>
  browser.ask((ctx) => secondStep(ctx, { data }))

describe('setting up an app', () => {
  test('requires the password, and takes effect only with the first code', async () => {
    const { browser, userId } = await person('begins@example.org')
    const wrong = await expectFailure(
      browser.ask((ctx) => factors.enrol(ctx, { data: { password: 'not this one' } })),
    )
    expect(wrong).toMatchObject({ kind: 'invalid', issues: [{ path: ['password'] }] })
    const enrolment = await browser.ask((ctx) => factors.enrol(ctx, { data: { password } }))
    expect(enrolment.uri).toMatch(/^otpauth:\/\/totp\/Commonplace:begins%40example\.org\?secret=[A-Z2-7]+&/)
    expect(enrolment.uri).toContain(enrolment.key)
    expect(enrolment.picture).toMatch(/^<svg /)
    expect(new Set(enrolment.recoveryCodes).size).toBe(10)
    expect(await browser.ask((ctx) => factors.find(ctx))).toEqual({
      isOn: false,
      isRequired: false,
      hasApp: false,
      hasPasskey: false,
      codesLeft: 0,
    })
    await logIn(visitor(database), 'begins@example.org')
    expect(
      await expectFailure(browser.ask((ctx) => factors.confirm(ctx, { data: { code: wrongCode } }))),
    ).toMatchObject({ kind: 'invalid', issues: [{ path: ['code'], message: 'The code is not right.' }] })

    const factorRow = await withDatabase((db) =>
      db.selectFrom('twoFactor').selectAll().where('userId', '=', userId).executeTakeFirstOrThrow(),
    )
    const text = JSON.stringify(factorRow)
    for (const code of [enrolment.key, ...enrolment.recoveryCodes]) expect(text).not.toContain(code)
    expect(JSON.parse(factorRow.backupCodes)).toEqual([
      expect.stringMatching(/^key:v2\.[0-9a-f]{8}\.[\w+/=]+$/),
      ...(Array(10).fill(expect.stringMatching(/^hmac:[0-9a-f]{64}$/)) as string[]),
    ])
  })

  test('ends every other session, notifies the person, and cannot be done twice', async () => {
    const { browser } = await person('other@example.org')
    const phone = visitor(database)
    await logIn(phone, 'other@example.org')
    const { key } = await browser.ask((ctx) => factors.enrol(ctx, { data: { password } }))
    await browser.ask((ctx) => factors.confirm(ctx, { data: { code: codeAt(key, Date.now()) } }))
    expect((await readBrowserState(phone)).session).toBeNull()
    expect((await readBrowserState(browser)).session?.user.email).toBe('other@example.org')
    expect((await emailsTo(database, 'other@example.org'))[0]?.subject).toBe('A second factor was set up')
    expect(
      await expectFailure(browser.ask((ctx) => factors.enrol(ctx, { data: { password } }))),
    ).toMatchObject({
      kind: 'conflict',
    })
    expect(await browser.ask((ctx) => factors.find(ctx))).toMatchObject({ isOn: true, codesLeft: 10 })
  })

  test('an API key can neither add nor remove one', async () => {
    const { key } = await person('key@example.org')
    const program = visitor(database)
    program.key = key
    const enrol = program.ask((ctx) => factors.enrol(ctx, { data: { password } }))
    expect(await expectFailure(enrol)).toMatchObject({ kind: 'forbidden' })
    expect(await expectFailure(program.ask((ctx) => factors.remove(ctx)))).toMatchObject({
      kind: 'forbidden',
    })
  })
})

describe('signing in with a second factor', () => {
  test('the password alone gives no session: only the code does, once', async () => {
    const { nextCode } = await enrolled('steps@example.org')
    const browser = visitor(database)
    expect(await expectFailure(logIn(browser, 'steps@example.org'))).toMatchObject({
      kind: 'unauthenticated',
      reason: 'secondFactor',
    })
    expect([...browser.jar.keys()]).toEqual(['__Host-second-step'])
    expect(browser.setCookies.join()).toMatch(/__Host-second-step=[^;]+;.*Path=\/;.*HttpOnly;.*Secure/)
    expect((await readBrowserState(browser)).session).toBeNull()
    expect(await browser.ask(async (ctx) => ctx.actor.kind)).toBe('anonymous')
    expect(await expectFailure(step(browser, { code: wrongCode }))).toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['code'] }],
    })
    const other = visitor(database)
    await expectFailure(logIn(other, 'steps@example.org'))
    const code = nextCode
    expect((await step(browser, { code })).user.email).toBe('steps@example.org')
    expect([...browser.jar.keys()]).toEqual(['__Host-session', '__Host-device'])
    // The same code, in another browser whose password was right as well.
    expect(await expectFailure(step(other, { code }))).toMatchObject({
      kind: 'invalid',
      message: 'This code was tried already. Please wait for the next one.',
    })
  })

  test('a recovery code works once, in any notation', async () => {
    const { recoveryCodes } = await enrolled('codes@example.org')
    const [first = '', second = ''] = recoveryCodes
    const browser = visitor(database)
    await expectFailure(logIn(browser, 'codes@example.org'))
    await step(browser, { recoveryCode: ` ${first.toUpperCase().replace('-', ' ')} ` })
    expect(await browser.ask((ctx) => factors.find(ctx))).toMatchObject({ codesLeft: 9 })
    const again = visitor(database)
    await expectFailure(logIn(again, 'codes@example.org'))
    expect(await expectFailure(step(again, { recoveryCode: first }))).toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['recoveryCode'] }],
    })
    await step(again, { recoveryCode: second })
    expect((await readBrowserState(again)).session).not.toBeNull()
  })

  test('one guess too many ends the second step, and the limit spans sign-ins', async () => {
    const { nextCode } = await enrolled('guess@example.org')
    const kinds: string[] = []
    let browser = visitor(database)
    for (let guess = 0; guess < 12; guess += 1) {
      if (!browser.jar.has('__Host-second-step')) {
        browser = visitor(database)
        await expectFailure(logIn(browser, 'guess@example.org'))
      }
      const { kind } = await expectFailure(step(browser, { code: String(100_000 + guess) }))
      kinds.push(kind)
    }
    expect(kinds).toContain('unauthenticated')
    expect(kinds.at(-1)).toBe('tooMany')
    const fresh = visitor(database)
    await expectFailure(logIn(fresh, 'guess@example.org'))
    expect((await expectFailure(step(fresh, { code: nextCode }))).kind).toBe('tooMany')
  })

  test('a missing or invalid second step leads back to the password', async () => {
    const browser = visitor(database)
    expect(await expectFailure(step(browser, { code: '123456' }))).toMatchObject({ reason: 'signInAgain' })
    browser.jar.set('__Host-second-step', 'made-up.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=')
    expect(await expectFailure(step(browser, { code: '123456' }))).toMatchObject({ reason: 'signInAgain' })
  })
})

describe('a super admin', () => {
  const callAllEndpoints = (ctx: Context) =>
    Promise.all(
      routes(v1).map(async ({ name, endpoint }) => {
        const why = await call(endpoint, ctx, { options: { nonsense: '1' } }).catch((error: unknown) => error)
        return { name, isReached: !(why as { reason?: string }).reason }
      }),
    )

  test('without a second factor can only enrol, by a session and by a key', async () => {
    const { browser, key } = await person('root@example.org', 'super_admin')
    const program = visitor(database)
    program.key = key
    for (const client of [browser, program]) {
      const reached = (await client.ask(callAllEndpoints)).filter(({ isReached }) => isReached)
      expect(reached.map(({ name }) => name.split('.').slice(0, 2).join('.'))).toEqual(
        expect.arrayContaining(['core.auth', 'core.factor', 'core.passkey', 'core.sso']),
      )
      expect(reached.filter(({ name }) => !/^core\.(auth|factor|passkey|sso)\./.test(name))).toEqual([])
      expect(reached.map(({ name }) => name)).not.toContain('core.auth.password')
      expect(reached.map(({ name }) => name)).not.toContain('core.sso.link')
      const actor = await client.ask(async (ctx) => ctx.actor)
      expect(actor).toMatchObject({ mustEnrol: true, user: { role: null }, memberships: [] })
    }
    const { key: secret } = await browser.ask((ctx) => factors.enrol(ctx, { data: { password } }))
    await browser.ask((ctx) => factors.confirm(ctx, { data: { code: codeAt(secret, Date.now()) } }))
    expect((await browser.ask(async (ctx) => ctx.actor)).user?.role).toBe('super_admin')
    expect(await browser.ask((ctx) => call(v1.internal.builds, ctx))).toBeDefined()
  })

  test('needs none when the setting says so', async () => {
    const { browser } = await person('local@example.org', 'super_admin')
    const { headers } = await browser.ask(async (ctx) => ({ headers: ctx.request.headers }))
    const actor = await withDatabase((db) =>
      identifyActor(headers, null, db, {
        settings: { ...settings, secondFactor: 'optional' },
        responseHeaders: new Headers(),
        later: () => {},
      }),
    )
    expect(actor.user?.role).toBe('super_admin')
    expect(actor).not.toHaveProperty('mustEnrol')
  })
})

describe('re-authentication', () => {
  const age = (browser: Browser, minutes: number) =>
    browser.ask((ctx) =>
      withDatabase((db) =>
        db
          .updateTable('session')
          .set({ provedAt: sql<Date>`now() - make_interval(mins => ${minutes})` })
          .where('id', '=', ctx.actor.session?.id ?? '')
          .execute(),
      ),
    )
  const makesKey = (browser: Browser, userId: string) =>
    browser.ask((ctx) => call(v1.user.key.create, ctx, { params: { userId }, data: { name: 'new' } }))

  test('by the password without a second factor; it is valid for ten minutes', async () => {
    const { browser, userId } = await person('proves@example.org')
    await makesKey(browser, userId)
    await age(browser, 11)
    expect(await expectFailure(makesKey(browser, userId))).toMatchObject({
      kind: 'forbidden',
      reason: 'stepUp',
    })
    const attempt = browser.ask((ctx) => prove(ctx, { data: { password: 'not this one' } }))
    expect(await expectFailure(attempt)).toMatchObject({ kind: 'invalid', issues: [{ path: ['password'] }] })
    expect((await expectFailure(makesKey(browser, userId))).reason).toBe('stepUp')
    await browser.ask((ctx) => prove(ctx, { data: { password } }))
    await makesKey(browser, userId)
    await age(browser, 9)
    await makesKey(browser, userId)
  })

  test('by the second factor where there is one: the password is not enough', async () => {
    const { browser, userId, nextCode: code, recoveryCodes } = await enrolled('factor@example.org')
    await age(browser, 11)
    expect(await expectFailure(browser.ask((ctx) => prove(ctx, { data: { password } })))).toMatchObject({
      kind: 'invalid',
      issues: [{ path: ['password'] }],
    })
    await browser.ask((ctx) => prove(ctx, { data: { code } }))
    await makesKey(browser, userId)
    await age(browser, 11)
    expect((await expectFailure(browser.ask((ctx) => prove(ctx, { data: { code } })))).kind).toBe('invalid')
    const recoveryCode = recoveryCodes[0] ?? ''
    await browser.ask((ctx) => prove(ctx, { data: { recoveryCode } }))
    expect((await expectFailure(browser.ask((ctx) => prove(ctx, { data: { recoveryCode } })))).kind).toBe(
      'invalid',
    )
    await makesKey(browser, userId)
  })

  test('is required for new recovery codes and for the removal', async () => {
    const { browser, recoveryCodes } = await enrolled('removes@example.org')
    const renew = () => browser.ask((ctx) => call(v1.core.factor.renewCodes, ctx))
    const remove = () => browser.ask((ctx) => call(v1.core.factor.remove, ctx))
    await age(browser, 11)
    expect((await expectFailure(renew())).reason).toBe('stepUp')
    expect((await expectFailure(remove())).reason).toBe('stepUp')
    await browser.ask((ctx) => prove(ctx, { data: { recoveryCode: recoveryCodes[0] ?? '' } }))
    const fresh = (await renew()).recoveryCodes
    expect(fresh.filter((code) => recoveryCodes.includes(code))).toEqual([])
    const second = visitor(database)
    await expectFailure(logIn(second, 'removes@example.org'))
    expect((await expectFailure(step(second, { recoveryCode: recoveryCodes[1] ?? '' }))).kind).toBe('invalid')
    await remove()
    expect((await expectFailure(step(second, { recoveryCode: fresh[0] ?? '' }))).reason).toBe('signInAgain')
    await logIn(visitor(database), 'removes@example.org')
  })
})

test('an operator resets a lost factor: sessions end, the log has an entry, the person is notified', async () => {
  const { browser, userId } = await enrolled('lost@example.org', 'super_admin')
  const operator = visitor(database)
  const recover = async (email: string) => {
    const { end, ...connection } = database.connect(asSystem)
    const done = await operator.ask((ctx) => factors.recover({ ...ctx, ...connection, actor: system }, email))
    await end()
    return done
  }
  expect(await recover('nobody@example.org')).toBe(false)
  expect(await recover(' Lost@Example.org')).toBe(true)
  expect((await readBrowserState(browser)).session).toBeNull()
  const lines = await withDatabase((db) =>
    db
      .selectFrom('activity')
      .selectAll()
      .where('targetId', '=', userId)
      .where('verb', 'not in', ['signedIn', 'factorAdded'])
      .execute(),
  )
  expect(lines).toMatchObject([{ verb: 'factorRemoved', targetType: 'user', placeId: null, actorId: null }])
  expect((await emailsTo(database, 'lost@example.org'))[0]?.text).toContain('An operator removed')
  const again = visitor(database)
  await logIn(again, 'lost@example.org')
  expect((await again.ask(async (ctx) => ctx.actor)).mustEnrol).toBe(true)
})
