import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { find, resend } from './deliveries.ts'
import { maxTries } from './deliver.ts'
import { observe } from './observe.ts'
import { countAggregation, openObserverFixture, type ObserverFixture } from './testing.ts'
import { buildSignedHeaders } from './webhook.ts'
import * as observers from './observers.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { wipe } from '#functions/domain/records/remove.ts'
import { hasRealPostgres } from '#db/testing.ts'

const origin = 'https://hooks.example.org'
let bed: ObserverFixture
/** The requests that the server received, and its responses. */
let bodies: string[] = []
let requests: IncomingMessage[] = []
let answers: (number | 'hang up')[] = []

beforeAll(async () => {
  bed = await openObserverFixture()
})
afterAll(() => bed.close())
beforeEach(async () => {
  const { db } = bed.world.as('system')
  await db.updateTable('observer').set({ deletedAt: new Date() }).execute()
  await wipe(bed.world.as('system'), 'open')
  await bed.observe()
  ;[bodies, answers] = [[], []]
  bed.net.names.clear()
  requests = await bed.net.serve(origin, (request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      bodies.push(body)
      const answer = answers.shift() ?? 204
      if (answer === 'hang up') return response.destroy()
      return response.writeHead(answer, { location: `${origin}/elsewhere` }).end()
    })
  })
})

const watching = (webhookUrl = `${origin}/in`) =>
  bed.createObserver({
    channels: ['webhook'],
    webhookUrl,
    condition: { operator: 'gt', aggregation: countAggregation, value: 1 },
  })
const ring = async () => {
  await ingest(bed.world.as('system'), 'open', [{ minutes: 1 }, { minutes: 2 }])
  await bed.observe()
}
const findDeliveries = async (observerId: string) =>
  (
    await find(bed.world.as('viewer'), {
      params: { placeId: 'oakton', observerId },
      options: {},
      data: undefined,
      placeId: 'oakton',
    })
  )?.results

const resendWebhooks = (observerId: string, ids?: string[]) =>
  resend(bed.world.as('organization_admin'), {
    params: { placeId: 'oakton', observerId },
    options: {},
    data: { ...(ids && { ids }) },
    placeId: 'oakton',
  })

test('a webhook is signed so that its receiver can verify it, and contains the alert and its recovery', async () => {
  const { id, secret } = await watching()
  await ring()
  await wipe(bed.world.as('system'), 'open')
  await bed.observe()
  expect(requests).toHaveLength(2)
  const events = bodies.map((body) => JSON.parse(body) as Record<string, unknown>)
  expect(events).toMatchObject([
    {
      type: 'observer.fired',
      data: {
        placeId: 'oakton',
        observer: { id, name: 'Calls', dataTypeId: 'call' },
        alert: { kind: 'alert', title: 'Calls: 2 is above 1', value: 2, threshold: 1, datumIds: [] },
      },
    },
    { type: 'observer.recovered', data: { alert: { kind: 'recovery', value: 0 } } },
  ])
  for (const [i, { headers }] of requests.entries()) {
    const [webhookId, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']]
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const right = createHmac('sha256', key).update(`${webhookId}.${timestamp}.${bodies[i]}`).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${right}`)
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60)
    expect(headers['content-type']).toBe('application/json')
  }
  expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
  expect(await findDeliveries(id)).toMatchObject([
    { status: 'delivered', attempts: 1, answered: 204, error: null },
    { status: 'delivered', attempts: 1 },
  ])
})

test('matches the example of the Standard Webhooks specification', async () => {
  const headers = await buildSignedHeaders(
    {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      url: '',
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      body: '{"test": 2432232314}',
    },
    new Date(1614265330 * 1000),
  )
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('failures are retried with backoff, under the same id, up to a limit', async () => {
  answers = [500, 'hang up', 302, 204]
  const { id } = await watching()
  await ring()
  expect(await findDeliveries(id)).toMatchObject([
    { status: 'waiting', attempts: 1, answered: 500, error: 'The server answered 500.' },
  ])
  await bed.observe()
  expect(requests).toHaveLength(1)
  const gaps: number[] = []
  for (const wait of ['6 seconds', '6 minutes', '31 minutes']) {
    await bed.wait(wait)
    const before = Date.now()
    await bed.observe()
    const [delivery] = (await findDeliveries(id)) ?? []
    gaps.push(((delivery?.dueAt as Date).getTime() - before) / 1000)
  }
  expect(gaps[0]).toBeGreaterThan(290)
  expect(gaps[1]).toBeGreaterThan(1700)
  // The redirect was not followed.
  expect(requests.map(({ url }) => url)).toEqual(['/in', '/in', '/in', '/in'])
  expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(await findDeliveries(id)).toMatchObject([{ status: 'delivered', attempts: 4, answered: 204 }])
  await bed.wait('10 days')
  await bed.observe()
  expect(requests).toHaveLength(4)
})

test('after the last retry it is marked as dead, visibly', async () => {
  answers = Array<number>(50).fill(503)
  const { id } = await watching()
  await ring()
  for (let i = 0; i < maxTries + 3; i++) {
    await bed.wait('1 day 1 minute')
    await bed.observe()
  }
  expect(requests).toHaveLength(maxTries)
  expect(await findDeliveries(id)).toMatchObject([{ status: 'dead', attempts: maxTries, answered: 503 }])
})

test.each([
  ['that is gone', 410, 1, 'The server answered 410.'],
  ['of a private address', null, 0, 'The address must not lead into a private network.'],
])('a server %s is not called again', async (what, answer, calls, error) => {
  if (answer) answers = [answer]
  else bed.net.names.set('hooks.example.org', ['93.184.216.34', '10.0.0.1'])
  const { id } = await watching()
  await ring()
  await bed.wait('1 day')
  await bed.observe()
  expect(requests, what).toHaveLength(calls)
  expect(await findDeliveries(id)).toMatchObject([{ status: 'dead', attempts: 1, answered: answer, error }])
})

test('a dead webhook can be sent again, to the current address, with all retries anew', async () => {
  answers = [410]
  const { id } = await watching()
  await ring()
  const [dead] = (await findDeliveries(id)) ?? []
  expect(dead).toMatchObject({ status: 'dead', attempts: 1, answered: 410 })
  expect(await resendWebhooks(id, ['msg_another'])).toEqual({ count: 0 })
  answers = [500, 204]
  await observers.updateById(bed.world.as('organization_admin'), {
    params: { placeId: 'oakton', observerId: id },
    options: {},
    placeId: 'oakton',
    data: { webhookUrl: `${origin}/moved` },
  })
  expect(await resendWebhooks(id, [String(dead?.id)])).toEqual({ count: 1 })
  expect(await resendWebhooks(id)).toEqual({ count: 0 })
  await bed.observe()
  expect(await findDeliveries(id)).toMatchObject([{ status: 'waiting', attempts: 1, answered: 500 }])
  await bed.wait('6 seconds')
  await bed.observe()
  expect(requests.map(({ url }) => url)).toEqual(['/in', '/moved', '/moved'])
  expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(await findDeliveries(id)).toMatchObject([{ status: 'delivered', attempts: 2, answered: 204 }])
  expect(await resendWebhooks(id)).toEqual({ count: 0 })
})

test('all of an observer are sent again at once; not without a webhook, nor those of another observer', async () => {
  answers = [410, 410, 410]
  const { id } = await watching()
  const other = await watching()
  await ring()
  expect(await resendWebhooks(id)).toEqual({ count: 1 })
  expect(await findDeliveries(other.id)).toMatchObject([{ status: 'dead' }])
  expect(await resendWebhooks('nobody')).toBeUndefined()
  await observers.updateById(bed.world.as('organization_admin'), {
    params: { placeId: 'oakton', observerId: other.id },
    options: {},
    placeId: 'oakton',
    data: { channels: [] },
  })
  await expect(resendWebhooks(other.id)).rejects.toMatchObject({ kind: 'conflict' })
})

test('webhooks of a deleted alert are neither listed nor sent again', async () => {
  answers = [410]
  const { id } = await watching()
  await ring()
  expect(await findDeliveries(id)).toHaveLength(1)
  const { db } = bed.world.as('system')
  await db.updateTable('alert').set({ deletedAt: new Date() }).where('observerId', '=', id).execute()
  expect(await findDeliveries(id)).toEqual([])
  expect(await resendWebhooks(id)).toEqual({ count: 0 })
})

test('does not call an address whose name becomes private between two tries', async () => {
  answers = [500]
  bed.net.names.set('hooks.example.org', [['93.184.216.34'], ['127.0.0.1']])
  const { id } = await watching()
  await ring()
  await bed.wait('1 minute')
  await bed.observe()
  expect(requests).toHaveLength(1)
  expect(await findDeliveries(id)).toMatchObject([{ status: 'dead', attempts: 2 }])
})

test.each(['http://169.254.169.254/', 'http://127.0.0.1:8080/x', 'https://metadata.google.internal/'])(
  'nor %s, however it got there',
  async (webhookUrl) => {
    const { id } = await watching()
    await bed.world.as('system').db.updateTable('observer').set({ webhookUrl }).where('id', '=', id).execute()
    await ring()
    expect(await findDeliveries(id)).toMatchObject([{ status: 'dead', answered: null }])
    expect(requests).toHaveLength(0)
  },
)

test('sends nothing for a deleted observer, or one without recipients', async () => {
  answers = [500]
  const { id } = await watching()
  await ring()
  await observers.updateById(bed.world.as('organization_admin'), {
    params: { placeId: 'oakton', observerId: id },
    options: {},
    placeId: 'oakton',
    data: { channels: [] },
  })
  await bed.wait('1 minute')
  await bed.observe()
  expect(requests).toHaveLength(1)
  expect(await findDeliveries(id)).toMatchObject([{ status: 'dead' }])
})

test.skipIf(!hasRealPostgres)('many concurrent senders call once', async () => {
  for (let i = 0; i < 10; i++) await watching()
  await ingest(bed.world.as('system'), 'open', [{ minutes: 1 }, { minutes: 2 }])
  await Promise.all(Array.from({ length: 4 }, () => observe(bed.world.as('system'), bed.net.ports)))
  await bed.observe()
  expect(requests).toHaveLength(10)
})
