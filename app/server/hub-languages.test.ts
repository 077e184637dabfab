import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hubDomains } from '#app/routes/hub/domains.server.ts'
import { hubFrame } from './hub-frame.server.ts'
import { hubHome } from './hub-home.server.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { hubMemory, pageMemory } from '#functions/platform/cache/memo.ts'
import type { Context, Site } from '#functions/context.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { allLanguages, locales, type Locale } from '#functions/shapes/locale.ts'
import { countStatements, type Counter } from '#functions/v1/testing/counting.testing.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
  await ingest(world.as('system'), 'open', [{ minutes: 1 }, { minutes: 2 }])
})
afterAll(() => world.close())

const hub = (locale: Locale): Site => ({
  ...{ mode: 'hub', host: 'oakton.hub.test', origin: 'https://oakton.hub.test', placeId: 'oakton' },
  ...{ canonicalHost: 'oakton.hub.test', locale, languages: allLanguages },
})

/** A hub page rendered in each language, the number of statements, and its dependencies. */
async function visit<Made>(
  make: (args: LoaderFunctionArgs) => Promise<Made>,
  path: string,
  shared: Partial<Pick<Context, 'memo' | 'depends'>>,
) {
  const counter: Counter = { statements: 0 }
  const pages = {} as Record<Locale, Made>
  for (const { code } of locales) {
    const baseContext = world.as('anonymous', { site: hub(code), placeId: 'oakton', ...shared })
    const ctx = { ...baseContext, ...countStatements(baseContext, counter) }
    const request = new Request(`https://oakton.hub.test${path}`)
    pages[code] = await make({
      request,
      params: {},
      context: { ctx, nonce: '' },
    } as unknown as LoaderFunctionArgs)
  }
  return { pages, statements: counter.statements }
}
const sharing = () => ({ memo: pageMemory(hubMemory()), depends: new Set<string>() })

test.each([
  ['/', hubHome],
  ['/domains', hubDomains],
  ['/about', hubFrame],
])('%s in all languages asks the database once', async (path, make) => {
  const alone = await visit<unknown>(make, path, {})
  const together = await visit<unknown>(make, path, sharing())
  expect(together.pages).toEqual(alone.pages)
  console.log(`${path}: ${alone.statements} statements one by one, ${together.statements} together`)
  expect(together.statements).toBeGreaterThan(0)
  // The hub's own language loads no translations, the others load all of them in one statement.
  expect(together.statements).toBeLessThanOrEqual(Math.ceil(alone.statements / locales.length))
})

test('all languages of a page have the same dependencies', async () => {
  const shared = sharing()
  await visit<unknown>(hubHome, '/', shared)
  expect([...shared.depends]).toContain('source:open')
})

test('a page is in its language, and links to pages in it', async () => {
  const { pages } = await visit(hubDomains, '/domains', sharing())
  const sources = locales.map(({ code }) => pages[code].domains.find(({ id }) => id === 'call')?.sources[0])
  expect(sources.map((source) => source?.facts[0])).toEqual([
    '2 records',
    '2 registros',
    '2 enregistrements',
    '2 Einträge',
    'سجلان',
    '2件のレコード',
  ])
  expect(sources.map((source) => source?.href)).toEqual(
    ['', '/es', '/fr', '/de', '/ar', '/ja'].map((base) => `${base}/domains/call/source/open`),
  )
})

test('the frame lists the page in every language, for readers and search engines', async () => {
  const { pages } = await visit(hubFrame, '/domains', sharing())
  const { frame, alternates, canonicalUrl, openGraph } = pages.ar
  expect([frame.base, frame.locale, new URL(canonicalUrl).pathname]).toEqual(['/ar', 'ar', '/ar/domains'])
  expect(frame.locales?.map(({ label, href }) => `${label} ${href}`)).toEqual([
    'English /domains',
    'Español /es/domains',
    'Français /fr/domains',
    'Deutsch /de/domains',
    'العربية /ar/domains',
    '日本語 /ja/domains',
  ])
  expect(alternates.map(({ language, href }) => `${language} ${new URL(href).pathname}`)).toEqual([
    'en /domains',
    'es /es/domains',
    'fr /fr/domains',
    'de /de/domains',
    'ar /ar/domains',
    'ja /ja/domains',
    'x-default /domains',
  ])
  expect(openGraph).toBe('ar_AR')
  // Error pages have no language alternates.
  expect((await visit(hubFrame, '/404', sharing())).pages.fr.alternates).toEqual([])
})
