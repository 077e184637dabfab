import { afterAll, beforeAll, expect, test } from 'vitest'
import { observerAction } from './action.server.ts'
import { deadWebhooks } from './observer.server.ts'
import { call } from '#functions/api/call.ts'
import { v1 } from '#functions/v1/index.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  const { db } = world.as('system')
  const of = { placeId: 'oakton', observerId: 'watch' }
  const change = { channels: '["webhook"]', webhookUrl: 'https://hooks.example.org/calls' }
  await db.updateTable('observer').set(change).where('id', '=', of.observerId).execute()
  for (const [i, status] of (['dead', 'dead', 'delivered'] as const).entries()) {
    const alertId = `told-${i}`
    await db
      .insertInto('alert')
      .values({ ...of, id: alertId, title: `Alert ${i}`, datumIds: '[]' })
      .execute()
    const error = status === 'dead' ? 'The server answered 503.' : null
    await db
      .insertInto('delivery')
      .values({ ...of, id: `msg_${i}`, alertId, status, attempts: 10, answered: 503, error })
      .execute()
  }
})
afterAll(() => world.close())

function buildArgs(person: Person, fields: Record<string, string> = {}) {
  const ctx = world.as(person, { placeId: 'oakton' })
  const { origin } = ctx.site
  const init = { method: 'POST', headers: { origin }, body: new URLSearchParams(fields) }
  const request = new Request(`${origin}/types/call/observers/watch`, init)
  const params = { dataTypeId: 'call', observerId: 'watch' }
  return { request, params, context: { ctx, nonce: '' } } as never
}
const dead = async () => {
  const { webhooks, total } = await deadWebhooks(buildArgs('viewer'))
  return { ids: webhooks.map(({ id }) => id).sort(), total, reasons: webhooks.map(({ error }) => error) }
}

test('dead webhooks are shown with the reason, and sent again by people who may change the observer', async () => {
  const reason = 'The server answered 503.'
  expect(await dead()).toEqual({ ids: ['msg_0', 'msg_1'], total: 2, reasons: [reason, reason] })
  expect(await observerAction(buildArgs('viewer', { intent: 'resendAll' }))).toMatchObject({
    ok: false,
    status: 403,
  })
  const one = buildArgs('organization_admin', { intent: 'resend', webhookId: 'msg_0' })
  expect(await observerAction(one)).toMatchObject({ ok: true, result: { count: 1 } })
  expect(await dead()).toMatchObject({ ids: ['msg_1'], total: 1 })
  const all = buildArgs('organization_admin', { intent: 'resendAll' })
  expect(await observerAction(all)).toMatchObject({ ok: true, result: { count: 1 } })
  expect(await dead()).toMatchObject({ ids: [], total: 0 })
})

test('marking alerts as read works when some are gone, and is idempotent', async () => {
  const listUnreadIds = async () => {
    const ctx = world.as('viewer')
    const params = { placeId: 'oakton', observerId: 'watch' }
    const alerts = await call(v1.place.observer.alert.find, ctx, { params })
    return alerts?.results.flatMap(({ id, read }) => (read ? [] : [id])).sort()
  }
  const read = (ids: string) => observerAction(buildArgs('viewer', { intent: 'read', unread: ids }))
  const before = await listUnreadIds()
  expect(before).toEqual(expect.arrayContaining(['told-0', 'told-1', 'told-2']))
  // One was put away by someone else since the screen was opened.
  await world
    .as('system')
    .db.updateTable('alert')
    .set({ deletedAt: new Date() })
    .where('id', '=', 'told-0')
    .execute()
  const both = await Promise.all([read('told-0,told-1'), read('told-0,told-1')])
  expect(both).toMatchObject([{ ok: true }, { ok: true }])
  expect(await listUnreadIds()).not.toContain('told-1')
  expect(await read('told-1')).toMatchObject({ ok: true })
  expect(await read('')).toMatchObject({ ok: true })
  expect(await read('told-0')).toMatchObject({ ok: false, message: 'It is not there any more.' })
  expect(await listUnreadIds()).toContain('told-2')
})
