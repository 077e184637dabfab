import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import { createAccount } from '#functions/domain/identity/create-account.ts'
import { resetEmail } from '#functions/domain/identity/emails.ts'
import { storeMail } from '#functions/domain/email/email-outbox.ts'
import { isOutboxShown, showOutbox } from './local-outbox.ts'
import { getSettings, type Env } from '#functions/settings.ts'

const plain = {
  ...{
    ENVIRONMENT: 'development',
    APP_HOST: 'localhost:8787',
    PUBLIC_HOST: 'localhost:8787',
    SCHEME: 'http',
  },
  ...{ AUTH_SECRET: 'a secret that only tests know, long enough', MAIL_FROM: 'hub@example.com' },
  SUPPORT_URL: 'https://support.test',
}
let database: TestDatabase
let env: Env
beforeAll(async () => {
  database = await freshDatabase()
  env = { ...plain, ...database.env } as unknown as Env
})
afterAll(() => database.close())

test('is available on a local machine only: not in production, and not if emails are sent', () => {
  const isShown = (changes: object) => {
    const there = { ...env, ...changes }
    return isOutboxShown(there, getSettings(there))
  }
  expect(isShown({})).toBe(true)
  expect(isShown({ ENVIRONMENT: 'test' })).toBe(true)
  expect(isShown({ ENVIRONMENT: 'production' })).toBe(false)
  expect(isShown({ MAIL_ENDPOINT: 'https://mail.example/send' })).toBe(false)
})

test('shows emails with working links, also repeatedly and concurrently; the database has no links', async () => {
  const { db, end } = database.connect(asSystem)
  const plan = { name: 'Ada', password: 'correct horse battery', verified: true, globalRole: null }
  const { userId } = await createAccount(db, { ...plan, email: 'ada@example.org', memberships: [] })
  const settings = getSettings(env)
  for (let n = 0; n < 25; n++) await storeMail(db, resetEmail('ada@example.org', userId, settings))
  const readOutbox = async () => (await showOutbox(env)).text()
  const listResetLinks = (page: string) => new Set(page.match(/reset_password\?token=[\w-]{43}/g))
  const pages = await Promise.all([readOutbox(), readOutbox(), readOutbox()])
  for (const page of pages) expect(listResetLinks(page).size).toBe(25)
  expect(listResetLinks(await readOutbox())).toEqual(listResetLinks(pages[0] ?? ''))
  const rows = await db.selectFrom('mail').select(['outcome', 'text', 'html', 'attempts']).execute()
  expect(rows).toEqual(rows.map(() => ({ outcome: 'sent', text: '', html: '', attempts: 1 })))
  await end()
})
