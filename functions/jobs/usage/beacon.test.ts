import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { serveBeacon, type BeaconServices } from './beacon.ts'
import { flushHubUsage } from './hub.ts'
import { maxBeaconBytes } from '#functions/shapes/beacon.ts'
import { writeManifest, type ManifestPage } from '#functions/edge/hub/manifest.ts'
import type { Snapshot } from '#functions/edge/hub/snapshot.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

const host = 'data.oakton.test'
const hubs = memoryBucket()
const snapshot: Snapshot = { placeId: 'oakton', isHub: true, canonicalHost: host, manifest: 1, sources: {} }
const beacon = { path: '/', from: 'news.example', device: 'phone', lcp: 1200, cls: 0, inp: 80, ttfb: 90 }
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const now = new Date('2026-03-01T12:00:00Z')

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  const page = (status: number, type = 'text/html; charset=utf-8'): ManifestPage => ({
    ...{ hash: 'h', status, type, styles: [], tags: [], files: [] },
  })
  await writeManifest(hubs, {
    placeId: 'oakton',
    number: 1,
    pages: {
      'en /': page(200),
      'es /': page(200),
      'es /domains': page(200),
      'en /404': page(404),
      'en /feed.atom': page(200, 'application/atom+xml'),
    },
  })
})
afterAll(() => world.close())

const system = () => world.as('system').db
beforeEach(async () => {
  await flushHubUsage(system())
  await system().deleteFrom('hubUsageDay').execute()
})

interface BeaconRequest {
  body?: BodyInit | null
  method?: string
  headers?: Record<string, string>
  cf?: Record<string, unknown>
  limits?: BeaconServices['limits']
}

/** Sends a beacon like a browser, waits for the work after the response, and returns the status. */
async function send({
  body = JSON.stringify(beacon),
  method = 'POST',
  headers = {},
  cf,
  limits = null,
}: BeaconRequest = {}) {
  const work: Promise<void>[] = []
  const request = new Request(`http://${host}/beacon`, {
    method,
    headers: { 'user-agent': browser, 'content-type': 'text/plain;charset=UTF-8', ...headers },
    ...(method === 'GET' ? {} : { body }),
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit)
  Object.defineProperty(request, 'cf', { value: cf })
  const response = await serveBeacon(request, {
    ...{
      snapshot,
      hubs,
      limits,
      now,
      waitUntil: (one) => void work.push(one),
      scheduleFlush: async () => {},
    },
  })
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.text()).toBe('')
  await Promise.all(work)
  return response.status
}

async function readCounts() {
  await flushHubUsage(system())
  const rows = await system()
    .selectFrom('hubUsageDay')
    .select(['dimension', 'name', 'views', 'visits'])
    .orderBy('dimension')
    .orderBy('name')
    .execute()
  return rows.map(({ dimension, name, views, visits }) => `${dimension} ${name}: ${views} ${visits}`)
}

test('a page view is counted once in each dimension', async () => {
  expect(await send({ cf: { country: 'NO', city: 'Oslo' } })).toBe(204)
  expect(await send({ body: JSON.stringify({ path: '/es/domains/', device: 'desktop' }) })).toBe(204)
  expect(await readCounts()).toEqual([
    'all : 2 1',
    'country NO: 1 1',
    'country XX: 1 0',
    'device desktop: 1 0',
    'device phone: 1 1',
    'locale en: 1 1',
    'locale es: 1 0',
    'page /: 1 1',
    'page /domains: 1 0',
    'referrer news.example: 1 1',
  ])
})

test('a referrer on the hub itself begins no visit; an empty one does', async () => {
  await send({ body: JSON.stringify({ ...beacon, from: host }) })
  await send({ body: JSON.stringify({ ...beacon, from: '' }) })
  expect(await readCounts()).toEqual(expect.arrayContaining(['all : 2 1', 'referrer : 1 1']))
})

test('all unknown paths are counted as one, and files for programs are not counted', async () => {
  for (const path of ['/no', '/private/secret-page', '/404', '/constructor', '/toString', '/fr/domains'])
    expect(await send({ body: JSON.stringify({ ...beacon, path }) })).toBe(204)
  await send({ body: JSON.stringify({ ...beacon, path: '/feed.atom' }) })
  const rows = await readCounts()
  expect(rows.filter((row) => row.startsWith('page'))).toEqual(['page 404: 6 6'])
  expect(rows.filter((row) => row.startsWith('locale'))).toEqual([])
})

test('bots, and readers who opt out, get a response and are not counted', async () => {
  const silent: Record<string, string>[] = [
    { 'sec-gpc': '1' },
    { dnt: '1' },
    { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    { 'user-agent': 'curl/8.5.0' },
    { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/130.0 Safari/537.36' },
    { 'user-agent': '' },
  ]
  for (const headers of silent) expect(await send({ headers }), JSON.stringify(headers)).toBe(204)
  expect(await readCounts()).toEqual([])
})

test('an invalid beacon is rejected and not counted', async () => {
  const without = (field: string) => ({ ...beacon, [field]: undefined })
  const bad: unknown[] = [
    ...[null, 7, '', [], {}, [beacon], without('path'), without('device')],
    ...['', 'domains', '/a b', '/?search=me', '/#x', `/${'a'.repeat(500)}`, 7, null, ['/']].map((path) => ({
      ...beacon,
      path,
    })),
    ...['HOST', 'a/b', 'a@b', 'x'.repeat(254), '<b>', 'a b', '*', 7, null].map((from) => ({
      ...beacon,
      from,
    })),
    ...['watch', '', 7, null].map((device) => ({ ...beacon, device })),
    ...[-1, '1', null, 1e9, []].flatMap((n) =>
      ['lcp', 'cls', 'inp', 'ttfb'].map((m) => ({ ...beacon, [m]: n })),
    ),
    { ...beacon, visitor: 'an-id' },
    { ...beacon, __proto__: null, constructor: 1 },
  ]
  for (const body of bad)
    expect([body, await send({ body: JSON.stringify(body) ?? '' })]).toEqual([body, 400])
  for (const body of [
    '',
    '{',
    '{"path":"/"',
    '\0',
    '"\\ud800"',
    '{"path":"/","device":"phone","lcp":NaN}',
    '[[',
  ])
    expect([body, await send({ body })]).toEqual([body, 400])
  expect(await send({ body: new Uint8Array([0xff, 0xfe, 0x80]) })).toBe(400)
  expect(await readCounts()).toEqual([])
})

test('at most 1,000 bytes of a body are read, whatever its content-length', async () => {
  const padded = (bytes: number) => JSON.stringify(beacon).padEnd(bytes)
  expect(await send({ body: padded(maxBeaconBytes) })).toBe(204)
  expect(await send({ body: padded(maxBeaconBytes + 1) })).toBe(413)
  let pulled = 0
  const endless = new ReadableStream<Uint8Array>({
    pull: (to) => to.enqueue(new Uint8Array(100).fill(32 + (pulled++ % 2))),
  })
  expect(await send({ body: endless })).toBe(413)
  expect(pulled).toBeLessThan(20)
})

test('rejects other methods, other sites and senders over the rate limit', async () => {
  expect(await send({ method: 'GET' })).toBe(405)
  expect(await send({ headers: { origin: 'https://evil.example' } })).toBe(403)
  expect(await send({ headers: { origin: 'null' } })).toBe(403)
  expect(await send({ headers: { 'sec-fetch-site': 'cross-site' } })).toBe(403)
  expect(await send({ headers: { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' } })).toBe(204)
  const calls: string[] = []
  const limits = {
    rates: { anonymous: 60, key: 600, heavy: 30 },
    consumeToken: (name: string, who: string) => Promise.resolve(calls.push(`${name} ${who}`) <= 1),
  }
  const headers = { 'cf-connecting-ip': '192.0.2.7', 'x-forwarded-for': '198.51.100.1' }
  expect([await send({ limits, headers }), await send({ limits, headers })]).toEqual([204, 429])
  expect(calls).toEqual(['anonymous beacon 192.0.2.7', 'anonymous beacon 192.0.2.7'])
  // IPv6 addresses are limited by their /64.
  await send({ limits, headers: { 'cf-connecting-ip': '2001:db8:1:2::9' } })
  expect(calls.at(-1)).toBe('anonymous beacon 2001:db8:1:2::/64')
  expect((await readCounts())[0]).toBe('all : 2 2')
})

test('neither IP address nor user agent is stored', async () => {
  await send({
    headers: { 'cf-connecting-ip': '192.0.2.77', cookie: 'a=canary' },
    cf: { city: 'Canarytown' },
  })
  await flushHubUsage(system())
  const rows = JSON.stringify(await system().selectFrom('hubUsageDay').selectAll().execute())
  expect(rows).not.toMatch(/192\.0|Firefox|anary/)
})
