import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hubDocument } from '#app/routes/hub/files/catalogue.server.ts'
import { hubSearch } from '#app/routes/hub/search.server.ts'
import { topicPage, topicsIndex } from '#app/routes/hub/catalogue-group.server.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { hubMemory, pageMemory } from '#functions/platform/cache/memo.ts'
import type { SearchFile } from '#functions/edge/search/index.ts'
import type { HubSite } from '#functions/context.ts'
import type { HubLanguages, Locale } from '#functions/shapes/locale.ts'
import { fieldsPage } from './hub-facts/fields.server.ts'
import { mainContentOfSource, sourcePage } from './hub-facts/main-content.server.ts'
import { hubFrame } from './hub-frame.server.ts'
import { hubSource } from './hub-source.server.ts'
import { storyPage } from './story.server.ts'
import { untranslatedIn } from './untranslated.server.ts'

const languages: HubLanguages = ['en', 'es', 'ar']
const memory = hubMemory()
let world: TestWorld

beforeAll(async () => {
  world = await openWorld(city)
  const { db } = world.as('system')
  const texts = [
    ['place', 'oakton', 'displayName', 'Roblealto', 'Oakton'],
    ['source', 'open', 'name', 'Abierto', 'open'],
    ['dataType', 'call', 'fields.minutes.name', 'Minutos', 'Minutes'],
    ['dataType', 'call', 'category', 'Seguridad', 'Safety'],
    ['content', 'hello', 'html', '<p>Hola</p>', '<p>Hello</p>'],
    // Visible only to members of the place.
    ['source', 'inner', 'name', 'Interior', 'inner'],
    // Translations of one language are not used for another.
    ['insight', 'calls', 'name', 'نداءات', 'Calls', 'ar'],
  ] as const
  for (const [noun, nounId, path, text, original, language = 'es'] of texts)
    await db
      .insertInto('translation')
      .values({
        id: crypto.randomUUID(),
        placeId: 'oakton',
        language,
        noun,
        nounId,
        path,
        text,
        original,
        updatedBy: null,
      })
      .execute()
})
afterAll(() => world.close())

function visit(locale: Locale, path: string, params: Record<string, string> = {}, run = memory) {
  const site: HubSite = {
    ...{ mode: 'hub', host: 'oakton.hub.test', origin: 'https://oakton.hub.test', placeId: 'oakton' },
    ...{ canonicalHost: 'oakton.hub.test', locale, languages },
  }
  const files: string[] = []
  const attach = async (_type: string, body: string) => `/f/${files.push(body)}`
  const ctx = world.as('anonymous', { site, placeId: 'oakton', memo: pageMemory(run), attach })
  const request = new Request(`https://oakton.hub.test${path}`)
  return {
    ctx,
    files,
    args: { request, params, context: { ctx, nonce: '' } } as unknown as LoaderFunctionArgs,
  }
}
const listUntranslatedTexts = (ctx: Parameters<typeof untranslatedIn>[0]) =>
  untranslatedIn(ctx).flatMap((texts) => [...texts])

test('the frame shows translated texts, and notes untranslated ones', async () => {
  const { ctx, args } = visit('es', '/domains')
  const { place, frame } = await hubFrame(args)
  expect(place.displayName).toBe('Roblealto')
  expect(frame.sidebar).toMatchObject([{ name: 'Call', sources: [{ name: 'Abierto' }] }])
  expect(frame.partly).toBe('Partes de esta página están solo en inglés.')
  expect(listUntranslatedTexts(ctx)).toContain('Call')
  expect(listUntranslatedTexts(ctx)).not.toContain('Oakton')
})

test('in its own language nothing changes, and in one without translations all is noted', async () => {
  const own = visit('en', '/domains')
  const { place, frame } = await hubFrame(own.args)
  expect(place.displayName).toBe('Oakton')
  expect(frame.partly).toBeUndefined()
  expect(untranslatedIn(own.ctx)).toEqual([])
  const arabic = visit('ar', '/domains')
  expect((await hubFrame(arabic.args)).place.displayName).toBe('Oakton')
  expect(listUntranslatedTexts(arabic.ctx)).toEqual(expect.arrayContaining(['Oakton', 'open', 'Call']))
})

test('texts of stories are translated, or marked with their language', async () => {
  const htmlIn = async (locale: Locale) => {
    const { args } = visit(locale, '/pages/storytelling/story/preview', { pageId: 'story' })
    const [content] = (await storyPage(args)).contents
    return content && 'html' in content ? content.html : null
  }
  expect(await htmlIn('es')).toBe('<p>Hola</p>')
  expect(await htmlIn('ar')).toBe('<p lang="en" dir="ltr">Hello</p>')
  expect(await htmlIn('en')).toBe('<p>Hello</p>')
})

test('a story without an author is by its organization, under its translated name', async () => {
  for (const [locale, name] of [
    ['es', 'Roblealto'],
    ['en', 'Oakton'],
  ] as const) {
    const { args } = visit(locale, '/pages/storytelling/story/preview', { pageId: 'story' })
    expect((await storyPage(args)).author).toBe(name)
  }
})

test('lists name sources and topics in the language of each page, whichever was rendered first', async () => {
  for (const [locale, source, topic] of [
    ['es', 'Abierto', 'Seguridad'],
    ['en', 'open', 'Safety'],
    ['es', 'Abierto', 'Seguridad'],
    ['ar', 'open', 'Safety'],
  ] as const) {
    const { args, ctx } = visit(locale, '/topics/safety', { topic: 'safety' })
    const page = await topicPage(args)
    expect([page.title, page.sources.map(({ title }) => title)]).toEqual([topic, [source]])
    // Untranslated texts are noted on each page.
    expect(listUntranslatedTexts(ctx).includes('Safety')).toBe(locale === 'ar')
    // The slug is made of the organization's own words, also in search results.
    const base = locale === 'en' ? '' : `/${locale}`
    expect((await topicsIndex(args)).topics).toEqual([
      { name: topic, href: `${base}/topics/safety`, count: 1 },
    ])
    const searchVisit = visit(locale, '/search')
    await hubSearch(searchVisit.args)
    expect(searchVisit.files.join()).toContain('/topics/safety')
    const { topicHref, trust } = await hubSource(
      visit(locale, '/domains/call/source/open', { dataTypeId: 'call', sourceId: 'open' }).args,
    )
    expect([trust?.topic, topicHref]).toEqual([topic, `${base}/topics/safety`])
  }
})

test('catalogues have each text in the languages with a translation', async () => {
  const { args } = visit('en', '/catalog/dcat-ap-3.jsonld')
  const catalogue = JSON.parse((await hubDocument(args))?.body ?? '') as {
    dataset: Record<string, unknown>[]
  }
  expect(catalogue.dataset.map(({ title }) => title)).toEqual([
    [
      { '@value': 'open', '@language': 'en' },
      { '@value': 'Abierto', '@language': 'es' },
    ],
  ])
  expect(catalogue.dataset[0]?.keyword).toContainEqual({ '@value': 'Seguridad', '@language': 'es' })
  expect(JSON.stringify(catalogue)).not.toContain('"ar"')
})

test('the search index of a language has its texts, and only public ones', async () => {
  const { files, args } = visit('es', '/search')
  await hubSearch(args)
  expect(files.join()).toContain('Abierto')
  expect(files.join()).not.toContain('Interior')
  // Untranslated texts are marked as being in the hub's own language.
  const { entries } = JSON.parse(files.at(-1) ?? '') as SearchFile
  const originals = Object.fromEntries(entries.map(({ title, original }) => [title, original]))
  expect(originals).toMatchObject({ Abierto: undefined, Seguridad: undefined, Call: ['title'] })
  const own = visit('en', '/search')
  await hubSearch(own.args)
  expect(own.files.join()).not.toContain('"original"')
})

test('the data dictionary of a source has translated field names', async () => {
  const params = { dataTypeId: 'call', sourceId: 'open' }
  const { args } = visit('es', '/domains/call/source/open/fields', params)
  const page = JSON.stringify(await fieldsPage(args))
  expect(page).toContain('Minutos')
  expect(page).not.toContain('Minutes')
})

test('memoized parts note their untranslated texts for each page that uses them, whichever comes first', async () => {
  const params = { dataTypeId: 'call', sourceId: 'open' }
  const orders = [
    [sourcePage, mainContentOfSource, sourcePage],
    [mainContentOfSource, sourcePage, mainContentOfSource],
  ]
  for (const makers of orders) {
    const run = hubMemory()
    for (const make of makers) {
      const { ctx, args } = visit('es', '/domains/call/source/open', params, run)
      await make(args)
      expect(listUntranslatedTexts(ctx), make.name).toContain('Call')
    }
  }
})
