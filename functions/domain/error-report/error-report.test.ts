import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { call } from '#functions/api/call.ts'
import { makeStopToken } from '#functions/domain/email/stop-token.ts'
import { mintToken } from '#functions/domain/identity/email-tokens.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, settings, type TestWorld, type Person } from '#db/worlds/world.ts'
import type { Context } from '#functions/context.ts'
import type { SentReport } from '#functions/shapes/error-report.ts'
import { emailErrorReportDigest } from './digest.ts'
import { receive } from './receive.ts'
import { sweepErrorReports } from './sweep.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const db = () => world.as('system').db
beforeEach(async () => {
  for (const table of ['error_report', 'error_report_digest', 'error_report_mute', 'attempt', 'mail'])
    await sql`delete from ${sql.table(table)}`.execute(db())
  await db().updateTable('user').set({ emailVerified: true }).execute()
})

/** The product itself, for a request from a network. */
function from(ip: string | null): Context {
  const ctx = world.as('system')
  return { ...ctx, request: { ...ctx.request, ip }, responseHeaders: new Headers() }
}

let number = 0
const buildReport = (changes: Partial<SentReport> = {}): SentReport => ({
  ...{ placeId: 'oakton', sourceId: 'open', datumId: null, insightId: null },
  ...{ text: 'A value is wrong', email: null, locale: 'en', isSpam: false },
  formHash: `form ${number++}`,
  ...changes,
})
const count = async () =>
  Number(
    (
      await db()
        .selectFrom('errorReport')
        .select(sql<string>`count(*)`.as('n'))
        .executeTakeFirst()
    )?.n,
  )
const params = { placeId: 'oakton' }
const list = async (who: Person = 'content_admin', options: Record<string, unknown> = {}) =>
  (await call(v1.place.errorReport.find, world.as(who), { params, options })).results
const letters = () => db().selectFrom('mail').selectAll().orderBy('to').execute()

test('is accepted for a public source of a hub, once however often it is sent', async () => {
  const report = buildReport({ email: 'ann@example.org', datumId: '7' })
  expect(await Promise.all([receive(from('192.0.2.1'), report), receive(from('192.0.2.1'), report)])).toEqual(
    [true, true],
  )
  expect(await receive(from('192.0.2.9'), report)).toBe(true)
  expect(await list()).toMatchObject([
    { sourceId: 'open', datumId: '7', text: 'A value is wrong', email: 'ann@example.org', status: 'open' },
  ])
  // Nothing of the sender's network is in any row.
  const rows = await sql<{ row: string }>`
    select to_jsonb(r)::text as row from error_report r union all select to_jsonb(a)::text from attempt a`.execute(
    db(),
  )
  for (const { row } of rows.rows) expect(row).not.toContain('192.0.2')
})

test('is rejected for anything else', async () => {
  for (const other of [
    { sourceId: 'inner' },
    { sourceId: 'secret' },
    { sourceId: 'nowhere' },
    { placeId: 'elmsford' },
  ])
    expect(await receive(from('192.0.2.1'), buildReport(other)), JSON.stringify(other)).toBe(false)
  await db().updateTable('source').set({ deletedAt: new Date() }).where('id', '=', 'open').execute()
  expect(await receive(from('192.0.2.1'), buildReport())).toBe(false)
  await db().updateTable('source').set({ deletedAt: null }).where('id', '=', 'open').execute()
  await db().updateTable('place').set({ isHub: false }).where('id', '=', 'oakton').execute()
  expect(await receive(from('192.0.2.1'), buildReport())).toBe(false)
  await db().updateTable('place').set({ isHub: true }).where('id', '=', 'oakton').execute()
  expect(await count()).toBe(0)
})

test('limits fifty concurrent ones from one network to ten, without affecting another network', async () => {
  const flood = Array.from({ length: 50 }, (_, i) => receive(from(`2001:db8:1:2::${i}`), buildReport()))
  const ends = await Promise.allSettled(flood)
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(await count()).toBe(10)
  const ctx = from('2001:db8:1:2::ffff')
  await expect(receive(ctx, buildReport())).rejects.toMatchObject({ kind: 'tooMany' })
  expect(Number(ctx.responseHeaders.get('retry-after'))).toBeGreaterThan(3000)
  expect(await receive(from('2001:db8:1:3::1'), buildReport())).toBe(true)
})

test('limits reports about one source per hour, from all networks together', async () => {
  const ends = []
  for (let i = 0; i < 65; i++)
    ends.push(
      await receive(from(`198.51.100.${i}`), buildReport()).catch(({ kind }: { kind: string }) => kind),
    )
  expect(ends.filter((end) => end === true)).toHaveLength(60)
  expect(ends.slice(60)).toEqual(Array(5).fill('tooMany'))
})

test('maintainers of the data read, change and delete it, which is logged; nobody else may', async () => {
  await receive(from('192.0.2.1'), buildReport({ text: 'Row 3 <b>' }))
  const [report] = await list()
  if (!report) throw new Error('There is a report.')
  const one = { ...params, errorReportId: report.id }
  for (const who of ['anonymous', 'viewer', 'member', 'stranger', 'support'] as const)
    await expect(list(who), who).rejects.toMatchObject({
      kind: expect.stringMatching(/unauthenticated|forbidden|notFound/) as string,
    })
  const ctx = world.as('content_admin')
  const updatedReport = await call(v1.place.errorReport.updateById, ctx, {
    params: one,
    data: { status: 'answered', note: 'Corrected.', version: report.version },
  })
  expect(updatedReport).toMatchObject({
    status: 'answered',
    note: 'Corrected.',
    version: 2,
    text: 'Row 3 <b>',
  })
  await expect(
    call(v1.place.errorReport.updateById, ctx, { params: one, data: { status: 'open', version: 1 } }),
  ).rejects.toMatchObject({ kind: 'conflict' })
  await expect(
    call(v1.place.errorReport.updateById, ctx, { params: one, data: { text: 'Other' } as never }),
  ).rejects.toMatchObject({ kind: 'invalid', issues: [{ path: ['text'] }] })
  expect(await list('content_admin', { filters: { status: 'open' } })).toEqual([])
  await call(v1.place.errorReport.deleteById, ctx, { params: one })
  expect(await count()).toBe(0)
  const lines = await db()
    .selectFrom('activity')
    .select(['verb', 'targetName', 'actorId'])
    .where('targetType', '=', 'errorReport')
    .orderBy('at')
    .execute()
  expect(lines.map(({ verb }) => verb)).toEqual(['updated', 'deleted'])
  // Everyone in the place reads the audit log: it must not contain the reader's text.
  expect(JSON.stringify(lines)).not.toContain('Row 3')
})

test('names the figure, where readers see one with this id in the place', async () => {
  for (const insightId of ['calls', 'inner-calls', 'far-calls', 'nowhere'])
    await receive(from('192.0.2.1'), buildReport({ text: insightId, insightId }))
  const reportInsights = (await list()).map(({ text, insightId, insightName }) => [
    text,
    insightId,
    insightName,
  ])
  expect(reportInsights).toHaveLength(4)
  expect(reportInsights).toEqual(
    expect.arrayContaining([
      ['calls', 'calls', 'Calls'],
      ...['inner-calls', 'far-calls', 'nowhere'].map((id) => [id, id, null]),
    ]),
  )
  await emailErrorReportDigest(from(null))
  const [{ text } = { text: '' }] = await letters()
  expect(text).toContain('• “calls” (figure “Calls”)')
  expect(text.match(/\(figure/g)).toHaveLength(1)
})

test('is sent in one email per hour to those who may read it, by source, as plain text', async () => {
  await receive(
    from('192.0.2.1'),
    buildReport({ text: 'See https://evil.test/?token={token}\r\nBcc: x@y.org <b>' }),
  )
  await receive(from('192.0.2.1'), buildReport({ text: 'Second', email: 'ann@example.org', datumId: '7' }))
  await receive(from('192.0.2.1'), buildReport({ text: 'Buy pills', isSpam: true }))
  expect(
    await Promise.all([emailErrorReportDigest(from(null)), emailErrorReportDigest(from(null))]),
  ).toContain(0)
  const first = await letters()
  expect(first.map(({ to }) => to)).toEqual(['content_admin@example.com', 'organization_admin@example.com'])
  const [
    { subject, text, html, headers, kind } = { subject: '', text: '', html: '', headers: null, kind: '' },
  ] = first
  expect([kind, subject]).toEqual(['errorReports', '2 errors reported: Oakton'])
  expect(text).toContain('https: //evil.test/?token: (token) Bcc: x@y.org <b>”')
  expect(text).toContain('• “Second” (record 7) — wants an answer at ann@example.org')
  expect(text).not.toContain('Buy pills')
  expect(text).toMatch(/error-reports\/unsubscribe\?token=\{token\}\n$/)
  expect(html).not.toContain('<b>')
  // The links of the email are ours alone.
  expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href?.slice(0, 22))).toEqual(
    Array(2).fill('http://localhost:8787/'),
  )
  expect(headers).toMatchObject({ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' })
  // No second email within the hour; after it, one with the new reports.
  await receive(from('192.0.2.1'), buildReport({ text: 'Third' }))
  expect(await emailErrorReportDigest(from(null))).toBe(0)
  await sql`update error_report_digest set sent_at = now() - interval '61 minutes'`.execute(db())
  expect(await emailErrorReportDigest(from(null))).toBe(2)
  const later = (await letters()).filter(({ text }) => text.includes('Third'))
  expect(later).toHaveLength(2)
  expect(later[0]?.text).not.toContain('Second')
})

test('emails are stopped by their link and by a switch, for that person in that place', async () => {
  const token = async (userId: string, placeId = 'oakton') =>
    makeStopToken(settings.authSecret, [placeId], userId, new Date())
  const stop = async (userId: string, placeId?: string) =>
    call(v1.place.errorReport.unsubscribe, world.as('anonymous'), {
      params,
      options: { token: await token(userId, placeId) },
    })
  await expect(stop('content_admin', 'elmsford')).rejects.toMatchObject({ kind: 'invalid' })
  const look = { params, options: { token: await token('content_admin') } }
  expect(await call(v1.place.errorReport.subscription, world.as('anonymous'), look)).toMatchObject({
    isOn: true,
  })
  expect(await stop('content_admin')).toMatchObject({ placeName: 'Oakton', isOn: false })
  expect(await stop('content_admin')).toMatchObject({ isOn: false })
  const other = world.as('organization_admin')
  expect(await call(v1.place.errorReport.setEmails, other, { params, data: { isOn: false } })).toEqual({
    isOn: false,
  })
  await receive(from('192.0.2.1'), buildReport())
  expect(await emailErrorReportDigest(from(null))).toBe(0)
  expect(await call(v1.place.errorReport.setEmails, other, { params, data: { isOn: true } })).toEqual({
    isOn: true,
  })
  expect(await call(v1.place.errorReport.emails, other, { params })).toEqual({ isOn: true })
  expect(await call(v1.place.errorReport.emails, world.as('content_admin'), { params })).toEqual({
    isOn: false,
  })
  // The link that is sent is the one that stops.
  const minted = await mintToken(db(), settings, {
    ...{ id: 'x', kind: 'errorReports', until: null, createdAt: new Date() },
    subjectId: JSON.stringify(['oakton', 'organization_admin']),
  })
  expect(
    await call(v1.place.errorReport.unsubscribe, world.as('anonymous'), {
      params,
      options: { token: minted ?? '' },
    }),
  ).toMatchObject({ isOn: false })
})

test('is deleted after half a year or with its source, and hidden while the source is deleted', async () => {
  await receive(from('192.0.2.1'), buildReport({ text: 'Old' }))
  await sql`update error_report set created_at = now() - interval '181 days'`.execute(db())
  await receive(from('192.0.2.1'), buildReport({ text: 'New' }))
  await sweepErrorReports(world.as('system'))
  expect((await list()).map(({ text }) => text)).toEqual(['New'])
  await db().updateTable('source').set({ deletedAt: new Date() }).where('id', '=', 'open').execute()
  expect(await list()).toEqual([])
  expect(await emailErrorReportDigest(from(null))).toBe(0)
  await db().updateTable('source').set({ deletedAt: null }).where('id', '=', 'open').execute()
  expect(await list()).toHaveLength(1)
})
