import { expect, test } from 'vitest'
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
const ask = (url: string) => {
  const request = { url, method: 'GET', headers: new Headers() } as Request
  return worker.fetch(request as Parameters<typeof worker.fetch>[0], env, execution)
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
