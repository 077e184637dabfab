import { allLanguages } from '#functions/shapes/locale.ts'
import { expect, test } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import { hubFiles, mirrors } from './hub-files.ts'
import { hubPages } from './hub-pages.ts'
import { prerender } from '#functions/jobs/publish/prerender.ts'
import { serveHub } from './static-hub.ts'

const source = (n: number, isPublic = true) => ({
  ...{ id: `s${n}`, dataTypeId: 'call', dataVersion: 1, topic: null as string | null, isPublic },
})
const hub = (sources: ReturnType<typeof source>[], placeId = 'oakton') => ({
  ...{
    placeId,
    isHub: true,
    domains: [],
    released: [],
    since: {},
    manifest: 0,
    hasMap: true,
    isRestored: false,
    languages: allLanguages,
    sources,
  },
  ...{ at: 1, insights: ['rain'], figures: [{ pageId: 'story', insightId: 'rain' }] },
  pages: [
    { id: 'story', type: 'storytelling' as const },
    { id: 'board', type: 'dashboard' as const },
  ],
})
const listPaths = (...args: Parameters<typeof hub>) => hubFiles(hub(...args)).map(({ path }) => path)

test('private sources have no files', () => {
  const paths = listPaths([source(1), source(2, false)])
  expect(paths).toContain('/domains/call/source/s1/feed.atom')
  expect(paths.filter((path) => path.includes('s2') || path.includes('board'))).toEqual([])
  expect(listPaths([{ ...source(1), dataTypeId: 'tree' }], 'nyc-ny').join()).not.toContain('tree')
})

test('1,001 datasets take two pages of each linked-data catalogue, 1,000 one', () => {
  const listPathsForSources = (n: number) => listPaths(Array.from({ length: n }, (_, i) => source(i)))
  expect(listPathsForSources(1000).filter((path) => path.startsWith('/catalog/'))).toHaveLength(3)
  expect(listPathsForSources(1001).filter((path) => path.startsWith('/catalog/'))).toEqual([
    '/catalog/dcat-us-3.jsonld',
    '/catalog/dcat-ap-3.jsonld',
    '/catalog/dcat-ap-3.ttl',
    '/catalog/dcat-us-3/2.jsonld',
    '/catalog/dcat-ap-3/2.jsonld',
    '/catalog/dcat-ap-3/2.ttl',
  ])
})

test('above 10,000 URLs the sitemap is an index of sitemaps', () => {
  const maps = (n: number) =>
    listPaths(Array.from({ length: n }, (_, i) => source(i))).filter((path) => path.startsWith('/sitemap'))
  expect(maps(828)).toEqual(['/sitemap.xml'])
  expect(maps(829)).toEqual(['/sitemap.xml', '/sitemaps/1.xml', '/sitemaps/2.xml'])
})

test('every mirror is of a file that every hub has', () => {
  const paths = listPaths([])
  for (const [mirror, path] of Object.entries(mirrors)) {
    expect(paths).toContain(path)
    expect(paths).not.toContain(mirror)
  }
})

const types: Record<string, string> = {
  png: 'image/png',
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/json; charset=utf-8',
}
const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00, 0xfe])

/** A hub whose pages and text files contain their own paths, and whose pictures are binary. */
async function publishHub(placeId: string) {
  const hubs = memoryBucket()
  const visited: string[] = []
  const state = hub([source(1)], placeId)
  await prerender(
    { placeId, paths: hubPages(state), current: 0, staleTags: null, allocate: async () => 1 },
    async (path, languages) =>
      languages.map((locale) => {
        visited.push(`${locale} ${path}`)
        const status = path === '/404' ? 404 : path === '/error' ? 500 : 200
        const type = types[/\.(\w+)$/.exec(path)?.[1] ?? ''] ?? 'text/html; charset=utf-8'
        const body = type === 'image/png' ? bytes : `<style>p{}</style>${locale} ${path}`
        return { locale, status, type, body, tags: [], files: [] }
      }),
    { hubs, log: () => {} },
  )
  const snapshot = { placeId, isHub: true, canonicalHost: 'oakton.test', manifest: 1, sources: {} }
  const get = (path: string, headers: Record<string, string> = {}) =>
    serveHub(new Request(`https://oakton.test${path}`, { headers }), snapshot, hubs)
  return { get, visited }
}

test('files are rendered once, not once per language, and served with their types and CORS headers', async () => {
  const { get, visited } = await publishHub('files')
  expect(visited.filter((name) => name.endsWith('/feed.atom') && !name.startsWith('en'))).toEqual([])
  // Pictures and embeds are seen by people, so they exist in each language.
  for (const path of ['/og/domains/call/source/s1.png', '/embed/domains/call/source/s1'])
    expect(visited.filter((name) => name.endsWith(` ${path}`))).toHaveLength(allLanguages.length)
  expect(await (await get('/es/embed/domains/call/source/s1')).text()).toContain('es /embed/')
  expect((await get('/es/feed.atom')).status).toBe(404)
  const feed = await get('/feed.atom')
  expect(feed.status).toBe(200)
  expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  expect(feed.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
  expect(feed.headers.get('access-control-allow-origin')).toBe('*')
  const again = await get('/feed.atom', { 'if-none-match': feed.headers.get('etag') ?? '' })
  expect([again.status, await again.text()]).toEqual([304, ''])
  expect((await get('/')).headers.get('access-control-allow-origin')).toBeNull()
})

test('a picture is stored byte for byte', async () => {
  const { get } = await publishHub('pictures')
  const picture = await get('/og/domains/call/source/s1.png')
  expect(picture.headers.get('content-type')).toBe('image/png')
  expect(new Uint8Array(await picture.arrayBuffer())).toEqual(bytes)
})

test('mirrors serve the same file; only embeds may be framed by other sites', async () => {
  const { get } = await publishHub('mirrors')
  expect(await (await get('/api/feed/dcat-us/1.1.json')).text()).toBe(await (await get('/data.json')).text())
  const framed = async (path: string) =>
    /frame-ancestors [^;]*/.exec((await get(path)).headers.get('content-security-policy') ?? '')?.[0]
  expect(await framed('/embed/domains/call/source/s1')).toBe('frame-ancestors *')
  expect(await framed('/ar/embed/domains/call/source/s1')).toBe('frame-ancestors *')
  expect(await framed('/domains/call/source/s1')).toBe("frame-ancestors 'none'")
  expect((await get('/embed/domains/call/source/s2')).status).toBe(404)
})
