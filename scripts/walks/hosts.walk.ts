import { expect, inject, test } from 'vitest'
import { ask, hubPaths, hubs, type Answer } from './ask.ts'
import { fillRoute, createRoleCookies, mainRoutes, plantParameters } from './main-routes.ts'

/** Names of our service providers, which an organization's address must not reveal. */
const vendors =
  /cloudflare|workers\.dev|workerd|miniflare|\br2\.dev|neon\.tech|neondb|amazonaws|vercel|netlify/i
const telling = /^(?:server|via|x-powered-by|cf-.*|x-amz-.*|x-served-by|x-cache)$/

function findLeaks(path: string, { headers, text }: Answer): string[] {
  const tellingHeaders = Object.entries(headers).filter(
    ([name, value]) => telling.test(name) || vendors.test(`${name}: ${String(value)}`),
  )
  const body = vendors.exec(text)?.[0]
  return [
    ...tellingHeaders.map(([name]) => `${path} header ${name}`),
    ...(body ? [`${path} says ${body}`] : []),
  ]
}

test('no page, file, answer or error of a hub names a service provider', async () => {
  const { host } = hubs.seattle
  const paths = await hubPaths(host)
  const { text } = await ask('/', { host })
  const files = [...text.matchAll(/(?:href|src)="(\/(?:f|hub|assets|fonts)\/[^"]+)"/g)].map(
    ([, path]) => path ?? '',
  )
  const rejectedPaths = [
    '/no/such/page',
    '/f/nothing.json',
    '/v1/nothing',
    '/v1/places/seattle-wa/sources?limit=x',
    '/.well-known/hub-place',
    '/%00',
    '/m/nothing',
    '/s/nothing',
  ]
  const allPaths = [
    ...paths,
    ...files,
    '/robots.txt',
    '/sitemap.xml',
    '/v1/places/seattle-wa',
    ...rejectedPaths,
  ]
  const leaks: string[] = []
  for (const path of allPaths) leaks.push(...findLeaks(path, await ask(path, { host })))
  for (const method of ['POST', 'DELETE', 'OPTIONS'])
    leaks.push(...findLeaks(`${method} /`, await ask('/', { host, method })))
  leaks.push(...findLeaks('nobody', await ask('/', { host: 'nobody.localhost' })))
  expect(leaks).toEqual([])
  expect(allPaths.length).toBeGreaterThan(20)
})

test('a host confirms whose hub it is, to verify that a domain points here', async () => {
  for (const host of [
    'data.seattle.localhost',
    'seattle-wa.localhost',
    'Data.Seattle.LOCALHOST',
    'data.seattle.localhost.',
  ]) {
    const { status, text, headers } = await ask('/.well-known/hub-place', { host })
    expect([host, status, text, headers['cache-control']]).toEqual([host, 200, 'seattle-wa', 'no-store'])
  }
  const closedHub = await ask('/.well-known/hub-place', { host: 'world.localhost' })
  expect([closedHub.status, closedHub.headers.location]).toEqual([
    302,
    `http://localhost:${inject('port')}/explore`,
  ])
})

/** Requests that other sites can make a browser send with the session of the signed-in person. */
const forged: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'no address' },
  { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
  { origin: 'https://evil.example', 'content-type': 'text/plain' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://evil.example', 'x-http-method-override': 'DELETE' },
]

test('rejects a form sent by another site before any screen handles it, and changes nothing', async () => {
  const cookie = await createRoleCookies('organization_admin')
  const parameters = await plantParameters()
  const lines = async () => {
    const { text } = await ask('/v1/places/seattle-wa/activities?limit=1', { headers: { cookie } })
    return (JSON.parse(text) as { meta: { total: number } }).meta.total
  }
  const before = await lines()
  let requestCount = 0
  for (const route of mainRoutes)
    for (const path of [fillRoute(route, parameters), `${fillRoute(route, parameters)}.data`])
      for (const headers of forged) {
        const body = 'intent=delete&email=a%40b.example'
        const formHeaders = { 'content-type': 'application/x-www-form-urlencoded', ...headers, cookie }
        const { status, text } = await ask(path, { method: 'POST', headers: formHeaders, body })
        expect([path, headers, status, text]).toEqual([
          path,
          headers,
          403,
          'This request came from another site.\n',
        ])
        requestCount += 1
      }
  expect(await lines()).toBe(before)
  // The same form from our own page reaches the screen, which finds it incomplete.
  const own = {
    cookie,
    origin: `http://localhost:${inject('port')}`,
    'content-type': 'application/x-www-form-urlencoded',
  }
  const { status } = await ask('/logout', { method: 'POST', headers: own, body: '' })
  expect(status).toBe(400)
  expect(requestCount).toBeGreaterThan(1000)
})

test('headers that claim another host have no effect', async () => {
  const headers = {
    origin: `http://localhost:${inject('port')}`,
    'x-forwarded-host': 'evil.example',
    'content-type': 'application/x-www-form-urlencoded',
  }
  const { status } = await ask('/login', { method: 'POST', headers, body: 'email=a%40b.example' })
  expect(status).toBe(400)
})

test('every answer forbids type sniffing, and says where to report a vulnerability', async () => {
  const { host } = hubs.seattle
  const paths = [
    '/',
    '/no/such/page',
    '/beacon',
    '/v1',
    '/v1/nothing',
    '/.well-known/hub-place',
    '/t/none',
    '/oembed',
  ]
  const hosts = [host, 'localhost', 'nobody.localhost', 'world.localhost']
  for (const [each, path] of hosts.flatMap((each) => paths.map((path) => [each, path] as const))) {
    const { headers } = await ask(path, { host: each })
    expect([each, path, headers['x-content-type-options']]).toEqual([each, path, 'nosniff'])
  }
  expect((await ask('/', { host: 'nobody.localhost' })).headers['content-security-policy']).toContain(
    "default-src 'none'",
  )
  for (const each of [host, 'localhost', 'world.localhost']) {
    const { status, text } = await ask('/.well-known/security.txt', { host: each })
    expect([each, status]).toEqual([each, 200])
    expect(text).toMatch(/^Contact: \S+\nExpires: \d{4}-/)
  }
})
