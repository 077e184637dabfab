import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import type { Message } from './context.ts'
import { writeSnapshot } from './edge/hub/snapshot.ts'
import worker from './worker.ts'
import type { Env } from './settings.ts'

const env = {
  ...{ ENVIRONMENT: 'production', APP_HOST: 'app.test', PUBLIC_HOST: 'hubs.test', SCHEME: 'https' },
  ...{ AUTH_SECRET: 'x'.repeat(32), MAIL_FROM: 'a@app.test', SUPPORT_URL: 'https://support.test' },
  DATABASE_URL: 'postgres://nobody@db.test/none',
  // No host is anybody's.
  ...{ HUBS: { get: async () => null }, FILES: {}, TILES: {} },
} as unknown as Env
const execution = { waitUntil() {}, passThroughOnException() {} } as unknown as ExecutionContext

/** What the Worker says to an address, which the runtime makes of the Host header as it came. */
const ask = (url: string, bindings = env) => {
  const request = { url, method: 'GET', headers: new Headers() } as Request
  return worker.fetch(request as Parameters<typeof worker.fetch>[0], bindings, execution)
}

test.each(['http://[/', 'http://data.seattle.example:port/', 'http:///', 'no address'])(
  'a Host header that makes no address (%s) is a bad request, not a failure of ours',
  async (url) => {
    const answer = await ask(url)
    expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([400, 'nosniff'])
  },
)

test('a host that is nobody’s gets a page that does nothing, and is asked for https from then on', async () => {
  const answer = await ask('https://nobody.test/.well-known/security.txt')
  expect(answer.status).toBe(404)
  expect(await answer.text()).toContain('There is no hub at this address')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'strict-transport-security': 'max-age=300',
    'x-content-type-options': 'nosniff',
  })
})

test('the workspace insists on https for the hosts below it too, and says where to report a weakness', async () => {
  const answer = await ask('https://app.test/.well-known/security.txt')
  expect(answer.headers.get('strict-transport-security')).toBe('max-age=300; includeSubDomains')
  expect(await answer.text()).toContain('Contact: https://support.test\n')
})

test('a domain of an organization insists on https for as long as it has been connected, whatever is asked', async () => {
  const hubs = memoryBucket()
  const connected = 1000
  const since = { 'city.test': Math.floor(Date.now() / 1000) - connected }
  const snapshot = {
    placeId: 'city',
    isHub: true,
    canonicalHost: 'city.test',
    manifest: 0,
    sources: {},
    since,
  }
  await writeSnapshot(hubs, 'city.test', snapshot)
  const bindings = { ...env, HUBS: hubs, HSTS_SECONDS: '31536000' }
  for (const path of ['/.well-known/security.txt', '/.well-known/hub-place']) {
    const { status, headers } = await ask(`https://city.test${path}`, bindings)
    const [, seconds] = /^max-age=(\d+)$/.exec(headers.get('strict-transport-security') ?? '') ?? []
    expect(status).toBe(200)
    expect(Number(seconds)).toBeGreaterThanOrEqual(connected)
    expect(Number(seconds)).toBeLessThan(connected + 60)
  }
})

describe('messages of the queue', () => {
  type QueueReply = 'ack' | 'retry' | `retry in ${number} s`

  /** What becomes of each message of a batch; the database of this environment does not answer. */
  async function answered(bodies: unknown[]): Promise<(QueueReply | null)[]> {
    const answers: (QueueReply | null)[] = bodies.map(() => null)
    const messages = bodies.map((body, at) => ({
      ...{ id: `message-${at}`, timestamp: new Date(), attempts: 1, body },
      ack: () => void (answers[at] = 'ack'),
      retry: (options?: { delaySeconds?: number }) =>
        void (answers[at] = options?.delaySeconds ? `retry in ${options.delaySeconds} s` : 'retry'),
    }))
    await worker.queue({ messages } as unknown as MessageBatch<Message>, deaf)
    return answers
  }
  const deaf = { ...env, DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none' } as Env
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => {})
  beforeEach(() => void quiet.mockClear())
  afterAll(() => quiet.mockRestore())

  test('what fails comes again, and brings none of the others with it', async () => {
    const bodies = [
      { v: 1, kind: 'jobs' },
      { v: 1, kind: 'exports', sources: [] },
      { v: 1, kind: 'jobs' },
    ]
    expect(await answered(bodies)).toEqual(['retry', 'ack', 'retry'])
  })

  test('what newer code wrote waits for that code; what nobody can read goes, and is told of', async () => {
    expect(await answered([{ v: 2, kind: 'outbox' }, 'poison', null, { v: 1, kind: 'exports' }])).toEqual([
      'retry in 60 s',
      'ack',
      'ack',
      'ack',
    ])
    expect(quiet).toHaveBeenCalledTimes(2)
  })
})
