import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { call } from '#functions/api/call.ts'
import { mintToken } from '#functions/domain/identity/email-tokens.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, settings, type TestWorld } from '#db/worlds/world.ts'
import { renewLatePages, emailLateDataDigest } from './late-digest.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const db = () => world.as('system').db
/** The product on a day of March 2026, in the morning. */
const on = (day: number) => world.as('system', { now: () => new Date(Date.UTC(2026, 2, day, 12)) })
/** The night's work, as often as a day has it by mistake; whom it wrote to. */
async function night(day: number): Promise<string[]> {
  await sql`delete from mail`.execute(db())
  await Promise.all([emailLateDataDigest(on(day)), emailLateDataDigest(on(day))])
  return (await letters()).map(({ to }) => to.split('@')[0] ?? '')
}
const letters = () => db().selectFrom('mail').selectAll().orderBy('to').execute()
const dataAt = (id: string, day: string) =>
  sql`update source set data_updated_at = ${`${day}T12:00:00Z`} where id = ${id}`.execute(db())

beforeEach(async () => {
  for (const table of ['late_notice', 'late_email', 'mail', 'outbox'])
    await sql`delete from ${sql.table(table)}`.execute(db())
  await sql`update source set cadence = null, data_updated_at = null, deleted_at = null`.execute(db())
  await sql`update source set cadence = 'weekly' where id in ('open', 'mine')`.execute(db())
  await dataAt('open', '2026-03-01')
  await db().updateTable('user').set({ emailVerified: true }).execute()
})

test('people who may change a source are notified once when its data are late, and never otherwise', async () => {
  expect(await night(8)).toEqual([])
  expect(await night(9)).toEqual(['content_admin', 'organization_admin'])
  const [email] = await letters()
  expect(email).toMatchObject({ kind: 'lateData', subject: 'New data is late: open' })
  expect(email?.text).toContain('• “open”: new data was expected by March 8, 2026')
  expect(email?.text).not.toMatch(/secret|inner|far/)
  // A known delay is not reported again; data that arrived and are late again are.
  expect(await night(11)).toEqual([])
  await dataAt('open', '2026-03-12')
  expect(await night(15)).toEqual([])
  expect(await night(20)).toHaveLength(2)
})

test('one email a day lists everything that is late by then', async () => {
  await night(9)
  await dataAt('mine', '2026-03-01')
  expect(await night(9)).toEqual([])
  expect(await night(10)).toHaveLength(2)
  expect((await letters())[0]?.subject).toBe('New data is late: mine')
  await sql`delete from late_notice`.execute(db())
  await night(12)
  expect((await letters())[0]?.subject).toBe('New data is late in 2 sources')
})

test('it is not sent for deleted sources, closed places, or to unconfirmed addresses', async () => {
  await sql`update source set deleted_at = now() where id = 'open'`.execute(db())
  expect(await night(9)).toEqual([])
  await sql`update source set deleted_at = null`.execute(db())
  await db().updateTable('user').set({ emailVerified: false }).where('id', '=', 'content_admin').execute()
  expect(await night(9)).toEqual(['organization_admin'])
})

test('its link, and the account, stop it for that person only, and start it again', async () => {
  await night(9)
  const [email] = await letters()
  if (!email) throw new Error('An email was written.')
  expect(email.headers).toMatchObject({ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' })
  const token = await mintToken(db(), settings, { ...email, until: null })
  const link = { options: { token: token ?? '' } }
  expect(await call(v1.core.lateData.subscription, world.as('anonymous'), link)).toEqual({ isOn: true })
  expect(await call(v1.core.lateData.unsubscribe, world.as('anonymous'), link)).toEqual({ isOn: false })
  expect(await call(v1.core.lateData.emails, world.as('content_admin'), {})).toEqual({ isOn: false })
  expect(await call(v1.core.lateData.emails, world.as('organization_admin'), {})).toEqual({ isOn: true })
  for (const other of [`${token}x`, token?.replace('content_admin', 'organization_admin') ?? ''])
    await expect(
      call(v1.core.lateData.unsubscribe, world.as('anonymous'), { options: { token: other } }),
    ).rejects.toMatchObject({ kind: 'invalid' })
  await dataAt('open', '2026-03-10')
  expect(await night(20)).toEqual(['organization_admin'])
  await call(v1.core.lateData.setEmails, world.as('content_admin'), { data: { isOn: true } })
  expect(await night(22)).toEqual(['content_admin'])
})

test('the hub page of a source that became late is made again, but no list and no file', async () => {
  await sql`update place set is_hub = true`.execute(db())
  expect(await renewLatePages(on(8))).toBe(0)
  expect(await renewLatePages(on(9))).toBe(1)
  const [event] = await db().selectFrom('outbox').selectAll().execute()
  expect(event).toMatchObject({ kind: 'source', payload: { id: 'open', listChanged: false } })
  expect(event?.preparedAt).not.toBeNull()
  expect(await renewLatePages(on(13))).toBe(0)
})

test('the API gives the day data are expected by, in the time zone of the place', async () => {
  const expected = async (sourceId: string) =>
    (
      await call(v1.place.source.findById, world.as('content_admin'), {
        params: { placeId: 'oakton', sourceId },
      })
    ).expected
  expect(await expected('open')).toBe('2026-03-08')
  await sql`update source set data_updated_at = '2026-03-02T02:00:00Z' where id = 'open'`.execute(db())
  await sql`update place set time_zone = 'America/New_York' where id = 'oakton'`.execute(db())
  expect(await expected('open')).toBe('2026-03-08')
  await sql`update place set time_zone = 'Asia/Tokyo' where id = 'oakton'`.execute(db())
  expect(await expected('open')).toBe('2026-03-09')
  expect(await expected('inner')).toBeNull()
})
