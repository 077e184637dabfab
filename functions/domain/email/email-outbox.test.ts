import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asStranger, asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import type { Db } from '#db/schema.ts'
import { outboxPage, sendMail, storeMail } from './email-outbox.ts'

let database: TestDatabase
let db: Db
let stranger: Db
let end: () => Promise<void>

beforeAll(async () => {
  database = await freshDatabase()
  ;({ db, end } = database.connect(asSystem))
  stranger = database.connect(asStranger).db
})
beforeEach(async () => {
  await db.deleteFrom('mail').execute()
})
afterAll(async () => {
  await end()
  await database.close()
})

const helloMail = {
  to: 'ada@example.org',
  subject: 'Hello',
  text: 'https://app.test/x?y=1',
  html: '<p>Hello</p>',
}
const rows = (of: Db) => of.selectFrom('mail').selectAll().execute()

test('anyone may cause an email; only the system reads the outbox', async () => {
  await sendMail({ db: stranger, wake: () => expect.fail('There is no provider to tell.') }, {}, helloMail)
  expect(await rows(stranger)).toEqual([])
  expect(await rows(db)).toMatchObject([{ ...helloMail, kind: 'notice', subjectId: null, outcome: null }])
})

test.each([
  ['two recipients', { ...helloMail, to: 'a@example.org, b@example.org' }],
  ['a line break in the address', { ...helloMail, to: 'a@example.org\r\nBcc: b@example.org' }],
  ['a name around the address', { ...helloMail, to: 'A <a@example.org>' }],
  ['no address', { ...helloMail, to: 'a' }],
  ['a header in the subject', { ...helloMail, subject: 'Hi\r\nBcc: b@example.org' }],
  ['a long subject', { ...helloMail, subject: 'x'.repeat(201) }],
])('rejects %s', async (_what, mail) => {
  await expect(storeMail(db, mail)).rejects.toThrow()
  expect(await rows(db)).toEqual([])
})

test('the database rejects an email that already has its token, and the text of one that has ended', async () => {
  const about = { kind: 'reset', subjectId: 'ada' } as const
  const link = 'https://app.test/reset_password?token='
  await expect(storeMail(db, { ...helloMail, text: `${link}abc`, about })).rejects.toThrow()
  await expect(storeMail(db, { ...helloMail, html: `${link}abc`, about })).rejects.toThrow()
  await storeMail(db, { ...helloMail, text: `${link}{token}`, about })
  expect(await rows(db)).toMatchObject([about])
  await expect(db.updateTable('mail').set({ outcome: 'sent' }).execute()).rejects.toThrow()
})

test('the page of the outbox shows links and runs no scripts', () => {
  const page = outboxPage([{ ...helloMail, subject: '<script>alert(1)</script>', receivedAt: new Date(0) }])
  expect(page).toContain('<a href="https://app.test/x?y=1"')
  expect(page).not.toContain('<script>')
})
