import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { asStranger, asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import type { Db } from '#db/schema.ts'
import { deliverMail, newestMail, outboxPage, providerOf, sendMail, storeMail } from './mail.ts'

let database: TestDatabase
let db: Db
let stranger: Db
let end: () => Promise<void>
const taken: { headers: Record<string, unknown>; body: Record<string, unknown> }[] = []
let status = 200
const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => (text += chunk))
  request.on('end', () => {
    taken.push({ headers: request.headers, body: JSON.parse(text) })
    response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end('{}')
  })
})

beforeAll(async () => {
  database = await freshDatabase()
  ;({ db, end } = database.connect(asSystem))
  stranger = database.connect(asStranger).db
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
beforeEach(async () => {
  await db.deleteFrom('mail').execute()
  taken.length = 0
  status = 200
})
afterAll(async () => {
  server.close()
  await end()
  await database.close()
})

const letter = {
  to: 'ada@example.org',
  subject: 'Hello',
  text: 'https://app.test/x?token=1',
  html: '<p>Hello</p>',
}
const provider = () => ({
  endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/send`,
  token: 'secret',
  from: 'Us <us@app.test>',
})

test('anyone may have a letter sent; only the product reads the outbox', async () => {
  await sendMail({ db: stranger, wake: () => expect.fail('There is no provider to tell.') }, {}, letter)
  expect(await newestMail(stranger)).toEqual([])
  expect(await newestMail(db)).toMatchObject([letter])
})

test.each([
  ['two recipients', { ...letter, to: 'a@example.org, b@example.org' }],
  ['a line break in the address', { ...letter, to: 'a@example.org\r\nBcc: b@example.org' }],
  ['a name around the address', { ...letter, to: 'A <a@example.org>' }],
  ['no address', { ...letter, to: 'a' }],
  ['a header in the subject', { ...letter, subject: 'Hi\r\nBcc: b@example.org' }],
  ['a long subject', { ...letter, subject: 'x'.repeat(201) }],
])('%s is no letter', async (_what, mail) => {
  await expect(storeMail(db, mail)).rejects.toThrow()
  expect(await newestMail(db)).toEqual([])
})

test('the provider gets each letter once, as JSON; what has gone loses its text', async () => {
  await storeMail(db, letter)
  await storeMail(db, { ...letter, to: 'bea@example.org' })
  const both = await Promise.all([deliverMail(db, provider(), fetch), deliverMail(db, provider(), fetch)])
  expect(both.map((one) => one.sent).sort()).toEqual([0, 2])
  expect(taken.map((one) => one.body)).toContainEqual({ from: 'Us <us@app.test>', ...letter })
  expect(taken[0]?.headers).toMatchObject({
    authorization: 'Bearer secret',
    'content-type': 'application/json',
  })
  for (const row of await newestMail(db)) expect([row.text, row.html]).toEqual(['', ''])
})

test.each([500, 302])('a provider that answers %i gets it again ten minutes later', async (answer) => {
  status = answer
  await storeMail(db, letter)
  expect(await deliverMail(db, provider(), fetch)).toEqual({ sent: 0, failed: 1 })
  status = 200
  expect(await deliverMail(db, provider(), fetch)).toEqual({ sent: 0, failed: 0 })
  await db
    .updateTable('mail')
    .set({ sentAt: new Date(Date.now() - 11 * 60_000) })
    .execute()
  expect(await deliverMail(db, provider(), fetch)).toEqual({ sent: 1, failed: 0 })
  expect(taken[0]?.headers['idempotency-key']).toBe(taken[1]?.headers['idempotency-key'])
})

test('a provider that is not there fails nothing but the sending', async () => {
  await storeMail(db, letter)
  const gone = { ...provider(), endpoint: 'http://127.0.0.1:9/' }
  expect(await deliverMail(db, gone, fetch)).toEqual({ sent: 0, failed: 1 })
})

test('the environment names the provider', () => {
  expect(providerOf({}, 'x')).toBeNull()
  expect(providerOf({ MAIL_ENDPOINT: 'https://mail.example/send', MAIL_TOKEN: 't' }, 'x')).toEqual({
    endpoint: 'https://mail.example/send',
    token: 't',
    from: 'x',
  })
})

test('the page of the outbox shows links and runs nothing', () => {
  const page = outboxPage([{ ...letter, subject: '<script>alert(1)</script>', createdAt: new Date(0) }])
  expect(page).toContain('<a href="https://app.test/x?token=1"')
  expect(page).not.toContain('<script>')
})
