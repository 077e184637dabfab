import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import { forgot, login, reset, signup } from './accounts.ts'
import { confirm } from './confirmations.ts'
import { createAccount } from './create-account.ts'
import { changePassword } from './password.ts'
import { findPasswordRefusal } from './refused-passwords.ts'
import { isStolen } from './stolen-passwords.ts'
import { emailsTo, expectFailure, tokenIn, visitor } from './testing.ts'

describe('a list of stolen passwords', () => {
  test.each(['password123', 'qwertyuiop', '1q2w3e4r5t', 'Basketball', 'MANCHESTER', '1234567890'])(
    'contains %s',
    async (password) => expect(await isStolen(password)).toBe(true),
  )

  test('has hardly any false positives', async () => {
    let falsePositives = 0
    for (let i = 0; i < 20_000; i += 1)
      if (await isStolen(`nobody ${i} chose ${i * 7919}`)) falsePositives += 1
    expect(falsePositives).toBeLessThan(3)
  })
})

describe('why a password is rejected', () => {
  const ada = {
    name: 'Ada Lovelace',
    email: 'countess@ockham-park.example',
    organizations: ['City of Seattle', 'seattle-wa'],
  }
  const findRefusalMessage = async (password: string, about = ada) =>
    (await findPasswordRefusal(password, about))?.message ?? null

  test.each([
    ['password123!!', 'stolen', 'with what stands around it'],
    ['Basketball2026', 'stolen', 'with what stands around it'],
    ['lovelace1815', 'name', 'a name and a year'],
    ['AdaLovelace', 'name', 'the whole name'],
    ['l0v3l4c3!!', 'name', 'in other signs'],
    ['Ädä.Lovelace', 'name', 'with accents'],
    ['ecalevoL1815', 'name', 'backwards'],
    ['countess@ockham-park.example', 'address', 'the whole address'],
    ['0ckh4m-park99', 'address', 'the host of the address'],
    ['Seattle2026!', 'organization', 'its display name'],
    ['$e4ttle$e4ttle', 'organization', 'twice'],
    ['city-of-seattle', 'organization', 'with what joins its words'],
    ['Commonplace1', 'product', 'the product'],
    ['c0mm0npl4c3!', 'product', 'the product in other signs'],
    ['Ada@Seattle1', 'name and organization', 'two of them'],
  ])('%s: %s (%s)', async (password, what) => {
    const expectedMessage = {
      stolen: /like it is on a list of stolen passwords/,
      name: /little more than your name\./,
      address: /little more than your e-mail address\./,
      organization: /little more than the name of an organization\./,
      product: /little more than the name of this product\./,
      'name and organization': /little more than your name and the name of an organization\./,
    }[what]
    expect(await findRefusalMessage(password)).toMatch(expectedMessage ?? /^$/)
  })

  test.each([
    'correct horse battery',
    'Seattle in the rain, at noon',
    'lovelace wrote of engines',
    'x7Q$k2vB!m9d',
    'пароль для города',
    '市役所の長い合言葉を選ぶ',
    '          x9 ,.-    ',
  ])('%s is accepted', async (password) => expect(await findRefusalMessage(password)).toBeNull())

  test('a name of symbols, or of two letters, rejects nothing', async () => {
    const li = { name: 'Li 7 !', email: 'li@x.io', organizations: ['', '—'] }
    expect(await findRefusalMessage('liberty belongs to all', li)).toBeNull()
    expect(await findRefusalMessage('quietly 7 walking', li)).toBeNull()
  })

  test('a name in another script counts as well', async () => {
    const about = { name: 'Владимир', email: 'v@x.example', organizations: ['Екатеринбург'] }
    expect(await findRefusalMessage('Владимир1984', about)).toMatch(/your name/)
    expect(await findRefusalMessage('екатеринбург!', about)).toMatch(/organization/)
  })

  test('the longest password with the longest names takes no time', async () => {
    const about = {
      name: 'a'.repeat(200),
      email: `${'a'.repeat(200)}@${'a.'.repeat(20)}example`,
      organizations: Array.from({ length: 500 }, (_, i) => `aaa ${'a'.repeat(i % 50)}`),
    }
    const started = performance.now()
    await findRefusalMessage('a'.repeat(128), about)
    expect(performance.now() - started).toBeLessThan(500)
  })
})

describe('everywhere a password is set', () => {
  const city = { id: 'oakton', name: 'Oakton', displayName: 'City of Oakton' }
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
    const { db, end } = database.connect(asSystem)
    const defaults = { createdBy: null, theme: '{}', mapConfiguration: '{}' }
    await db
      .insertInto('place')
      .values({ ...city, ...defaults })
      .execute()
    await end()
  })
  afterAll(() => database.close())

  const stolen =
    'This password or one very like it is on a list of stolen passwords, which are tried first. Please choose another one.'
  const guessed = (what: string) =>
    `This password is little more than ${what}. Whoever knows you would guess it: please choose another one.`
  const refusal = (validator: string, message: string) => ({
    kind: 'invalid',
    message,
    issues: [{ path: ['password'], validator, message }],
    reason: null,
  })
  const good = 'correct horse battery'

  test('signing up: nothing is created and no email is sent, for known and unknown addresses', async () => {
    const email = 'grace@harbour.example'
    const ask = (password: string) =>
      expectFailure(
        visitor(database).ask((ctx) => signup(ctx, { data: { name: 'Grace Hopper', email, password } })),
      )
    expect(await ask('password123')).toEqual(refusal('stolen', stolen))
    expect(await ask('Grace-Hopper-1906')).toEqual(refusal('guessable', guessed('your name')))
    expect(await ask('harbour2026!')).toEqual(refusal('guessable', guessed('your e-mail address')))
    expect(await emailsTo(database, email)).toEqual([])
    const browser = visitor(database)
    const data = { name: 'Grace Hopper', email, password: good }
    await browser.ask((ctx) => signup(ctx, { data }))
    expect(await ask('password123')).toEqual(refusal('stolen', stolen))
    expect(await emailsTo(database, email)).toHaveLength(1)
  })

  test('changing and resetting it: also the names of one’s organizations; the link is not used up', async () => {
    const email = 'olive@example.org'
    const { db, end } = database.connect(asSystem)
    await createAccount(db, {
      email,
      name: 'Olive',
      password: good,
      verified: true,
      globalRole: null,
      memberships: [{ placeId: city.id, role: null }],
    })
    await end()
    const browser = visitor(database)
    await browser.ask((ctx) => login(ctx, { data: { email, password: good } }))
    const change = (password: string) =>
      browser.ask((ctx) => changePassword(ctx, { data: { current: good, password } }))
    const placeRefusal = refusal('guessable', guessed('the name of an organization'))
    expect(await expectFailure(change(`${city.displayName}2026`))).toEqual(placeRefusal)
    expect(await expectFailure(change('qwertyuiop'))).toEqual(refusal('stolen', stolen))
    expect(await expectFailure(change('Commonplace!'))).toEqual(
      refusal('guessable', guessed('the name of this product')),
    )

    await browser.ask((ctx) => forgot(ctx, { data: { email } }))
    const token = tokenIn((await emailsTo(database, email))[0])
    const choose = (password: string) =>
      visitor(database).ask((ctx) => reset(ctx, { data: { token, password } }))
    expect(await expectFailure(choose(`${city.displayName}2026`))).toEqual(placeRefusal)
    expect(await expectFailure(choose('qwertyuiop'))).toEqual(refusal('stolen', stolen))
    await choose('another horse battery')
    await visitor(database).ask((ctx) => login(ctx, { data: { email, password: 'another horse battery' } }))
  })

  test('created by scripts', async () => {
    const { db, end } = database.connect(asSystem)
    const make = (password: string) =>
      createAccount(db, {
        email: 'script@example.org',
        name: 'Script',
        password,
        verified: true,
        globalRole: null,
        memberships: [{ placeId: city.id, role: null }],
      })
    expect(await expectFailure(make('password123'))).toEqual(refusal('stolen', stolen))
    expect(await expectFailure(make(`${city.displayName}-2026`))).toEqual(
      refusal('guessable', guessed('the name of an organization')),
    )
    expect(
      await db.selectFrom('user').select('id').where('email', '=', 'script@example.org').execute(),
    ).toEqual([])
    await end()
  })

  test('an existing password keeps working', async () => {
    const email = 'before@example.org'
    const browser = visitor(database)
    await browser.ask((ctx) => signup(ctx, { data: { name: 'Before', email, password: good } }))
    const token = tokenIn((await emailsTo(database, email))[0])
    await browser.ask((ctx) => confirm(ctx, { data: { token } }))
    const { hashPassword } = await import('better-auth/crypto')
    const { db, end } = database.connect(asSystem)
    await db
      .updateTable('account')
      .set({ password: await hashPassword('password123') })
      .where('userId', '=', db.selectFrom('user').select('id').where('email', '=', email))
      .execute()
    await end()
    const session = await visitor(database).ask((ctx) =>
      login(ctx, { data: { email, password: 'password123' } }),
    )
    expect(session.user.email).toBe(email)
  })
})
