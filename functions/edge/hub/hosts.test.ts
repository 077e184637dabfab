import { beforeAll, expect, test } from 'vitest'
import { writeSnapshot } from './snapshot.ts'
import worker from '#functions/worker.ts'
import type { Env } from '#functions/settings.ts'
import { memoryBucket } from '#db/worlds/ports.ts'

/** The Worker with its own storage; the platform itself is not present. */
const hubs = memoryBucket()
const env = {
  ...{ HUBS: hubs, FILES: memoryBucket(), TILES: memoryBucket() },
  ASSETS: { fetch: async () => new Response('Not Found', { status: 404 }) },
  ...{ ENVIRONMENT: 'production', APP_HOST: 'app.test', PUBLIC_HOST: 'hubs.test', SCHEME: 'https' },
  AUTH_SECRET: 'a secret that only tests know, long enough',
  ...{ MAIL_FROM: 'a@app.test', SUPPORT_URL: 'https://help.test', DATABASE_URL: 'postgres://a:b@db.test/c' },
} as unknown as Env
const execution = { waitUntil: () => {}, passThroughOnException: () => {} } as unknown as ExecutionContext

const ask = (url: string, init?: RequestInit) => worker.fetch(new Request(url, init) as never, env, execution)

beforeAll(async () => {
  const snapshot = { placeId: 'oakton', isHub: true, canonicalHost: 'city.org', manifest: 0, sources: {} }
  for (const host of ['oakton.hubs.test', 'city.org']) await writeSnapshot(hubs, host, snapshot)
  await writeSnapshot(hubs, 'www.city.org', { redirect: 'city.org' })
  await writeSnapshot(hubs, 'xn--bcher-kva.org', { ...snapshot, canonicalHost: 'xn--bcher-kva.org' })
  await writeSnapshot(hubs, 'closed.org', { ...snapshot, isHub: false })
  await writeSnapshot(hubs, 'www.closed.org', { redirect: 'closed.org' })
})

const whose = '/.well-known/hub-place'

test.each([
  'https://city.org',
  'https://CITY.org',
  'https://city.org.',
  'https://city.org:443',
  'https://city.org:8443',
  'https://oakton.hubs.test',
  'https://bücher.org',
  'https://xn--bcher-kva.org',
  'https://BÜCHER.org',
])("%s is the place's host", async (origin) => {
  const response = await ask(`${origin}${whose}`)
  expect([response.status, await response.text()]).toEqual([200, 'oakton'])
})

test.each([
  'https://[2001:db8::1]',
  'https://93.184.216.34',
  'https://*.city.org',
  'https://city.org..',
  'https://a.city.org',
  'https://www.oakton.hubs.test',
  'https://oakton.hubs.test.evil.org',
  `https://${'a.'.repeat(140)}org`,
  'https://city_.org',
  'https://xn--80ak6aa92e.org',
])('%s is unknown, and the response is not cached', async (origin) => {
  const response = await ask(`${origin}/`)
  expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store'])
})

test.each([
  ['https://www.city.org/', 'https://city.org/'],
  ['https://WWW.city.org./a/b?x=1&x=2&y=%2F', 'https://city.org/a/b?x=1&x=2&y=%2F'],
  [
    'https://www.city.org//evil.org/..%2f?u=https://evil.org',
    'https://city.org//evil.org/..%2f?u=https://evil.org',
  ],
  ['https://www.city.org/v1/places', 'https://city.org/v1/places'],
])('%s redirects to %s', async (from, to) => {
  for (const method of ['GET', 'HEAD', 'POST']) {
    const response = await ask(from, { method })
    expect([response.status, response.headers.get('location')]).toEqual([308, to])
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
  }
})

test('a place without a hub redirects to the workspace, also with www', async () => {
  const response = await ask('https://closed.org/datastories')
  expect([response.status, response.headers.get('location'), response.headers.get('cache-control')]).toEqual([
    302,
    'https://app.test/explore',
    'no-store',
  ])
  expect((await ask('https://www.closed.org/')).headers.get('location')).toBe('https://closed.org/')
})

test('other headers about the host have no effect', async () => {
  for (const name of ['x-forwarded-host', 'x-original-host', 'forwarded', 'x-host', 'x-original-url']) {
    const response = await ask(`https://nobody.org${whose}`, { headers: { [name]: 'city.org' } })
    expect([name, response.status]).toEqual([name, 404])
  }
})

/** Names of platforms and vendors, which responses on an organization's domain must not reveal. */
const vendors = /cloudflare|workers\.dev|workerd|miniflare|\br2\b|neon|postgres|amazonaws/i

test('no response reveals the hosting platform', async () => {
  const paths = [
    '/',
    whose,
    '/no/such/page',
    '/f/none.json',
    '/assets/none.js',
    '/m/none',
    '/s/none',
    '/robots.txt',
  ]
  for (const host of ['city.org', 'www.city.org', 'nobody.org', 'closed.org'])
    for (const path of paths)
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const response = await ask(`https://${host}${path}`, { method })
        const responseText = JSON.stringify([...response.headers]) + (await response.text())
        expect(`${method} ${host}${path}: ${vendors.exec(responseText)?.[0] ?? ''}`).toBe(
          `${method} ${host}${path}: `,
        )
        expect(
          [...response.headers.keys()].filter((name) => /^(?:server|via|x-powered-by|cf-)/.test(name)),
        ).toEqual([])
        expect(response.status).not.toBe(500)
      }
})
