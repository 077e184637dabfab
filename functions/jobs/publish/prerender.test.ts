import { memoryBucket } from '#db/worlds/ports.ts'
import { expect, test } from 'vitest'
import type { Memo } from '#functions/platform/cache/memo.ts'
import type { HubPath } from '#functions/edge/hub/hub-pages.ts'
import { allLanguages, locales, type HubLanguages, type Locale } from '#functions/shapes/locale.ts'
import { mergePages, readManifest, type ManifestPage } from '#functions/edge/hub/manifest.ts'
import { prerender, type PageRendering } from './prerender.ts'

type Page = Omit<PageRendering, 'locale'>
const page = (body: string, tags: string[]): Page => ({
  status: 200,
  type: 'text/html',
  body,
  tags,
  files: [],
})
const paths: HubPath[] = [
  { path: '/', status: 200, kind: 'page' },
  { path: '/a', status: 200, kind: 'page' },
  { path: '/sitemap.xml', status: 200, kind: 'file' },
]

/** A hub in its own bucket, with one published manifest. */
async function createPublishedHub(placeId: string) {
  const hubs = memoryBucket()
  const visited: string[] = []
  const log: string[] = []
  const make = (
    current: number,
    staleTags: Set<string> | null,
    visit: (path: string, locale: Locale) => Page,
    languages?: HubLanguages,
  ) =>
    prerender(
      {
        placeId,
        paths,
        current,
        staleTags,
        ...(languages && { languages }),
        allocate: async () => current + 1,
      },
      async (path, languages) =>
        languages.map((locale) => {
          visited.push(`${locale} ${path}`)
          return { locale, ...visit(path, locale) }
        }),
      { hubs, log: (line) => void log.push(line) },
    )
  await make(0, null, (path, locale) => page(`old ${path} ${locale}`, [`page:${path}`]))
  return { hubs, visited, log, make }
}
const listPageNames = (path: string) => locales.map(({ code }) => `${code} ${path}`)

test('a page is rendered in every language, a file for programs once', async () => {
  const { hubs, visited, log } = await createPublishedHub('whole')
  expect(visited.sort()).toEqual([...listPageNames('/'), ...listPageNames('/a'), 'en /sitemap.xml'].sort())
  const { pages = {} } = (await readManifest(hubs, 'whole', 1)) ?? {}
  expect(Object.keys(pages).sort()).toEqual(visited)
  expect(new Set(listPageNames('/a').map((key) => pages[key]?.hash)).size).toBe(allLanguages.length)
  // One line per page, in any number of languages.
  expect(log).toHaveLength(4)
  expect(log.at(-1)).toBe('whole: 3 of 3 pages rendered, manifest 1')
})

test('a change of languages renders everything in the new ones, and files in the first; without a change nothing is rendered', async () => {
  const { hubs, visited, make } = await createPublishedHub('choosing')
  const renderOldPage = (path: string, locale: Locale) => page(`old ${path} ${locale}`, [])
  visited.length = 0
  expect(await make(1, new Set(), renderOldPage, ['de', 'en'])).toBe(2)
  expect(visited).toEqual(['de /', 'en /', 'de /a', 'en /a', 'de /sitemap.xml'])
  const second = await readManifest(hubs, 'choosing', 2)
  expect(second?.languages).toEqual(['de', 'en'])
  expect(Object.keys(second?.pages ?? {}).sort()).toEqual([...visited].sort())
  visited.length = 0
  expect(await make(2, new Set(), renderOldPage)).toBeNull()
  // The order alone matters as well.
  expect(await make(2, new Set(), renderOldPage, ['en', 'de'])).toBe(3)
  expect(visited.filter((name) => name.endsWith('.xml'))).toEqual(['en /sitemap.xml'])
})

test('if a page fails in one language the old site stays up: no new manifest is written', async () => {
  const { hubs, make } = await createPublishedHub('failing')
  const before = await readManifest(hubs, 'failing', 1)
  const attempt = make(1, null, (path, locale) => ({
    ...page(`new ${path}`, []),
    status: path === '/a' && locale === 'ar' ? 500 : 200,
  }))
  await expect(attempt).rejects.toThrow('ar /a answered 500 instead of 200')
  expect(await readManifest(hubs, 'failing', 2)).toBeNull()
  expect(await readManifest(hubs, 'failing', 1)).toEqual(before)
})

test('only pages with changed dependencies are visited, in all languages, and the others stay unchanged', async () => {
  const { hubs, visited, log, make } = await createPublishedHub('changing')
  visited.length = 0
  expect(await make(1, new Set(['page:/a']), (path) => page(`new ${path}`, [`page:${path}`]))).toBe(2)
  expect(visited).toEqual(listPageNames('/a'))
  const [before, after] = await Promise.all([1, 2].map((n) => readManifest(hubs, 'changing', n)))
  for (const key of listPageNames('/')) expect(after?.pages[key]).toEqual(before?.pages[key])
  for (const key of listPageNames('/a')) expect(after?.pages[key]?.hash).not.toBe(before?.pages[key]?.hash)
  expect(log.at(-1)).toBe('changing: 1 of 3 pages rendered, manifest 2')
})

test('a missing language is rendered even if nothing changed', async () => {
  const { hubs, visited, make } = await createPublishedHub('grown')
  const old = await readManifest(hubs, 'grown', 1)
  delete old?.pages['fr /a']
  visited.length = 0
  await make(1, new Set(), (path, locale) => page(`old ${path} ${locale}`, [`page:${path}`]))
  expect(visited).toEqual(listPageNames('/a'))
})

test('without changes there is no new manifest', async () => {
  const { make } = await createPublishedHub('same')
  expect(await make(1, null, (path, locale) => page(`old ${path} ${locale}`, [`page:${path}`]))).toBeNull()
})

test('paths outside of a stage stay as they are published, and removed ones are unpublished', async () => {
  const { hubs, visited } = await createPublishedHub('staged')
  visited.length = 0
  const job = { placeId: 'staged', staleTags: null, allocate: async () => 2, current: 1 }
  const visit = async (path: string, languages: readonly Locale[]) =>
    languages.map((locale) => {
      visited.push(`${locale} ${path}`)
      return { locale, ...page(`new ${path}`, []) }
    })
  const left = [
    ...paths.filter(({ path }) => path !== '/a'),
    { path: '/new', status: 200, kind: 'page' as const },
  ]
  const isFile = ({ kind }: HubPath) => kind === 'file'
  await prerender({ ...job, paths: left, only: isFile }, visit, { hubs, log: () => {} })
  expect(visited).toEqual(['en /sitemap.xml'])
  const before = (await readManifest(hubs, 'staged', 1))?.pages ?? {}
  const after = (await readManifest(hubs, 'staged', 2))?.pages ?? {}
  expect(Object.keys(after).sort()).toEqual([...listPageNames('/'), 'en /sitemap.xml'].sort())
  expect(after['es /']).toEqual(before['es /'])
  expect(after['en /sitemap.xml']?.hash).not.toBe(before['en /sitemap.xml']?.hash)
})

test('parts of a page are rendered after the pages, together, with shared query results', async () => {
  const createHubPath = (path: string, kind: HubPath['kind']) => ({ path, status: 200, kind })
  const source = '/domains/rain/source/one'
  const all = [
    createHubPath(source, 'page'),
    createHubPath('/domains/rain/source/two', 'page'),
    createHubPath(`/embed${source}`, 'shown'),
    createHubPath('/embed/domains/rain/source/two', 'shown'),
    createHubPath(`${source}/feed.atom`, 'file'),
    createHubPath('/data.json', 'file'),
  ]
  const pathsByMemo = new Map<object, string[]>()
  const hubsSeen = new Set<object>()
  const visit = async (path: string, languages: readonly Locale[], _all: HubLanguages, memo: Memo) => {
    pathsByMemo.set(memo.page, [...(pathsByMemo.get(memo.page) ?? []), path])
    hubsSeen.add(memo.hub)
    return languages.map((locale) => ({ locale, ...page(`${path} ${locale}`, []) }))
  }
  const job = { placeId: 'sharing', paths: all, staleTags: null, current: 0, allocate: async () => 1 }
  await prerender(job, visit, { hubs: memoryBucket(), log: () => {} })
  expect([...pathsByMemo.values()]).toEqual([
    [source],
    ['/domains/rain/source/two'],
    [`/embed${source}`, `${source}/feed.atom`],
    ['/embed/domains/rain/source/two'],
    ['/data.json'],
  ])
  expect(hubsSeen.size).toBe(1)
})

test('after a failure no page is started, and those in progress are awaited', async () => {
  const many = Array.from({ length: 40 }, (_, i) => ({ path: `/${i}`, status: 200, kind: 'page' as const }))
  let [startCount, ended] = [0, 0]
  const visit = async (path: string) => {
    startCount += 1
    await new Promise((resolve) => setTimeout(resolve, path === '/1' ? 1 : 10))
    ended += 1
    if (path === '/1') throw new Error('broken')
    return []
  }
  const job = { placeId: 'broken', paths: many, staleTags: null, current: 0, allocate: async () => 1 }
  await expect(prerender(job, visit, { hubs: memoryBucket(), log: () => {} })).rejects.toThrow('broken')
  expect([startCount < 10, ended === startCount]).toEqual([true, true])
})

test('merges concurrent manifests: what the other removed is removed, and what it rendered is kept', () => {
  const createManifestPage = (hash: string): ManifestPage => ({
    hash,
    status: 200,
    type: 'text/html',
    styles: [],
    tags: [],
    files: [],
  })
  const base = {
    '/': createManifestPage('a'),
    '/gone': createManifestPage('b'),
    '/page': createManifestPage('c'),
    '/both': createManifestPage('d'),
  }
  const ownPages = {
    '/': createManifestPage('a'),
    '/gone': createManifestPage('b2'),
    '/page': createManifestPage('c2'),
    '/both': createManifestPage('d2'),
    '/new': createManifestPage('e'),
  }
  const theirs = {
    '/': createManifestPage('a3'),
    '/page': createManifestPage('c'),
    '/both': createManifestPage('d3'),
    '/theirs': createManifestPage('f'),
  }
  expect(mergePages(base, ownPages, theirs)).toEqual({
    ...{
      '/': createManifestPage('a3'),
      '/page': createManifestPage('c2'),
      '/both': createManifestPage('d3'),
      '/new': createManifestPage('e'),
      '/theirs': createManifestPage('f'),
    },
  })
  expect(mergePages(base, ownPages, base)).toEqual(ownPages)
})

test('what is stale in one language is rendered in that one only', async () => {
  const { hubs, visited, make } = await createPublishedHub('one')
  visited.length = 0
  expect(await make(1, new Set(['es page:/a']), (path, locale) => page(`new ${path} ${locale}`, []))).toBe(2)
  expect(visited).toEqual(['es /a'])
  const [before, after] = await Promise.all([readManifest(hubs, 'one', 1), readManifest(hubs, 'one', 2)])
  const changedNames = Object.keys(after?.pages ?? {}).filter(
    (name) => after?.pages[name]?.hash !== before?.pages[name]?.hash,
  )
  expect(changedNames).toEqual(['es /a'])
})
