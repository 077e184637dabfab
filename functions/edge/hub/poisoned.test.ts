import { beforeAll, expect, test } from 'vitest'
import type { HubPath } from './hub-pages.ts'
import { prerender } from '#functions/jobs/publish/prerender.ts'
import { writeSnapshot } from './snapshot.ts'
import worker from '#functions/worker.ts'
import type { Env } from '#functions/settings.ts'
import type { Locale } from '#functions/shapes/locale.ts'
import { memoryBucket } from '#db/worlds/ports.ts'

/** The Worker with a stored hub: one request must not affect the response to the next. */
const hubs = memoryBucket()
const env = {
  ...{ HUBS: hubs, FILES: memoryBucket(), TILES: memoryBucket() },
  ASSETS: { fetch: async () => new Response('Not Found', { status: 404 }) },
  ...{ ENVIRONMENT: 'production', APP_HOST: 'app.test', PUBLIC_HOST: 'hubs.test', SCHEME: 'https' },
  AUTH_SECRET: 'a secret that only tests know, long enough',
  ...{ MAIL_FROM: 'a@app.test', SUPPORT_URL: 'https://help.test', DATABASE_URL: 'postgres://a:b@db.test/c' },
} as unknown as Env
const execution = { waitUntil: () => {}, passThroughOnException: () => {} } as unknown as ExecutionContext

const paths: HubPath[] = [
  { path: '/', status: 200, kind: 'page' },
  { path: '/about', status: 200, kind: 'page' },
  { path: '/home', status: 200, kind: 'page' },
  { path: '/404', status: 404, kind: 'page' },
  { path: '/sitemap.xml', status: 200, kind: 'file' },
]
const clean = [
  '/',
  '/about',
  '/es/about',
  '/home',
  '/nowhere',
  '/sitemap.xml',
  '/about/',
  '/.well-known/hub-place',
]

interface TestRequest {
  path?: string
  host?: string
  method?: string
  headers?: Record<string, string>
  /** Also for a GET. */
  body?: string
}

async function ask({ path = '/about', host = 'city.test', method = 'GET', headers = {}, body }: TestRequest) {
  const isFat = body !== undefined
  const request = new Request(`https://${host}${path}`, {
    ...{ method: isFat ? 'POST' : method, headers },
    ...(isFat ? { body } : {}),
  })
  if (isFat) Object.defineProperty(request, 'method', { value: method })
  const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], env, execution)
  return { status: response.status, headers: [...response.headers], text: await response.text() }
}

const cleanReads = async () => {
  const answers = await Promise.all(clean.map((path) => ask({ path })))
  return JSON.stringify([...answers, await ask({ path: '/about', host: 'www.city.test' })])
}

let baseline: string
beforeAll(async () => {
  const job = { placeId: 'oakton', paths, current: 0, staleTags: null, allocate: async () => 1 }
  const visit = async (path: string, languages: readonly Locale[]) =>
    languages.map((locale) => ({
      ...{ locale, type: 'text/html', tags: [], files: [] },
      status: path === '/404' ? 404 : 200,
      body: `${locale} ${path}`,
    }))
  await prerender(job, visit, { hubs, log: () => {} })
  const snapshot = { placeId: 'oakton', isHub: true, canonicalHost: 'city.test', manifest: 1, sources: {} }
  await writeSnapshot(hubs, 'city.test', snapshot)
  await writeSnapshot(hubs, 'www.city.test', { redirect: 'city.test' })
  baseline = await cleanReads()
})

const evil = 'evil.example'
const withHeader = (name: string, value: string): TestRequest => ({ headers: { [name]: value } })

const variants: TestRequest[] = [
  // Host headers of proxies.
  ...[
    'host',
    'x-forwarded-host',
    'x-host',
    'x-original-host',
    'x-forwarded-server',
    'x-http-host-override',
  ].map((name) => withHeader(name, evil)),
  ...['forwarded', 'via'].map((name) => withHeader(name, `1.1 ${evil};host=${evil};proto=http`)),
  ...['x-forwarded-proto', 'x-forwarded-scheme', 'x-url-scheme'].map((name) => withHeader(name, 'http')),
  ...['x-forwarded-port', 'x-forwarded-ssl', 'front-end-https'].map((name) => withHeader(name, '1')),
  ...['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip'].map((name) =>
    withHeader(name, '203.0.113.7'),
  ),
  withHeader('x-forwarded-prefix', `//${evil}`),
  { host: evil },
  { host: `city.test.${evil}` },
  { host: 'city.test:8443' },
  { host: 'CITY.test.' },
  { host: 'www.city.test', headers: { 'x-forwarded-host': evil } },
  // Headers that override path or method.
  ...['x-original-url', 'x-rewrite-url', 'x-override-url'].map((name) => withHeader(name, '/nowhere')),
  ...['x-http-method-override', 'x-http-method', 'x-method-override'].map((name) => withHeader(name, 'HEAD')),
  { method: 'HEAD' },
  { method: 'OPTIONS', headers: { origin: `https://${evil}`, 'access-control-request-method': 'PUT' } },
  { method: 'POST', body: 'x' },
  { method: 'PURGE' },
  // Values of content negotiation.
  ...['*/*;q=0', 'application/json', 'text/x-component', `text/${evil}`, ','].map((value) =>
    withHeader('accept', value),
  ),
  ...[`https://${evil}`, 'null', 'https://city.test'].map((value) => withHeader('origin', value)),
  withHeader('accept-language', 'ar'),
  withHeader('accept-encoding', 'identity;q=0, *;q=0'),
  withHeader('range', 'bytes=0-1'),
  withHeader('if-none-match', '*'),
  withHeader('if-modified-since', 'Fri, 31 Dec 9999 23:59:59 GMT'),
  withHeader('cache-control', 'only-if-cached, max-stale'),
  withHeader('pragma', `x-get-cache-key, ${evil}`),
  withHeader('cookie', `place=${evil}; session=${evil}`),
  withHeader('authorization', `Bearer ${evil}`),
  withHeader('user-agent', 'Commonplace-Prerender/1'),
  withHeader('x-middleware-prefetch', '1'),
  withHeader('purpose', 'prefetch'),
  withHeader('content-length', '4'),
  withHeader('x-oversized', 'x'.repeat(20_000)),
  // A GET with a body that contradicts its URL.
  { body: `utm_content=${evil}` },
  { body: '{"path":"/nowhere"}', headers: { 'content-type': 'application/json' } },
  { path: '/', body: 'search=trees', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  // URLs that resemble others.
  ...[
    '?utm_source=x',
    `?utm_content=https://${evil}`,
    '?_data=routes/index',
    '?_method=DELETE',
    ';.css',
    '.css',
  ].map((end) => ({ path: `/about${end}` })),
  ...['/home/x.css', '/home/..%2fabout', '/home%2fx.css', '/home%00.css', '/home%0d%0aset-cookie:a=b'].map(
    (path) => ({ path }),
  ),
  ...['//about', '/about//', '/./about', '/es//about', '/%61bout', '/ABOUT', '/en/about'].map((path) => ({
    path,
  })),
]

test('there are at least sixty variants, and a page they could affect', () => {
  const statuses = (JSON.parse(baseline) as { status: number }[]).map(({ status }) => status)
  expect(statuses).toEqual([200, 200, 200, 200, 404, 200, 308, 200, 308])
  expect(variants.length).toBeGreaterThanOrEqual(60)
})

test('no response contains injected input or another page’s content', async () => {
  for (const variant of variants) {
    const { status, headers, text } = await ask(variant)
    const about = JSON.stringify(variant).slice(0, 200)
    expect([about, status]).not.toEqual([about, 500])
    // The page of an unknown host shows the requested host, and is not cached.
    const isOfNobody = status === 404 && Object.fromEntries(headers)['cache-control'] === 'no-store'
    const textWithoutHost = isOfNobody ? text.replace(`<bdi>${variant.host ?? 'none'}</bdi>`, '') : text
    const responseText = JSON.stringify(headers) + textWithoutHost
    // A redirect keeps its query, on the same host.
    expect([about, responseText.replace(/\?utm_content=[^"]*/g, '').includes(evil)]).toEqual([about, false])
    const looksLikeFile = /^\/(?:home|about)[^?]*\.css$/.test(variant.path ?? '')
    if (looksLikeFile) expect([about, status]).toEqual([about, 404])
  }
})

test('the next response is byte for byte the same as before', async () => {
  for (const variant of variants) {
    await ask(variant)
    expect([JSON.stringify(variant).slice(0, 200), await cleanReads()]).toEqual([
      expect.any(String),
      baseline,
    ])
  }
})

test('also with concurrent requests', async () => {
  const [reads] = await Promise.all([cleanReads(), ...variants.map(ask), ...variants.map(ask)])
  expect(reads).toBe(baseline)
  expect(await cleanReads()).toBe(baseline)
})
