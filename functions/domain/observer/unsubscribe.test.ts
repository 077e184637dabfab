import { afterAll, beforeAll, expect, test } from 'vitest'
import { countAggregation, openObserverFixture, type ObserverFixture } from './testing.ts'
import { stopToken, subscription, unsubscribe } from './unsubscribe.ts'
import { deliverMail, postBy } from '#functions/domain/identity/deliver-mail.ts'
import * as observers from './observers.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { tablesWith } from '#db/tables-with.testing.ts'
import { settings } from '#db/worlds/world.ts'
import type { Settings } from '#functions/context.ts'

let bed: ObserverFixture
beforeAll(async () => {
  bed = await openObserverFixture()
})
afterAll(() => bed.close())

const db = () => bed.world.as('system').db
const createObserver = (recipients: string[]) =>
  bed.createObserver({
    name: 'Calls\r\nBcc: x@example.com <b>',
    channels: ['email'],
    recipients,
    condition: { operator: 'gt', aggregation: countAggregation, value: 0 },
  })
const buildRequest = (observerId: string, token: string, placeId = 'oakton') => ({
  params: { placeId, observerId },
  options: { token },
  data: undefined,
  placeId: null,
})
const stop = (observerId: string, token: string, placeId?: string) =>
  unsubscribe(bed.world.as('anonymous'), buildRequest(observerId, token, placeId))
const readObserver = (id: string) =>
  db().selectFrom('observer').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const tokenIn = (header: string | undefined) =>
  new URL(/^<(.*)>$/.exec(header ?? '')?.[1] ?? '').searchParams.get('token') ?? ''
const isRefused = { kind: 'invalid', issues: [{ path: ['token'] }] }

test('an email goes to each recipient who is still a member, and can be stopped by one click', async () => {
  await db().deleteFrom('mail').execute()
  const { id } = await createObserver(['viewer', 'member', 'content_admin'])
  await db().deleteFrom('placeUser').where('userId', '=', 'content_admin').execute()
  await ingest(bed.world.as('system'), 'open', [{ minutes: 1 }])
  await bed.observe()
  await bed.requeueEvents()
  await bed.observe()
  const letters = await db().selectFrom('mail').select(['to', 'subject', 'text', 'html']).execute()
  expect(letters.map(({ to }) => to).sort()).toEqual(['member@example.com', 'viewer@example.com'])
  for (const { subject, html, text } of letters) {
    expect(subject).toBe('Alert: Calls Bcc: x@example.com <b>')
    expect(html).not.toContain('<b>')
    expect(html).toContain('&#60;b&#62;: 1 is above 0')
    const alert = await db()
      .selectFrom('alert')
      .select('id')
      .where('observerId', '=', id)
      .executeTakeFirstOrThrow()
    expect(text).toContain(
      `http://localhost:8787/types/call/observers/${id}?alert=${alert.id}&placeId=oakton\n`,
    )
    expect(text).toContain('\nOrganization: Oakton\nData type: Call\n')
    expect(text).toMatch(/\nCondition: .+ is more than 0\nValue: 1\n/)
    expect(text).toContain('Stop these emails:\nhttp://localhost:8787/places/oakton/observers/')
    expect(text).toMatch(/unsubscribe\?token=\{token\}\n$/)
  }
  const posted: { to: string; headers?: Record<string, string> }[] = []
  const provider = { endpoint: 'https://mail.test/', token: 't', from: 'x' }
  const send = (_url: unknown, init?: RequestInit) => {
    posted.push(JSON.parse(String(init?.body)) as (typeof posted)[number])
    return Promise.resolve(new Response('{}'))
  }
  await deliverMail(bed.world.as('system'), postBy(provider, send))
  const email = posted.find(({ to }) => to === 'viewer@example.com')
  expect(email?.headers).toMatchObject({ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' })
  const token = tokenIn(email?.headers?.['List-Unsubscribe'])
  // The signed link is stored nowhere, before and after sending, and neither is its key.
  expect(await tablesWith(db(), token)).toEqual([])
  expect(await tablesWith(db(), token.split('.')[1] ?? '')).toEqual([])
  const name = 'Calls\r\nBcc: x@example.com <b>'
  // Opening the link changes nothing, because mail programs open links too.
  const currentSubscription = await subscription(bed.world.as('anonymous'), buildRequest(id, token))
  expect(currentSubscription).toEqual({ observerId: id, name, isRecipient: true })
  expect((await readObserver(id)).recipients).toEqual(['viewer', 'member', 'content_admin'])
  expect(await stop(id, token)).toEqual({ observerId: id, name, isRecipient: false })
  expect(await readObserver(id)).toMatchObject({
    recipients: ['member', 'content_admin'],
    channels: ['email'],
    version: 2,
  })
  // The link used again changes nothing.
  expect(await stop(id, token)).toMatchObject({ isRecipient: false })
  expect((await readObserver(id)).version).toBe(2)
  const storedEmails = await db().selectFrom('mail').select('headers').execute()
  expect(storedEmails.map(({ headers }) => headers)).toEqual([null, null])
})

test('when the last recipient unsubscribes emails stop, and the observer can still be changed', async () => {
  const { id } = await createObserver(['viewer'])
  const letters = { placeId: 'oakton', observerId: id, userId: 'viewer' }
  await stop(id, await stopToken(settings.authSecret, letters, new Date()))
  expect(await readObserver(id)).toMatchObject({ recipients: [], channels: [] })
  const updatedObserver = await observers.updateById(bed.world.as('organization_admin'), {
    params: { placeId: 'oakton', observerId: id },
    options: {},
    placeId: 'oakton',
    data: { name: 'Other' },
  })
  expect(updatedObserver).toMatchObject({ name: 'Other' })
})

test('a link signed with the previous secret works while it is accepted', async () => {
  const { id } = await createObserver(['viewer', 'member'])
  const letters = { placeId: 'oakton', observerId: id, userId: 'viewer' }
  const token = await stopToken(settings.authSecret, letters, new Date())
  const fresh = { ...settings, authSecret: 'the secret that comes in its place, long enough' }
  const readSubscription = (its: Settings) =>
    subscription(bed.world.as('anonymous', { settings: its }), buildRequest(id, token))
  expect(await readSubscription({ ...fresh, previousAuthSecret: settings.authSecret })).toMatchObject({
    isRecipient: true,
  })
  await expect(readSubscription(fresh)).rejects.toMatchObject(isRefused)
})

test('a forged, foreign or expired link does nothing', async () => {
  const { id } = await createObserver(['viewer', 'member'])
  const { id: other } = await createObserver(['viewer', 'member'])
  const letters = { placeId: 'oakton', observerId: id, userId: 'viewer' }
  const createToken = (of: Partial<typeof letters>, at = new Date(), secret = settings.authSecret) =>
    stopToken(secret, { ...letters, ...of }, at)
  const good = await createToken({})
  const [expires = '', sign = ''] = good.split('.')
  const late = String(Number(expires) + 1)
  for (const token of [
    '',
    'x',
    `${expires}.${sign}.member`,
    `${late}.${sign}.viewer`,
    `${expires}.${sign.replace(/^./, (character) => (character === 'A' ? 'B' : 'A'))}.viewer`,
    `${expires}.${sign}.%E0%A4%A`,
    await createToken({ observerId: other }),
    await createToken({ placeId: 'elmsford' }),
    await createToken({}, new Date(), 'another secret, just as long as that one'),
    await createToken({}, new Date(Date.now() - 91 * 86_400_000)),
  ]) {
    await expect(stop(id, token), token).rejects.toMatchObject(isRefused)
    await expect(subscription(bed.world.as('anonymous'), buildRequest(id, token))).rejects.toMatchObject(
      isRefused,
    )
  }
  await expect(stop(id, good, 'elmsford')).rejects.toMatchObject(isRefused)
  for (const each of [id, other]) expect((await readObserver(each)).recipients).toEqual(['viewer', 'member'])
  expect(await stop(id, await createToken({}, new Date(Date.now() - 89 * 86_400_000)))).toMatchObject({
    isRecipient: false,
  })
  await db().updateTable('observer').set({ deletedAt: new Date() }).where('id', '=', id).execute()
  expect(await stop(id, good)).toBeUndefined()
})
