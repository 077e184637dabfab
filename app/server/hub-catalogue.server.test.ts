import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hubDocument } from '#app/routes/hub/files/catalogue.server.ts'
import { hubSearch } from '#app/routes/hub/search.server.ts'
import { hubDomains } from '#app/routes/hub/domains.server.ts'
import { domainPage, topicPage, topicsIndex } from '#app/routes/hub/catalogue-group.server.ts'
import type { Site } from '#functions/context.ts'
import { hubPages } from '#functions/edge/hub/hub-pages.ts'
import { hubState } from '#functions/domain/hub/hubs.ts'
import { hubMemory, pageMemory } from '#functions/platform/cache/memo.ts'
import { allLanguages } from '#functions/shapes/locale.ts'
import { topicPath } from '#functions/shapes/topic.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'
import { hubFrame } from './hub-frame.server.ts'
import { hubHome } from './hub-home.server.ts'
import { hubSource } from './hub-source.server.ts'
import { describeStory } from './hub-facts/things.server.ts'
import { storySummaries } from './hub-stories.server.ts'
import { storyPage } from './story.server.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

function visit(params: object = {}, locale = 'en', path = '/', placeId = 'oakton') {
  const site = {
    ...{ mode: 'hub', placeId, host: 'oakton.hub.test', origin: 'https://oakton.hub.test' },
    ...{ canonicalHost: 'oakton.hub.test', locale, languages: allLanguages },
  } as Site
  const ctx = world.as('anonymous', {
    ...{ site, placeId, attach: async () => '/f/x' },
    ...{ memo: pageMemory(hubMemory()), depends: new Set<string>() },
  })
  const context = { ctx, nonce: '' }
  const request = new Request(`https://oakton.hub.test${path}`)
  return { request, params, context } as unknown as LoaderFunctionArgs
}
const getDependencies = (args: LoaderFunctionArgs) => [...args.context.ctx.depends]
const titles = (rows: { title: string }[]) => rows.map(({ title }) => title)

const noCreator = { createdBy: null }
const nasty = [`a/b/../${'ü'.repeat(300)}`.slice(0, 100), '🚲', 'الصحة العامة', '<b>"x"</b>']

/** A source of Oakton with the members that matter here. */
const source = (
  id: string,
  more: { topic?: string | null; dataTypeId?: string; visibility?: 'public' | 'private' } = {},
) => ({
  ...{
    id,
    name: id,
    placeId: 'oakton',
    dataTypeId: 'call',
    visibility: 'public' as const,
    ...noCreator,
    ...more,
  },
})

test('a place with one indicator shows it with its facts, and without ways to choose', async () => {
  const home = await hubHome(visit())
  expect(home.cards).toEqual([
    expect.objectContaining({
      href: '/domains/call/source/open',
      domain: 'Call',
      facts: expect.any(Array) as unknown,
    }),
  ])
  expect(home.cards[0]?.facts[0]).toMatch(/^\d+ records$/)
  expect([home.topics, home.newest, home.all]).toEqual([[], [], undefined])
})

describe('of a place with three hundred indicators', () => {
  beforeAll(async () => {
    const { db } = world.as('system')
    const many = Array.from({ length: 300 }, (_, i) =>
      source(`s${String(i).padStart(3, '0')}`, {
        topic: i < 4 ? (nasty[i] ?? '') : i < 150 ? ['Water', 'water', 'Water '][i % 3] : `Topic ${i % 20}`,
        dataTypeId: i < 200 ? 'call' : 'tree',
      }),
    )
    await db
      .insertInto('source')
      .values([...many, source('closed', { topic: 'Secret plans', visibility: 'private' })])
      .execute()
    await db
      .insertInto('insight')
      .values({
        ...{
          id: 'of-s010',
          placeId: 'oakton',
          name: 'Of ten',
          visibility: 'public',
          dataTypeId: 'call',
          sourceId: 's010',
        },
        ...{ query: '{}', visualization: '{"type":"bar"}', ...noCreator },
      })
      .execute()
    const part = { placeId: 'oakton', pageId: 'story', ...noCreator }
    await db
      .insertInto('content')
      .values([
        { id: 'shows', kind: 'insight', settings: '{"insightId":"of-s010"}', position: 1, ...part },
        { id: 'shows-2', kind: 'insight', settings: '{"insightId":"of-s010"}', position: 2, ...part },
        { id: 'photo', kind: 'image', settings: '{"url":"/m/1/a.jpg","alt":"Rain"}', position: 3, ...part },
      ])
      .execute()
  })

  test('the author of a story is the one it names, else the publisher, else the organization', async () => {
    const { db } = world.as('system')
    const readAuthors = async () => {
      const [card] = await storySummaries(visit({}), 1)
      const feed = await hubDocument(visit({}, 'en', '/datastories/feed.atom'))
      const { author } = await storyPage(visit({ pageId: 'story' }))
      const thing = (await describeStory(visit({ pageId: 'story' })))?.thing.author as { name: string }
      return [card?.author, author, thing.name, /<entry>.*<author><name>([^<]*)/.exec(feed?.body ?? '')?.[1]]
    }
    expect(await readAuthors()).toEqual(['Oakton', 'Oakton', 'Oakton', undefined])
    await db.updateTable('place').set({ publisher: 'City of Oakton' }).where('id', '=', 'oakton').execute()
    expect((await readAuthors()).slice(0, 2)).toEqual(['City of Oakton', 'City of Oakton'])
    await db.updateTable('page').set({ author: 'Ada' }).where('id', '=', 'story').execute()
    expect(await readAuthors()).toEqual(['Ada', 'Ada', 'Ada', 'Ada'])
    await db.updateTable('page').set({ author: '' }).where('id', '=', 'story').execute()
    await db.updateTable('place').set({ publisher: '' }).where('id', '=', 'oakton').execute()
  })

  test('every topic has a page, whatever its name, and private sources have none', async () => {
    const hub = await hubState(world.as('system'), 'oakton')
    const paths = hub ? hubPages(hub).map(({ path }) => path) : []
    const topics = paths.filter((path) => path.startsWith('/topics/'))
    expect(new Set(topics).size).toBe(topics.length)
    expect(topics).toEqual(expect.arrayContaining([...nasty, 'Water', 'Topic 3', 'Safety'].map(topicPath)))
    expect(paths.join()).not.toContain('secret-plans')
    for (const topic of nasty) {
      const slug = decodeURIComponent(topicPath(topic).slice('/topics/'.length))
      expect((await topicPage(visit({ topic: slug }))).title).toBe(topic.trim())
    }
    const { topics: listedTopics } = await topicsIndex(visit({}, 'ar'))
    expect(listedTopics[0]).toEqual({ name: 'Water', href: '/ar/topics/water', count: 146 })
    expect(listedTopics.map(({ name }) => name)).not.toContain('Secret plans')
  })

  test('the sidebar lists the sources near the current one, a few of other domains, and links to all', async () => {
    const sidebarAt = async (path: string, locale = 'en') =>
      (await hubFrame(visit({}, locale, path))).frame.sidebar ?? []
    const [calls, trees] = await sidebarAt('/domains/call/source/s100')
    expect(calls?.sources.map(({ id }) => id)).toEqual(
      Array.from({ length: 15 }, (_, i) => `s${String(93 + i).padStart(3, '0')}`),
    )
    expect(calls?.all).toEqual({ href: '/search?search=&kind=indicator&domain=call', label: 'Show all: 201' })
    expect([trees?.sources.length, trees?.all?.label]).toEqual([10, 'Show all: 100'])
    const last = (await sidebarAt('/domains/call/source/s199/fields'))[0]?.sources.map(({ id }) => id)
    expect([last?.length, last?.includes('s199')]).toEqual([15, true])
    const index = await sidebarAt('/domains', 'ar')
    expect(index.map(({ sources }) => sources.length)).toEqual([10, 10])
    expect(index[0]?.all?.href).toBe('/ar/search?search=&kind=indicator&domain=call')
  })

  test('a topic page lists a bounded number, links to all, and follows the data of what it shows', async () => {
    const args = visit({ topic: 'water' })
    const page = await topicPage(args)
    expect([page.sources.length, page.count, page.domains]).toEqual([100, 146, ['Call']])
    expect(page.allHref).toBe('/search?search=&kind=indicator&topic=Water')
    expect(page.orders.map(({ href }) => new URLSearchParams(href).get('sort'))).toEqual([
      ...['name', 'updated', 'records'],
    ])
    expect(getDependencies(args)).toEqual(expect.arrayContaining(['source:s004', 'sources:oakton']))
    expect(getDependencies(args)).not.toContain('source:s299')
    expect(titles(page.stories)).toEqual(['story'])
    expect((await topicPage(visit({ topic: 'topic-3' }))).stories).toEqual([])
    await expect(topicPage(visit({ topic: 'secret-plans' }))).rejects.toMatchObject({ status: 404 })
    await expect(topicPage(visit({ topic: '../water' }))).rejects.toMatchObject({ status: 404 })
  })

  test('every domain with public data has a page in each language, and no other has one', async () => {
    const hub = await hubState(world.as('system'), 'oakton')
    const paths = hub ? hubPages(hub).map(({ path }) => path) : []
    const pages = paths.filter((path) => /^\/domains\/[^/]+$/.test(path))
    expect(pages.sort()).toEqual(['/domains/call', '/domains/tree'])
    const args = visit({ dataTypeId: 'call' }, 'ar', '/domains/call')
    const page = await domainPage(args)
    expect([page.title, page.sources.length, page.count]).toEqual(['Call', 100, 201])
    expect(page.allHref).toBe('/ar/search?search=&kind=indicator&domain=call')
    expect(page.crumbs.map(({ href }) => href)).toEqual(['/ar/domains'])
    expect(getDependencies(args)).toEqual(expect.arrayContaining(['source:s000', 'sources:oakton']))
    for (const dataTypeId of ['nothing', '../call', 'toString'])
      await expect(domainPage(visit({ dataTypeId }))).rejects.toMatchObject({ status: 404 })
    const sitemap = (await hubDocument(visit({}, 'en', '/sitemap.xml')))?.body ?? ''
    for (const path of pages) expect(sitemap).toContain(`${path}</loc>`)
  })

  test('the home page has topics, domains and the newest data, each bounded, with links to the rest', async () => {
    const home = await hubHome(visit())
    expect([home.cards.length, home.topics.length, home.newest.length]).toEqual([0, 12, 0])
    expect(home.domains.map(({ name, sourcesCount, href }) => [name, sourcesCount, href])).toEqual([
      ['Call', 201, '/domains/call'],
      ['Tree', 100, '/domains/tree'],
    ])
    expect(home.all).toEqual({ href: '/search?search=&kind=indicator', label: 'Show all: 301' })
    const { domains } = await hubDomains(visit())
    expect(domains.map(({ sources, all }) => [sources.length, all?.href])).toEqual([
      [12, '/search?search=&kind=indicator&domain=call'],
      [12, '/search?search=&kind=indicator&domain=tree'],
    ])
  })

  test('the newest data come first, and sources without data are left out', async () => {
    const { db } = world.as('system')
    const days = { s005: '2026-11-20', s200: '2026-11-24', s011: '2026-11-22' }
    for (const [id, day] of Object.entries(days))
      await db
        .updateTable('source')
        .set({ dataUpdatedAt: new Date(day) })
        .where('id', '=', id)
        .execute()
    expect(titles((await hubHome(visit())).newest)).toEqual(['s200', 's011', 's005'])
  })

  test('a story summary has its topics, its parts and its picture', async () => {
    const args = visit()
    const [story, ...others] = await storySummaries(args, 10)
    expect(others).toEqual([])
    expect(story).toMatchObject({
      image: { src: '/m/1/a.jpg', alt: 'Rain' },
      topics: [{ title: 'water', href: '/topics/water' }],
      sources: [{ title: 's010', href: '/domains/call/source/s010' }],
    })
    expect(getDependencies(args)).toContain('use:story')
  })

  test('related sources are few, each with a reason, and the page is rendered again when a story begins to use it', async () => {
    const args = visit({ dataTypeId: 'call', sourceId: 's010' })
    const { related, topicHref } = await hubSource(args)
    expect(topicHref).toBe('/topics/water')
    expect(related).toHaveLength(6)
    expect(new Set(related.map(({ note }) => note))).toEqual(new Set(['also Call']))
    expect(related.map(({ href }) => href)).not.toContain('/domains/call/source/s010')
    expect(getDependencies(args)).toEqual(expect.arrayContaining(['use:s010', 'use:story']))
    const other = await hubSource(visit({ dataTypeId: 'call', sourceId: 's100' }))
    expect(titles(other.related)).not.toEqual(titles(related))
  })
})

test('a data type that is hidden on a hub is missing from its lists, counts and results', async () => {
  const { db } = world.as('system')
  const placeId = 'nyc-ny'
  await db
    .insertInto('place')
    .values({
      ...{ id: placeId, name: placeId, displayName: 'New York', isHub: true, timeZone: 'America/New_York' },
      ...{ theme: '{}', mapConfiguration: '{}', ...noCreator },
    })
    .execute()
  const { schema } = await db
    .selectFrom('dataType')
    .select('schema')
    .where('id', '=', 'call')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('dataType')
    .values({ id: 'issue', name: 'Issue', schema: JSON.stringify(schema), ownerPlaceId: null, ...noCreator })
    .execute()
  await db
    .insertInto('source')
    .values([
      { ...source('nyc-calls'), placeId },
      { ...source('nyc-issues', { dataTypeId: 'issue' }), placeId },
    ])
    .execute()
  const args = visit({}, 'en', '/', placeId)
  const { frame } = await hubFrame(args)
  expect([frame.indicatorsCount, (frame.sidebar ?? []).map(({ id }) => id)]).toEqual([1, ['call']])
  expect((await hubHome(args)).cards.map(({ href }) => href)).toEqual(['/domains/call/source/nyc-calls'])
  const texts: string[] = []
  args.context.ctx.attach = async (_type, body) => `/f/${texts.push(String(body))}`
  await hubSearch(args)
  expect(texts.join()).toContain('nyc-calls')
  expect(texts.join()).not.toMatch(/nyc-issues|Issue/)
})
