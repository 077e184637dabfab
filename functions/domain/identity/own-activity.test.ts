import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import type { Db } from '#db/schema.ts'
import { seedRoles } from '#functions/domain/access/seed.ts'
import { call } from '#functions/api/call.ts'
import { requireConforming } from '#functions/api/conform.ts'
import { v1 } from '#functions/v1/index.ts'
import { forgot, login, reset } from './accounts.ts'
import { createAccount } from './create-account.ts'
import { changePassword } from './password.ts'
import { emailsTo, expectFailure, settings, tokenIn, visitor } from './testing.ts'
import { codeAt } from './totp.testing.ts'

const password = 'correct horse battery'
let database: TestDatabase
let db: Db
let end: () => Promise<void>
const ids: Record<string, string> = {}

beforeAll(async () => {
  database = await freshDatabase()
  const connection = database.connect(asSystem)
  ;({ db, end } = connection)
  await connection.transaction(async (tx) => {
    await seedRoles(tx)
    for (const [name, globalRole] of [
      ['ada', null],
      ['bea', null],
      ['sue', 'support'],
      ['root', 'super_admin'],
    ] as const) {
      const plan = { name, password, verified: true, globalRole, memberships: [] }
      ids[name] = (await createAccount(tx, { ...plan, email: `${name}@example.org` })).userId
    }
  })
})
beforeEach(async () => {
  await sql`delete from attempt`.execute(db)
})
afterAll(async () => {
  await end()
  await database.close()
})

const ip = '203.0.113.77'
/** Second factors are optional here: these tests are about the visibility of entries only. */
const browserAt = (address = ip) =>
  visitor(database, { ip: address, settings: { ...settings, secondFactor: 'optional' } })
type Browser = ReturnType<typeof visitor>
const logIn = (browser: Browser, name: string, enteredPassword = password) =>
  browser.ask((ctx) => login(ctx, { data: { email: `${name}@example.org`, password: enteredPassword } }))
const listActivity = (browser: Browser, name: string) =>
  browser.ask(async (ctx) => {
    const page = await call(v1.user.activity.find, ctx, { params: { userId: ids[name] ?? '' } })
    requireConforming({ name: 'find', endpoint: v1.user.activity.find }, page)
    return page.results
  })
const listVerbs = async (browser: Browser, name: string) =>
  (await listActivity(browser, name)).map(({ verb, targetType }) =>
    targetType === 'key' ? `${verb} key` : verb,
  )

test('sign-ins, passwords, keys, factors and their removal are entries of the person, newest first', async () => {
  const browser = browserAt()
  await expectFailure(logIn(browser, 'ada', 'not this one'))
  await logIn(browser, 'ada')
  const params = { userId: ids.ada ?? '' }
  const data = { name: '=Laptop', scope: 'read' as const, expiresInDays: 30 }
  const { id: keyId } = await browser.ask((ctx) => call(v1.user.key.create, ctx, { params, data }))
  await browser.ask((ctx) => call(v1.user.key.deleteById, ctx, { params: { ...params, keyId } }))
  await browser.ask((ctx) => call(v1.session.purge, ctx))
  const newPassword = 'another horse battery'
  await browser.ask((ctx) => changePassword(ctx, { data: { current: password, password: newPassword } }))
  const { key } = await browser.ask((ctx) =>
    call(v1.core.factor.enrol, ctx, { data: { password: newPassword } }),
  )
  await browser.ask((ctx) => call(v1.core.factor.confirm, ctx, { data: { code: codeAt(key, Date.now()) } }))
  await browser.ask((ctx) => call(v1.core.factor.renewCodes, ctx))
  await browser.ask((ctx) => call(v1.core.factor.remove, ctx))
  await browser.ask((ctx) => forgot(ctx, { data: { email: 'ada@example.org' } }))
  const token = tokenIn((await emailsTo(database, 'ada@example.org'))[0])
  await browserAt().ask((ctx) => reset(ctx, { data: { token, password } }))
  const again = browserAt()
  await logIn(again, 'ada')
  expect(await listVerbs(again, 'ada')).toEqual([
    'signedIn',
    'passwordReset',
    'factorRemoved',
    'codesRenewed',
    'factorAdded',
    'passwordChanged',
    'signedOutElsewhere',
    'deleted key',
    'created key',
    'signedIn',
    'signInFailed',
  ])
  const lines = await listActivity(again, 'ada')
  expect(lines.at(-1)).toMatchObject({
    actorId: null,
    ipPrefix: '203.0.113.0',
    targetId: ids.ada,
    targetName: '',
  })
  expect(lines[0]).toMatchObject({ actorId: ids.ada, ipPrefix: '203.0.113.0' })
  expect(lines.find(({ targetType }) => targetType === 'key')).toMatchObject({
    targetName: '=Laptop',
    targetId: keyId,
  })
  // The address itself is nowhere in the log.
  const rows = await db.selectFrom('activity').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(ip)
})

test('only the person and super admins read them; a super admin does not see the names of keys', async () => {
  const [ada, bea, sue, root] = [browserAt(), browserAt(), browserAt(), browserAt()]
  for (const [browser, name] of [
    [ada, 'ada'],
    [bea, 'bea'],
    [sue, 'sue'],
    [root, 'root'],
  ] as const)
    await logIn(browser, name)
  const own = (await listActivity(ada, 'ada')).length
  expect(own).toBeGreaterThan(0)
  for (const browser of [bea, sue])
    expect((await expectFailure(listActivity(browser, 'ada'))).kind).toBe('forbidden')
  expect((await expectFailure(listActivity(browserAt(), 'ada'))).kind).toBe('unauthenticated')
  const visibleLines = await listActivity(root, 'ada')
  expect(visibleLines).toHaveLength(own)
  expect(visibleLines.every(({ targetName }) => targetName === '')).toBe(true)
})

test('the database itself shows entries to nobody else, accepts none about another person, and allows no changes', async () => {
  const readPersonIds = async (identity: Parameters<TestDatabase['connect']>[0]) => {
    const connection = database.connect(identity)
    const rows = await connection.db
      .selectFrom('activity')
      .select('personId')
      .where('personId', 'is not', null)
      .execute()
    const people = [...new Set(rows.map(({ personId }) => personId))]
    await connection.end()
    return people
  }
  const nobody = { user: '', places: [], global: '' as const }
  expect(await readPersonIds(nobody)).toEqual([])
  expect(await readPersonIds({ ...nobody, user: ids.sue ?? '', global: 'support' })).toEqual([ids.sue])
  expect(await readPersonIds({ ...nobody, user: ids.bea ?? '', places: ['oakton'] })).toEqual([ids.bea])
  expect(
    (await readPersonIds({ ...nobody, user: ids.root ?? '', global: 'super_admin' })).length,
  ).toBeGreaterThan(2)
  const bea = database.connect({ ...nobody, user: ids.bea ?? '' })
  const line = { id: 'made-up', verb: 'signedIn', targetType: 'user', targetId: 'x', at: new Date() }
  const forge = (personId: string) =>
    bea.db
      .insertInto('activity')
      .values({ ...line, placeId: null, actorId: null, personId, ipPrefix: null })
      .execute()
  await expect(forge(ids.ada ?? '')).rejects.toThrow()
  await expect(
    bea.db
      .deleteFrom('activity')
      .where('personId', '=', ids.bea ?? '')
      .execute(),
  ).rejects.toThrow()
  await expect(bea.db.updateTable('activity').set({ verb: 'x' }).execute()).rejects.toThrow()
  await bea.end()
})

test('attempts with an unknown address write nothing; with a known one an entry per hour and network', async () => {
  const count = async () =>
    Number(
      (
        await db
          .selectFrom('activity')
          .select(sql<string>`count(*)`.as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    )
  const before = await count()
  const stranger = browserAt()
  for (let n = 0; n < 3; n++) await expectFailure(logIn(stranger, `nobody${n}`))
  expect(await count()).toBe(before)
  for (let n = 0; n < 5; n++)
    await expectFailure(logIn(browserAt(`198.51.100.${n}`), 'bea', 'a guess of mine'))
  expect(await count()).toBe(before + 1)
  await expectFailure(logIn(browserAt('192.0.2.1'), 'bea', 'a guess of mine'))
  expect(await count()).toBe(before + 2)
  // A rejected attempt that came too early writes no entry.
  const kinds: string[] = []
  for (let n = 0; n < 7; n++)
    kinds.push((await expectFailure(logIn(browserAt('10.0.0.1'), 'sue', 'a guess of mine'))).kind)
  expect(kinds.at(-1)).toBe('tooMany')
  expect(await count()).toBe(before + 3)
})

test('entries are deleted with the person', async () => {
  await db
    .deleteFrom('user')
    .where('id', '=', ids.bea ?? '')
    .execute()
  expect(
    await db
      .selectFrom('activity')
      .select('id')
      .where('personId', '=', ids.bea ?? '')
      .execute(),
  ).toEqual([])
})
