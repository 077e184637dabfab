import { memoryBucket } from '#db/worlds/ports.ts'
import { beforeAll, expect, test } from 'vitest'
import type { HubPath } from './hub-pages.ts'
import { prerender } from './prerender.ts'
import type { Snapshot } from './snapshot.ts'
import { serveHub } from './static-hub.ts'

const hubs = memoryBucket()
const paths: HubPath[] = [
  { path: '/', status: 200, kind: 'page' },
  { path: '/about', status: 200, kind: 'page' },
  { path: '/404', status: 404, kind: 'page' },
  { path: '/sitemap.xml', status: 200, kind: 'file' },
]
const snapshot: Snapshot = {
  placeId: 'oakton',
  isHub: true,
  canonicalHost: 'oakton.test',
  manifest: 1,
  sources: {},
}

beforeAll(async () => {
  const job = { placeId: 'oakton', paths, current: 0, changed: null, allocate: async () => 1 }
  const visit = async (path: string, languages: readonly ('en' | 'es' | 'fr' | 'ar')[]) =>
    languages.map((locale) => ({
      ...{ locale, type: 'text/html', tags: [], files: [] },
      status: path === '/404' ? 404 : 200,
      body: `${locale} ${path}`,
    }))
  await prerender(job, visit, { hubs, log: () => {} })
})

const ask = async (path: string, headers: Record<string, string> = {}, served: Snapshot = snapshot) => {
  const response = await serveHub(new Request(`https://oakton.test${path}`, { headers }), served, hubs)
  return { status: response.status, to: response.headers.get('location'), text: await response.text() }
}

test.each([
  ['/', 200, 'en /'],
  ['/about', 200, 'en /about'],
  ['/es', 200, 'es /'],
  ['/ar/about', 200, 'ar /about'],
  ['/fr/nowhere', 404, 'fr /404'],
  ['/nowhere', 404, 'en /404'],
  // No language of ours: a path that leads nowhere.
  ['/de/about', 404, 'en /404'],
  // Files for programs stand once.
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
])('%s has one address: %s', async (path, to) => {
  const answer = await ask(path)
  expect([answer.status, answer.to]).toEqual([308, `https://oakton.test${to}`])
})

test('what a reader’s browser prefers changes nothing: pages are the same for everyone', async () => {
  expect(await ask('/about', { 'accept-language': 'ar' })).toMatchObject({ status: 200, text: 'en /about' })
})

test('a hub that was never published says so in the language that is asked', async () => {
  const none = await ask('/ar', {}, { ...snapshot, placeId: 'elmsford' })
  expect(none.status).toBe(503)
  expect(none.text).toContain('<html lang="ar" dir="rtl">')
  expect(none.text).toContain('<h1>يجري إعداد هذه البوابة</h1>')
})
