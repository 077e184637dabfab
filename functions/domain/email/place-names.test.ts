import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '#functions/api/call.ts'
import { composeClosedEmail, reopenedEmail } from '#functions/domain/place/closing-emails.ts'
import { emailErrorReportDigest } from '#functions/domain/error-report/digest.ts'
import { emailLateDataDigest } from '#functions/domain/source/late-digest.ts'
import { invitationEmail, ssoConnectedEmail } from '#functions/domain/identity/emails.ts'
import { openObserverFixture, type ObserverFixture } from '#functions/domain/observer/testing.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { emailRequestDigest } from '#functions/domain/place-request/digest.ts'
import {
  composeAcceptedEmail,
  composeDeclinedEmail,
  placeMadeEmail,
} from '#functions/domain/place-request/emails.ts'
import type { Mail } from '#functions/context.ts'
import { settings } from '#db/worlds/world.ts'
import { v1 } from '#functions/v1/index.ts'

const name = 'City of Oaks'
const to = 'ann@example.com'
/** The id of the place, which is no part of its name. */
const id = 'oakton'

/** What a person reads of an email: subject and text without the addresses of links. */
const getReadableText = ({ subject, text }: Pick<Mail, 'subject' | 'text'>) =>
  `${subject}\n${text.replace(/https?:\/\/\S+/g, '')}`

function expectNamed(mail: Pick<Mail, 'subject' | 'text'>) {
  expect(getReadableText(mail)).toContain(name)
  expect(getReadableText(mail)).not.toMatch(/oakton/i)
}

const facts = { id, name, endsAt: new Date('2026-03-01'), by: 'Ann' }

test.each<[string, Mail]>([
  ['made', placeMadeEmail(to, name, settings)],
  ['let in', composeAcceptedEmail(to, name, settings)],
  ['not let in', composeDeclinedEmail(to, name, settings)],
  ['invited', invitationEmail(to, { id: 'invite', placeName: name }, settings)],
  ['connected', ssoConnectedEmail(to, name, settings)],
  ['closed', composeClosedEmail(to, settings, facts)],
  ['open again', reopenedEmail(to, settings, facts)],
])('the template “%s” names the organization, not its id', (_template, mail) => expectNamed(mail))

describe('an organization whose name is not like its id', () => {
  let bed: ObserverFixture
  beforeAll(async () => {
    bed = await openObserverFixture()
    const { db } = bed.world.as('system')
    await db.updateTable('place').set({ displayName: name }).where('id', '=', id).execute()
    await db.updateTable('errorReport').set({ text: 'A value is wrong' }).execute()
    await db.deleteFrom('errorReport').where('placeId', '<>', id).execute()
    await db.updateTable('user').set({ emailVerified: true }).execute()
  })
  afterAll(() => bed.close())

  const params = { placeId: id }
  const admin = () => bed.world.as('organization_admin')
  const system = () => bed.world.as('system')

  /** Answers a new request to join. */
  async function answerJoining(userId: string, answer: 'accept' | 'refuse') {
    const requestId = `join-${userId}`
    await system()
      .db.insertInto('placeRequest')
      .values({
        ...{ id: requestId, kind: 'join', userId, placeId: id, wantedId: null, name: null, timeZone: null },
        ...{ answeredBy: null, answeredAt: null },
      })
      .execute()
    await call(v1.place.joinRequest[answer], admin(), {
      params: { ...params, joinRequestId: requestId },
      data: answer === 'accept' ? { role: 'viewer' } : { reply: 'Not now.' },
    })
  }
  /** Asks to join the place, or for one with its name, and emails those who answer. */
  async function askFor(kind: 'join' | 'new') {
    const newPlace = { placeId: null, wantedId: `${id}-2`, name, timeZone: null }
    const joined = { placeId: id, wantedId: null, name: null, timeZone: null }
    await system()
      .db.insertInto('placeRequest')
      .values({
        ...{ id: `${kind}-request`, kind, userId: 'support', answeredBy: null, answeredAt: null },
        ...(kind === 'new' ? newPlace : joined),
      })
      .execute()
    return emailRequestDigest(system())
  }
  async function triggerAlert() {
    await bed.createObserver({ channels: ['email'], recipients: ['organization_admin'] })
    const minutes = [1, 2, 3, 4, 5, 6]
    await ingest(
      system(),
      'open',
      minutes.map((each) => ({ type: 'noise', minutes: each })),
    )
    await bed.observe()
  }
  async function beLate() {
    await sql`update source set cadence = 'weekly', data_updated_at = now() - interval '60 days'
      where id = 'open'`.execute(system().db)
    await emailLateDataDigest(system())
  }

  test.each<[string, () => Promise<unknown>]>([
    [
      'invites someone',
      () => call(v1.invite.create, admin(), { data: { email: to, role: 'viewer', placeId: id } }),
    ],
    ['is asked by someone to join', () => askFor('join')],
    ['is asked for', () => askFor('new')],
    ['lets someone in', () => answerJoining('none', 'accept')],
    ['does not let someone in', () => answerJoining('stranger', 'refuse')],
    ['has an alert', triggerAlert],
    ['has late data', beLate],
    ['has an error report', () => emailErrorReportDigest(system())],
    [
      'is handed over',
      () =>
        call(v1.place.user.handOver, admin(), {
          params: { ...params, userId: 'member' },
          data: { role: 'organization_admin' },
        }),
    ],
    ['is closed', () => call(v1.place.close, admin(), { params, data: { name } })],
    ['is opened again', () => call(v1.place.reopen, admin(), { params })],
  ])('is called by its name where it %s', async (_event, run) => {
    const { db } = system()
    await db.deleteFrom('mail').execute()
    const before = bed.world.mailbox.letters.length
    await run()
    const received = bed.world.mailbox.letters.slice(0, bed.world.mailbox.letters.length - before)
    // Those that were sent have no text any more.
    const unsentMails = await db
      .selectFrom('mail')
      .select(['subject', 'text'])
      .where('text', '<>', '')
      .execute()
    expect(received.length + unsentMails.length).toBeGreaterThan(0)
    for (const mail of [...received, ...unsentMails]) expectNamed(mail)
  })
})
