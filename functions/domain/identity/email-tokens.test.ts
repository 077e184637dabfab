import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import { tablesWith } from '#db/tables-with.testing.ts'
import { seedRoles } from '#functions/domain/access/seed.ts'
import { create as invite, resend as inviteAgain } from './invitations.ts'
import { forgot, login, reset, signup } from './accounts.ts'
import { confirm, resend } from './confirmations.ts'
import { createAccount } from './create-account.ts'
import { emailsTo, tokenIn, visitor } from './testing.ts'

let database: TestDatabase
const logged: string[] = []
beforeAll(async () => {
  database = await freshDatabase()
  const { transaction, end } = database.connect(asSystem)
  await transaction(async (tx) => {
    await seedRoles(tx)
    await tx
      .insertInto('place')
      .values({ id: 'oakton', name: 'Oakton', displayName: 'Oakton', theme: '{}', mapConfiguration: '{}' })
      .execute()
    const admin = { name: 'Olive', password: 'correct horse battery', verified: true, globalRole: null }
    const memberships = [{ placeId: 'oakton', role: 'organization_admin' }]
    await createAccount(tx, { ...admin, email: 'olive@example.org', memberships })
  })
  await end()
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, level).mockImplementation(
      (...words: unknown[]) => void logged.push(words.map(String).join(' ')),
    )
})
afterAll(async () => {
  vi.restoreAllMocks()
  await database.close()
})

/** The tables that contain a text. */
async function whereIs(text: string): Promise<string[]> {
  const { db, end } = database.connect(asSystem)
  const tables = await tablesWith(db, text)
  await end()
  return tables
}

const [email, password] = ['ada@example.org', 'correct horse battery']
const ada = () => visitor(database)
const olive = async () => {
  const browser = visitor(database)
  await browser.ask((ctx) => login(ctx, { data: { email: 'olive@example.org', password } }))
  return browser
}
const buildArgs = (data: { email: string; role: string }) => ({
  params: { placeId: 'oakton' },
  options: undefined,
  placeId: 'oakton',
  data,
})

test('the search finds what exists', async () => {
  expect(await whereIs('olive@example.org')).toContain('user')
})

test.each([
  [
    'a sign-up',
    email,
    async () => void (await ada().ask((ctx) => signup(ctx, { data: { email, name: 'Ada', password } }))),
  ],
  [
    'its email once more',
    email,
    async () => void (await ada().ask((ctx) => resend(ctx, { data: { email } }))),
  ],
  [
    'a forgotten password',
    'olive@example.org',
    async () => void (await ada().ask((ctx) => forgot(ctx, { data: { email: 'olive@example.org' } }))),
  ],
  [
    'an invitation',
    'guest@example.org',
    async () =>
      void (await (
        await olive()
      ).ask((ctx) => invite(ctx, buildArgs({ email: 'guest@example.org', role: 'viewer' })))),
  ],
  [
    'an invitation once more',
    'guest@example.org',
    async () => {
      const { db, end } = database.connect(asSystem)
      await sql`update invite set sent_at = now() - interval '2 minutes'`.execute(db)
      const { id } = await db.selectFrom('invite').select('id').executeTakeFirstOrThrow()
      await end()
      const again = {
        params: { inviteId: id, placeId: 'oakton' },
        options: undefined,
        data: undefined,
        placeId: 'oakton',
      }
      await (await olive()).ask((ctx) => inviteAgain(ctx, again))
    },
  ],
])('the token of %s is in no table and no log, nor is its link', async (_what, to, act) => {
  const before = (await emailsTo(database, to)).length
  await act()
  // Before it is sent there is no link either.
  for (const path of ['confirmation', 'reset_password', 'invite/'])
    for (const table of await whereIs(`/${path}`)) expect(table).toBe('mail')
  const letters = await emailsTo(database, to)
  expect(letters).toHaveLength(before + 1)
  const token = tokenIn(letters[0])
  const link = /https:\/\/\S+/.exec(letters[0]?.text ?? '')?.[0] ?? ''
  expect(token).toHaveLength(43)
  expect(await whereIs(token)).toEqual([])
  expect(await whereIs(link)).toEqual([])
  expect(await whereIs(link.split('?')[0] ?? '')).toEqual([])
  expect(logged.join('\n')).not.toContain(token)
})

test('links of the newest email work, and using them leaves no token behind', async () => {
  const letters = await emailsTo(database, email)
  const [newest, older] = letters.map(tokenIn)
  const browser = ada()
  const data = (token = '') => ({ data: { token, password } })
  await expect(browser.ask((ctx) => confirm(ctx, data(older)))).rejects.toThrow()
  await browser.ask((ctx) => confirm(ctx, data(newest)))
  const token = tokenIn((await emailsTo(database, 'olive@example.org'))[0])
  await browser.ask((ctx) => reset(ctx, { data: { token, password: 'another horse battery' } }))
  for (const used of [newest ?? '', token]) expect(await whereIs(used)).toEqual([])
  const { db, end } = database.connect(asSystem)
  const left = await db.selectFrom('emailToken').select('kind').execute()
  await end()
  expect(left.map(({ kind }) => kind)).toEqual(['invite'])
  expect(logged.join('\n')).not.toContain(token)
})

test('a sent email keeps its recipient, kind, time and outcome', async () => {
  const notice = (await emailsTo(database, 'olive@example.org'))[0]
  expect(notice?.subject).toBe('Your password was changed')
  expect(notice?.text).not.toContain('token')
  const { db, end } = database.connect(asSystem)
  const rows = await db.selectFrom('mail').selectAll().orderBy('createdAt').execute()
  await end()
  expect(rows.length).toBeGreaterThanOrEqual(5)
  for (const row of rows) {
    expect(row).toMatchObject({ text: '', html: '', headers: null })
    expect(JSON.stringify(row)).not.toMatch(/https?:/)
  }
  expect(rows.filter(({ outcome }) => outcome === 'sent').map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['confirmation', 'reset', 'invite', 'notice']),
  )
})
