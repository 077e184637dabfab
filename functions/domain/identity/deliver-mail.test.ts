import { sql } from 'kysely'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asSystem, freshDatabase, type TestDatabase } from '#db/testing.ts'
import type { Db } from '#db/schema.ts'
import { storeMail } from '#functions/domain/email/email-outbox.ts'
import { deliverMail, postBy, findMailProvider, type MailProvider } from './deliver-mail.ts'
import { hashText } from './keys.ts'
import { settings } from './testing.ts'

let database: TestDatabase
let db: Db
let end: () => Promise<void>
const requests: { headers: Record<string, unknown>; body: Record<string, unknown> }[] = []
let status = 200
const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => (text += chunk))
  request.on('end', () => {
    requests.push({ headers: request.headers, body: JSON.parse(text) })
    response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end('{}')
  })
})

beforeAll(async () => {
  database = await freshDatabase()
  ;({ db, end } = database.connect(asSystem))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
beforeEach(async () => {
  await db.deleteFrom('mail').execute()
  requests.length = 0
  status = 200
})
afterAll(async () => {
  server.close()
  await end()
  await database.close()
})

const helloMail = {
  to: 'ada@example.org',
  subject: 'Hello',
  text: 'https://app.test/x?y=1',
  html: '<p>Hello</p>',
}
const provider = () => ({
  endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/send`,
  token: 'secret',
  from: 'Us <us@app.test>',
})

const deliver = (to: MailProvider = provider()) => {
  const report = (error: unknown) => {
    throw error
  }
  return deliverMail({ db, settings, report }, postBy(to, fetch))
}
/** Makes attempted emails eleven minutes older. */
const backdateAttempts = () => sql`update mail set tried_at = tried_at - interval '11 minutes'`.execute(db)
const rows = () => db.selectFrom('mail').selectAll().orderBy('createdAt').execute()

test('sends each email once to the provider, as JSON, and deletes the text of sent ones', async () => {
  await storeMail(db, helloMail)
  await storeMail(db, { ...helloMail, to: 'bea@example.org' })
  const both = await Promise.all([deliver(), deliver()])
  expect(both.map((one) => one.sent).sort()).toEqual([0, 2])
  expect(requests.map((one) => one.body)).toContainEqual({ from: 'Us <us@app.test>', ...helloMail })
  expect(requests[0]?.headers).toMatchObject({
    authorization: 'Bearer secret',
    'content-type': 'application/json',
  })
  for (const row of await rows()) {
    expect(row).toMatchObject({ text: '', html: '', headers: null, outcome: 'sent', attempts: 1 })
    expect(Date.now() - Number(row.sentAt)).toBeLessThan(60_000)
  }
})

test.each([500, 302])('retries after ten minutes when the provider answers %i', async (answer) => {
  status = answer
  await storeMail(db, helloMail)
  expect(await deliver()).toEqual({ sent: 0, failed: 1 })
  status = 200
  expect(await deliver()).toEqual({ sent: 0, failed: 0 })
  await backdateAttempts()
  expect(await deliver()).toEqual({ sent: 1, failed: 0 })
  expect(requests[0]?.headers['idempotency-key']).toBe(requests[1]?.headers['idempotency-key'])
})

test('an unreachable provider causes nothing but a failed delivery', async () => {
  await storeMail(db, helloMail)
  const unreachableProvider = { ...provider(), endpoint: 'http://127.0.0.1:9/' }
  expect(await deliver(unreachableProvider)).toEqual({ sent: 0, failed: 1 })
})

test('the environment selects the provider', () => {
  expect(findMailProvider({}, 'x')).toBeNull()
  expect(findMailProvider({ MAIL_ENDPOINT: 'https://mail.example/send', MAIL_TOKEN: 't' }, 'x')).toEqual({
    endpoint: 'https://mail.example/send',
    token: 't',
    from: 'x',
  })
})

describe('the token of an email', () => {
  const link = (path: string) => `https://app.test${path}?token={token}`
  const waiting = {
    ...helloMail,
    text: link('/reset_password'),
    html: `<a href="${link('/reset_password')}">x</a>`,
  }
  const about = { kind: 'reset', subjectId: 'ada' } as const
  const tokens = () => db.selectFrom('emailToken').selectAll().orderBy('createdAt').execute()
  const parseToken = (body: Record<string, unknown> | undefined) =>
    /token=([\w-]+)/.exec(String(body?.text))?.[1] ?? ''

  beforeEach(async () => {
    await db.deleteFrom('emailToken').execute()
    const ada = { id: 'ada', email: 'ada@example.org', name: 'Ada', image: null, onboarding: '{}' }
    await db
      .insertInto('user')
      .values(ada)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })

  test('is created when it is sent, stored as a hash, and valid from then on', async () => {
    await storeMail(db, { ...waiting, about })
    // It waited for ten hours: the provider was down.
    await sql`update mail set created_at = now() - interval '10 hours'`.execute(db)
    expect(await tokens()).toEqual([])
    expect(JSON.stringify(await rows())).toContain('token={token}')
    expect(await deliver()).toEqual({ sent: 1, failed: 0 })
    const token = parseToken(requests[0]?.body)
    expect(token).toHaveLength(43)
    expect(requests[0]?.body.html).toContain(`token=${token}"`)
    const [row] = await tokens()
    expect(row).toMatchObject({ tokenHash: await hashText(token), kind: 'reset', subjectId: 'ada' })
    expect(Math.abs(Number(row?.expiresAt) - Date.now() - 3_600_000)).toBeLessThan(60_000)
    expect(JSON.stringify([await rows(), await tokens()])).not.toContain(token)
  })

  test('differs at each attempt, under another key, and all work: the first may have been delivered', async () => {
    await storeMail(db, { ...waiting, about })
    status = 500
    expect(await deliver()).toEqual({ sent: 0, failed: 1 })
    expect(await rows()).toMatchObject([{ outcome: null, attempts: 1, sentAt: null }])
    expect(JSON.stringify(await rows())).not.toContain(parseToken(requests[0]?.body))
    await backdateAttempts()
    status = 200
    expect(await deliver()).toEqual({ sent: 1, failed: 0 })
    const mailTokens = requests.map(({ body }) => parseToken(body))
    expect(new Set(mailTokens).size).toBe(2)
    expect(requests[0]?.headers['idempotency-key']).not.toBe(requests[1]?.headers['idempotency-key'])
    const storedHashes = (await tokens()).map(({ tokenHash }) => tokenHash).sort()
    expect(storedHashes).toEqual((await Promise.all(mailTokens.map(hashText))).sort())
  })

  test('is not created for an email that was replaced while it waited, nor for a deleted subject', async () => {
    await storeMail(db, { ...waiting, about })
    await sql`select void_emails('reset', 'ada')`.execute(db)
    await storeMail(db, { ...waiting, about: { ...about, subjectId: 'gone' } })
    expect(await deliver()).toEqual({ sent: 0, failed: 0 })
    expect(requests).toEqual([])
    expect((await rows()).map(({ outcome, text }) => [outcome, text])).toEqual([
      ['replaced', ''],
      ['obsolete', ''],
    ])
    expect(await tokens()).toEqual([])
  })

  test('is invalidated by a newer email, even while the older one is being sent', async () => {
    await storeMail(db, { ...waiting, about })
    const slow = postBy(provider(), async (...args) => {
      await sql`select void_emails('reset', 'ada')`.execute(db)
      return fetch(...args)
    })
    await deliverMail({ db, settings, report: () => {} }, slow)
    expect(await tokens()).toEqual([])
    expect(await rows()).toMatchObject([{ outcome: 'replaced', text: '' }])
  })

  test('an email that could not be sent for a day is given up and loses its text', async () => {
    await storeMail(db, { ...waiting, about })
    await sql`update mail set created_at = now() - interval '25 hours'`.execute(db)
    expect(await deliver()).toEqual({ sent: 0, failed: 0 })
    expect(requests).toEqual([])
    expect(await rows()).toMatchObject([{ outcome: 'failed', text: '', html: '' }])
  })
})
