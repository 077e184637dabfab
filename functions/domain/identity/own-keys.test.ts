import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '#db/schema.ts'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import { seedRoles } from '#functions/domain/access/seed.ts'
import { call } from '#functions/api/call.ts'
import { Failure } from '#functions/errors.ts'
import { mirror } from '#functions/domain/internals/mirror.ts'
import { v1 } from '#functions/v1/index.ts'
import { createAccount } from './create-account.ts'
import { emailsTo, tokenIn, visitor } from './testing.ts'

let database: TestDatabase
/** Where a place may live by itself. */
let elsewhere: TestDatabase
let db: Db
let end: () => Promise<void>
const defaults = { createdBy: null }
const password = 'correct horse battery'
const newPassword = 'another horse battery'

beforeAll(async () => {
  database = await freshDatabase()
  elsewhere = await freshDatabase()
  const product = database.connect(asSystem)
  ;({ db, end } = product)
  await product.transaction(seedRoles)
  const place = (id: string) => ({ id, name: id, displayName: `City of ${id}`, theme: '{}', ...defaults })
  await db
    .insertInto('place')
    .values(['oak', 'elm'].map((id) => ({ ...place(id), mapConfiguration: '{}' })))
    .execute()
  await db
    .insertInto('dataType')
    .values({ id: 'tree', name: 'Tree', schema: '{}', ...defaults })
    .execute()
  const source = (id: string, placeId: string) => ({
    id,
    placeId,
    dataTypeId: 'tree',
    name: `Trees of ${id}`,
  })
  await db
    .insertInto('source')
    .values([
      { ...source('shut', 'oak'), visibility: 'private', ...defaults },
      { ...source('far', 'elm'), visibility: 'private', ...defaults },
    ])
    .execute()
})
afterAll(async () => {
  await end()
  await database.close()
  await elsewhere.close()
})

type Browser = ReturnType<typeof visitor>

/** A confirmed person who administers both places, and a browser that is signed in as them. */
async function person(email: string) {
  const plan = { email, name: email, password, verified: true, globalRole: null }
  const memberships = ['oak', 'elm'].map((placeId) => ({ placeId, role: 'content_admin' }))
  const { userId } = await createAccount(db, { ...plan, memberships })
  const browser = visitor(database)
  await signIn(browser, email, password)
  return { userId, email, browser }
}
const signIn = (browser: Browser, email: string, password: string) =>
  browser.ask((ctx) => call(v1.core.auth.login, ctx, { data: { email, password } }))
const makeKey = (browser: Browser, userId: string, name: string) =>
  browser.ask((ctx) => call(v1.user.key.create, ctx, { params: { userId }, data: { name } }))
const makeSourceKey = (browser: Browser, sourceId: string, name: string) =>
  browser.ask((ctx) => call(v1.source.key.create, ctx, { params: { sourceId }, data: { name } }))

/** Whether each key opens anything. */
async function work(...keys: { key: string }[]): Promise<boolean[]> {
  const tries = keys.map(({ key }) => {
    const program = visitor(database)
    program.key = key
    return program.ask(async (ctx) => ctx.actor.kind !== 'anonymous').catch(() => false)
  })
  return Promise.all(tries)
}

async function resetToken(email: string): Promise<string> {
  await visitor(database).ask((ctx) => call(v1.core.auth.forgot, ctx, { data: { email } }))
  return tokenIn((await emailsTo(database, email))[0])
}
const reset = (data: { token: string; password: string; keepKeys?: string[] }) =>
  visitor(database).ask((ctx) => call(v1.core.auth.reset, ctx, { data }))
const listResetKeys = (token: string) =>
  visitor(database).ask((ctx) => call(v1.core.auth.resetKeys, ctx, { data: { token } }))
const refusal = async (run: Promise<unknown>) => {
  const error = await run.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Failure)) throw new Error(`It was not refused: ${String(error)}`)
  return { kind: error.kind, paths: error.issues.map(({ path }) => path.join('.')) }
}

describe('resetting the password by email', () => {
  test('lists the keys first, without using up the link, and revokes all of them with every session', async () => {
    const { email, userId, browser } = await person('ada@example.org')
    const other = await person('bea@example.org')
    const accountKey = await makeKey(browser, userId, 'laptop')
    const source = await makeSourceKey(browser, 'shut', 'nightly')
    const theirs = [
      await makeKey(other.browser, other.userId, 'theirs'),
      await makeSourceKey(other.browser, 'shut', 'theirs too'),
    ]
    const token = await resetToken(email)
    for (let n = 0; n < 2; n++) {
      const { keys } = await listResetKeys(token)
      expect(keys).toEqual([
        {
          ...{ id: source.id, name: 'nightly', prefix: source.prefix, scope: 'source' },
          ...{ placeName: 'City of oak', sourceName: 'Trees of shut' },
          ...{ createdAt: expect.any(Date) as Date, lastUsedAt: null },
        },
        {
          ...{ id: accountKey.id, name: 'laptop', prefix: accountKey.prefix, scope: 'account' },
          ...{ placeName: null, sourceName: null, createdAt: expect.any(Date) as Date, lastUsedAt: null },
        },
      ])
    }
    expect(await reset({ token, password: newPassword })).toEqual({ ok: true })
    expect(await work(accountKey, source, ...theirs)).toEqual([false, false, true, true])
    expect(await browser.ask(async (ctx) => ctx.actor.kind)).toBe('anonymous')
    expect(await refusal(listResetKeys(token))).toEqual({ kind: 'invalid', paths: ['token'] })
    // The people of the place find who ended the key of their source.
    const line = await db
      .selectFrom('activity')
      .select(['verb', 'actorId', 'placeId'])
      .where('targetId', '=', source.id)
      .where('verb', '=', 'deleted')
      .execute()
    expect(line).toEqual([{ verb: 'deleted', actorId: userId, placeId: 'oak' }])
    const [mail] = await emailsTo(database, email)
    expect(mail?.text).toContain('2 keys ended with it')
    for (const { prefix } of [accountKey, source]) expect(mail?.text).toContain(`${prefix}…`)
    for (const name of ['laptop', 'nightly']) expect(mail?.text).not.toContain(name)
  })

  test('keeps the selected ones by id, and rejects keys of anyone else', async () => {
    const { email, userId, browser } = await person('cleo@example.org')
    const other = await person('dora@example.org')
    const [first, second] = [await makeKey(browser, userId, 'one'), await makeKey(browser, userId, 'two')]
    const source = await makeSourceKey(browser, 'far', 'nightly')
    const foreign = await makeKey(other.browser, other.userId, 'theirs')
    const token = await resetToken(email)
    const resetAndKeep = (...keepKeys: string[]) => reset({ token, password: newPassword, keepKeys })
    for (const id of [foreign.id, 'nowhere'])
      expect(await refusal(resetAndKeep(first.id, id))).toEqual({ kind: 'invalid', paths: ['keepKeys.1'] })
    // The rejected requests have revoked nothing.
    expect(await work(first, second, source)).toEqual([true, true, true])
    await signIn(visitor(database), email, password)
    await resetAndKeep(source.id, first.id)
    expect(await work(first, second, source, foreign)).toEqual([true, false, true, true])
    const [mail] = await emailsTo(database, email)
    expect(mail?.text).toContain(`One key ended with it: ${second.prefix}…`)
    expect(mail?.text).toContain('2 keys still work')
    // The next reset revokes the kept ones as well.
    await reset({ token: await resetToken(email), password })
    expect(await work(first, source)).toEqual([false, false])
  })

  test('does not name a source that its maker may no longer see, but revokes its key', async () => {
    const { email, userId, browser } = await person('ella@example.org')
    const source = await makeSourceKey(browser, 'far', 'nightly')
    await db.deleteFrom('placeUser').where('userId', '=', userId).where('placeId', '=', 'elm').execute()
    const token = await resetToken(email)
    expect((await listResetKeys(token)).keys).toMatchObject([{ placeName: 'City of elm', sourceName: null }])
    await reset({ token, password: newPassword })
    expect(await work(source)).toEqual([false])
  })

  test('lists nothing without a valid token, and limits guesses', async () => {
    const kinds: string[] = []
    const guesser = visitor(database, { ip: '192.0.2.9' })
    for (let n = 0; n < 32; n++) {
      const data = { token: `made up ${n}` }
      kinds.push((await refusal(guesser.ask((ctx) => call(v1.core.auth.resetKeys, ctx, { data })))).kind)
    }
    expect(kinds).toEqual([...Array<string>(30).fill('invalid'), 'tooMany', 'tooMany'])
  })

  test('keys of places in another database are revoked there by the next copy', async () => {
    const there = elsewhere
    const far = there.connect(asSystem)
    try {
      const { email, userId, browser } = await person('fay@example.org')
      const sourceKey = await makeSourceKey(browser, 'far', 'nightly')
      await mirror(db, far.db, ['elm'])
      const { hash, prefix } = await db
        .selectFrom('apiKey')
        .select(['hash', 'prefix'])
        .where('id', '=', sourceKey.id)
        .executeTakeFirstOrThrow()
      const tree = { dataTypeId: 'tree', name: 'Trees', visibility: 'private' as const, ...defaults }
      await far.db
        .insertInto('source')
        .values({ id: 'far', placeId: 'elm', ...tree })
        .execute()
      const key = { id: 'there', hash, prefix, userId: null, sourceId: 'far', placeId: 'elm' }
      await far.db
        .insertInto('apiKey')
        .values({ ...key, scope: 'source', createdBy: userId })
        .execute()
      // Also after its maker has left the place.
      await db.deleteFrom('placeUser').where('userId', '=', userId).execute()
      const opens = () => {
        const program = visitor(there)
        program.key = sourceKey.key
        return program.ask(async (ctx) => ctx.actor.kind).catch(() => 'refused')
      }
      expect(await opens()).toBe('sourceKey')
      await reset({ token: await resetToken(email), password: newPassword })
      await mirror(db, far.db, ['elm'])
      expect(await opens()).toBe('refused')
    } finally {
      await far.end()
    }
  })
})

describe('changing the password while signed in', () => {
  test('ends the other sessions, keeps the keys, lists them and counts them in the email', async () => {
    const { email, userId, browser } = await person('gina@example.org')
    const phone = visitor(database)
    await signIn(phone, email, password)
    const accountKey = await makeKey(browser, userId, 'laptop')
    const source = await makeSourceKey(browser, 'shut', 'nightly')
    const data = { current: password, password: newPassword }
    const answer = await browser.ask((ctx) => call(v1.core.auth.password, ctx, { data }))
    expect(answer).toMatchObject({
      ok: true,
      keys: [
        { id: source.id, name: 'nightly', scope: 'source', sourceName: 'Trees of shut' },
        { id: accountKey.id, name: 'laptop', scope: 'account' },
      ],
    })
    expect(await phone.ask(async (ctx) => ctx.actor.kind)).toBe('anonymous')
    expect(await work(accountKey, source)).toEqual([true, true])
    const [mail] = await emailsTo(database, email)
    expect(mail?.text).toContain(`2 keys still work: ${source.prefix}…, ${accountKey.prefix}….`)
  })

  test('each can be revoked right there, also a write key they made, by nobody else', async () => {
    const { userId, browser } = await person('hana@example.org')
    const other = await person('iris@example.org')
    const accountKey = await makeKey(browser, userId, 'laptop')
    const source = await makeSourceKey(browser, 'far', 'nightly')
    await db.deleteFrom('placeUser').where('userId', '=', userId).where('placeId', '=', 'elm').execute()
    const revoke = (who: Browser, userId: string, keyId: string) =>
      who.ask((ctx) => call(v1.user.key.deleteById, ctx, { params: { userId, keyId } }))
    for (const { id } of [accountKey, source])
      expect((await refusal(revoke(other.browser, other.userId, id))).kind).toBe('notFound')
    expect(await work(accountKey, source)).toEqual([true, true])
    for (const { id } of [accountKey, source]) expect(await revoke(browser, userId, id)).toEqual({ id })
    expect(await work(accountKey, source)).toEqual([false, false])
    expect((await refusal(revoke(browser, userId, source.id))).kind).toBe('notFound')
  })
})
