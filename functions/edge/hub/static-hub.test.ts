import { memoryBucket } from '#db/worlds/ports.ts'
import { beforeAll, expect, test } from 'vitest'
import { fileName } from '#functions/engine/address/file-names.ts'
import type { HubPath } from './hub-pages.ts'
import { writeManifest } from './manifest.ts'
import { writePlaceState } from './place-state.ts'
import { prerender } from '#functions/jobs/publish/prerender.ts'
import type { Snapshot } from './snapshot.ts'
import { serveHub } from './static-hub.ts'
import type { Locale } from '#functions/shapes/locale.ts'

const hubs = memoryBucket()
const paths: HubPath[] = [
  { path: '/', status: 200, kind: 'page' },
  { path: '/about', status: 200, kind: 'page' },
  { path: '/404', status: 404, kind: 'page' },
  { path: '/sitemap.xml', status: 200, kind: 'file' },
  { path: '/domains/tree-x2/source/oaks', status: 200, kind: 'page' },
  { path: '/embed/domains/tree-x2/source/oaks', status: 200, kind: 'shown' },
  { path: '/domains/tree-x2/source/oaks/feed.atom', status: 200, kind: 'file' },
]
const snapshot: Snapshot = {
  placeId: 'oakton',
  isHub: true,
  canonicalHost: 'oakton.test',
  manifest: 1,
  sources: {},
}

beforeAll(async () => {
  const job = { placeId: 'oakton', paths, current: 0, staleTags: null, allocate: async () => 1 }
  const visit = async (path: string, languages: readonly Locale[]) =>
    languages.map((locale) => ({
      ...{ locale, type: 'text/html', tags: [], files: [] },
      status: path === '/404' ? 404 : 200,
      body: `${locale} ${path}`,
    }))
  await prerender(job, visit, { hubs, log: () => {} })
  const sources = { oaks: { version: 3, dataType: 'tree-x2' }, new: { version: 1, dataType: 'tree-x2' } }
  const state = { placeId: 'oakton', at: 1, timeZone: 'UTC', dataTypes: {}, sources, insights: {} }
  await writePlaceState(hubs, state)
})

test.each([
  ['/domains/tree/source/oaks?a=1', 308, '/domains/tree-x2/source/oaks?a=1'],
  ['/es/domains/tree/source/oaks', 308, '/es/domains/tree-x2/source/oaks'],
  ['/embed/domains/tree/source/oaks', 308, '/embed/domains/tree-x2/source/oaks'],
  ['/domains/tree/source/oaks/feed.atom', 308, '/domains/tree-x2/source/oaks/feed.atom'],
  ['/domains/tree-x2/source/oaks', 200, null],
  // No page yet, a source of another hub, nothing public, nothing at all.
  ['/domains/tree/source/new', 404, null],
  ['/domains/tree/source/elms', 404, null],
  ['/domains/tree/source/constructor', 404, null],
  ['/domains/tree/source/oaks/nothing', 404, null],
])(
  'a source that has moved to another data type is found by its old address: %s',
  async (path, status, to) => {
    const answer = await ask(path)
    expect([answer.status, answer.to]).toEqual([status, to && `https://oakton.test${to}`])
  },
)

const ask = async (
  path: string,
  headers: Record<string, string> = {},
  servedSnapshot: Snapshot = snapshot,
) => {
  const response = await serveHub(
    new Request(`https://oakton.test${path}`, { headers }),
    servedSnapshot,
    hubs,
  )
  return { status: response.status, to: response.headers.get('location'), text: await response.text() }
}

test.each([
  ['/', 200, 'en /'],
  ['/about', 200, 'en /about'],
  ['/es', 200, 'es /'],
  ['/ar/about', 200, 'ar /about'],
  ['/fr/nowhere', 404, 'fr /404'],
  ['/nowhere', 404, 'en /404'],
  // An unsupported language is an unknown path.
  ['/pt/about', 404, 'en /404'],
  // Files for programs exist only once.
  ['/sitemap.xml', 200, 'en /sitemap.xml'],
  ['/es/sitemap.xml', 404, 'es /404'],
])('%s answers %i with %s', async (path, status, text) => {
  expect(await ask(path)).toMatchObject({ status, text })
})

test.each([
  ['/en', '/'],
  ['/en/about', '/about'],
  ['/es/', '/es'],
  ['/about/?a=1', '/about?a=1'],
  ['/en/about/?a=1', '/about?a=1'],
  ['//evil.example/', '//evil.example'],
  ['/en//evil.example', '//evil.example'],
])('%s redirects to its canonical URL: %s', async (path, to) => {
  const answer = await ask(path)
  expect([answer.status, answer.to]).toEqual([308, `https://oakton.test${to}`])
})

test('browser preferences have no effect: pages are the same for everyone', async () => {
  expect(await ask('/about', { 'accept-language': 'ar' })).toMatchObject({ status: 200, text: 'en /about' })
})

test('a hub with another default language has it without a prefix, and redirects earlier URLs', async () => {
  const placeId = 'berlin'
  const visit = async (path: string, languages: readonly Locale[]) =>
    languages.map((locale) => ({
      ...{ locale, type: 'text/html', tags: [], files: [], status: path === '/404' ? 404 : 200 },
      body: `${locale} ${path}`,
    }))
  const job = { placeId, paths, current: 0, staleTags: null, allocate: async () => 1 }
  await prerender({ ...job, languages: ['de', 'en'] }, visit, { hubs, log: () => {} })
  const german = (path: string) => ask(path, {}, { ...snapshot, placeId })
  expect(await german('/about')).toMatchObject({ status: 200, text: 'de /about' })
  expect(await german('/en/about')).toMatchObject({ status: 200, text: 'en /about' })
  expect(await german('/sitemap.xml')).toMatchObject({ status: 200, text: 'de /sitemap.xml' })
  expect(await german('/nowhere')).toMatchObject({ status: 404, text: 'de /404' })
  for (const [from, to] of [
    ['/de', '/'],
    ['/de/about?a=1', '/about?a=1'],
    // A language of earlier, or only of other hubs: the page in the default language.
    ['/fr/about', '/about'],
    ['/ja', '/'],
  ] as const)
    expect([from, (await german(from)).to]).toEqual([from, `https://oakton.test${to}`])
})

test('a hub that was never published says so in the language of the URL', async () => {
  const none = await ask('/ar', {}, { ...snapshot, placeId: 'elmsford' })
  expect(none.status).toBe(503)
  expect(none.text).toContain('<html lang="ar" dir="rtl">')
  expect(none.text).toContain('<h1>يجري إعداد هذه البوابة</h1>')
})

test('a file is served while a page refers to it, and a drawing for a while after it was replaced', async () => {
  const place = 'drawn'
  const drawings = await Promise.all(['1', '2'].map((body) => fileName('image/svg+xml', body, 'rain')))
  const placeSnapshot = { ...snapshot, placeId: place }
  const publish = async (number: number, version: number | null, home = paths) => {
    const body = String(version)
    const name = drawings[(version ?? 1) - 1] ?? ''
    const files = version === null ? [] : [{ name, type: 'image/svg+xml', body }]
    const job = {
      ...{ placeId: place, paths: home, current: number - 1, staleTags: null },
      allocate: async () => number,
    }
    await prerender(
      job,
      async (path, languages) =>
        languages.map((locale) => ({
          ...{ locale, type: 'text/html', tags: [], status: path === '/404' ? 404 : 200 },
          ...(path === '/' ? { body: `${locale} ${body}`, files } : { body: `${locale} ${path}`, files: [] }),
        })),
      { hubs, log: () => {} },
    )
  }
  const answers = async (number: number) => {
    const now = { ...placeSnapshot, manifest: number }
    return Promise.all(drawings.map(async (name) => (await ask(`/f/${name}`, {}, now)).status))
  }
  await publish(1, 1)
  expect(await answers(1)).toEqual([200, 404])
  await publish(2, 2)
  expect(await answers(2)).toEqual([200, 200])
  // A figure that is not shown any more is not served.
  await publish(3, null)
  expect(await answers(3)).toEqual([404, 404])
  // Nor is one whose page was withdrawn.
  await publish(4, 1)
  await publish(5, 2)
  expect(await answers(5)).toEqual([200, 200])
  await publish(
    6,
    2,
    paths.filter(({ path }) => path !== '/'),
  )
  expect(await answers(6)).toEqual([404, 404])
})

test('a file of a page that another isolate has served is found by reading the snapshot again', async () => {
  const manifest = (number: number, files: string[]) => ({
    ...{ placeId: 'fresh', number },
    pages: { 'en /': { hash: 'h', status: 200, type: 'text/html', styles: [], tags: [], files } },
  })
  await writeManifest(hubs, manifest(1, []))
  await writeManifest(hubs, manifest(2, ['new.svg']))
  await hubs.put('hubs/fresh/files/new.svg', '<svg/>', { httpMetadata: { contentType: 'image/svg+xml' } })
  const old = { ...snapshot, placeId: 'fresh', manifest: 1 }
  let readCount = 0
  const status = async (name: string, now: Snapshot | null) => {
    const request = new Request(`https://fresh.test/f/${name}`)
    const rereadSnapshot = async () => ((readCount += 1), now)
    const response = await serveHub(request, old, hubs, { rereadSnapshot })
    if (response.ok)
      expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    return response.status
  }
  expect(await status('new.svg', { ...old, manifest: 2 })).toBe(200)
  expect(await status('other.svg', { ...old, manifest: 2 })).toBe(404)
  expect(await status('new.svg', old)).toBe(404)
  expect(await status('new.svg', null)).toBe(404)
  expect(readCount).toBe(4)
})

test('a page may load our own files by type, images and media of others, and no frames or plug-ins', async () => {
  const { headers } = await serveHub(new Request('https://oakton.test/'), snapshot, hubs)
  const policy = (headers.get('content-security-policy') ?? '').split('; ')
  // Firefox before 132 applies `default-src` to drawings.
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'self'",
      "object-src 'none'",
      "frame-src 'none'",
      "media-src 'self' https:",
    ]),
  )
  for (const rule of policy) expect(rule).not.toMatch(/unsafe|\*/)
})
