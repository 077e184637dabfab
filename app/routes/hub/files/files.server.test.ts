import { createStaticHandler, type LoaderFunctionArgs as RouteArgs } from '@remix-run/router'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SaxesParser } from 'saxes'
import table from '#app/routes.ts'
import { hubState } from '#functions/domain/hub/hubs.ts'
import { allLanguages, type Locale } from '#functions/shapes/locale.ts'
import { hubFiles } from '#functions/edge/hub/hub-files.ts'
import { openProofWorld, type ProofWorld } from '#functions/v1/testing/world.testing.ts'
import type { TestContext } from '#db/worlds/world.ts'

let world: ProofWorld
let paths: string[]
const hostile = '</script><script>alert(1)</script>&"'

beforeAll(async () => {
  world = await openProofWorld()
  const system = world.as('system')
  // Beside the canaries: a name that wants to be code, as someone may give a public source.
  await system.db.updateTable('source').set({ name: hostile }).where('id', '=', 'spots').execute()
  const draws = (id: string, pageId: string) => ({
    ...{ id, placeId: 'oakton', pageId, kind: 'insight' as const, position: 9 },
    settings: JSON.stringify({ insightId: 'calls' }),
  })
  await system.db
    .insertInto('content')
    .values([draws('drawn', 'story'), draws('drawn-in-secret', 'secret-page')])
    .execute()
  const state = await hubState(system, 'oakton')
  if (!state) throw new Error('The world has no hub.')
  paths = hubFiles(state).map(({ path }) => path)
})
afterAll(() => world.close())

/** Every file's own route, from the table that the Worker has. */
const routes = (table as { path?: string; file: string }[])
  .filter(({ file }) => file.startsWith('routes/hub/files/'))
  .map(({ path, file }) => ({
    path: `/${path}`,
    async loader(args: RouteArgs<{ ctx: TestContext }>) {
      const module = (await import(/* @vite-ignore */ `../../../${file}`)) as {
        loader(args: unknown): Promise<Response>
      }
      return module.loader({ ...args, context: { ctx: args.context?.ctx, nonce: '' } })
    },
  }))

/** What a visitor of the hub gets, with what was kept beside it. */
async function visit(path: string, locale: Locale = 'en') {
  const attachments: string[] = []
  const ctx = world.as('anonymous', {
    site: {
      ...{ mode: 'hub', host: 'oakton.test', origin: 'http://oakton.test', placeId: 'oakton' },
      ...{ canonicalHost: 'oakton.test', locale, languages: allLanguages },
    },
    placeId: 'oakton',
    attach: async (_type: string, body: string) => `/f/${attachments.push(body)}`,
  })
  const { queryRoute } = createStaticHandler(routes)
  const response = (await queryRoute(new Request(`http://oakton.test${path}`), {
    requestContext: { ctx },
  }).catch((error: unknown) => error)) as Response
  if (!(response instanceof Response)) throw response
  const type = response.headers.get('content-type') ?? ''
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = type.startsWith('image/') ? '' : bytes.toString()
  return {
    status: response.status,
    type,
    text,
    bytes,
    attachedText: attachments.join('\n'),
    depends: ctx.depends,
  }
}

test('every file of a hub is served by a route, with its type, and contains nothing private', async () => {
  const anonymous = world.asker('anonymous').actor
  expect(paths.length).toBeGreaterThan(20)
  expect(paths.filter((path) => path.startsWith('/embed/pages/'))).toEqual(['/embed/pages/story/calls'])
  for (const path of paths) {
    const { status, type, text, attachedText } = await visit(path)
    expect([path, status]).toEqual([path, 200])
    expect([path, world.leaks(text + attachedText, anonymous)]).toEqual([path, []])
    expect(text).not.toMatch(/secret|inner/)
    if (/json/.test(type)) expect(() => void JSON.parse(text), path).not.toThrow()
    if (/xml/.test(type))
      expect(() => new SaxesParser({ xmlns: true }).write(text).close(), path).not.toThrow()
    if (/html/.test(type))
      // A frame has the script of hub pages, and no other.
      expect(text.replace('<script type="module" src="/hub/hub.js"></script>', ''), path).not.toContain(
        '<script',
      )
    if (path.endsWith('.png')) expect(type).toBe('image/png')
    if (!path.startsWith('/og/')) continue
    // One file beside it: what oEmbed says of the page.
    expect(Object.keys(JSON.parse(attachedText) as object), path).toEqual(['title', 'place', 'isFigure'])
  }
}, 240_000)

test('the test is meaningful: canaries of the public source are in the catalogue', async () => {
  const { text } = await visit('/data.json')
  const member = { ...world.asker('organization_admin').actor }
  expect(text).toMatch(/cnry[0-9a-f]{16}/)
  expect(world.leaks(text, member)).toEqual([])
})

test('a picture is in English where no font of pictures has the characters of its language', async () => {
  const picture = async (locale: Locale) =>
    (await visit('/og/domains/spot/source/spots.png', locale)).bytes.toString('base64')
  const english = await picture('en')
  expect((await picture('ja')) === english).toBe(true)
  expect((await picture('de')) === english).toBe(false)
}, 60_000)

test('an embed is in the language of its page, and links back to it', async () => {
  const path = '/embed/domains/spot/source/spots'
  const english = await visit(path)
  const arabic = await visit(path, 'ar')
  expect(english.text).toContain('<html lang="en" dir="ltr" data-embed>')
  expect(arabic.text).toContain('<html lang="ar" dir="rtl" data-embed>')
  expect(arabic.text).toMatch(/href="[^"]*\/ar\/domains\/spot\/source\/spots"/)
  const dateIn = (text: string) => /<footer>.*· ([^<]*)</.exec(text)?.[1]
  expect(dateIn(arabic.text)).toMatch(/[\u0600-\u06ff]/)
  expect(dateIn(arabic.text)).not.toBe(dateIn(english.text))
})

test('the catalogue is made again for its sources, a source’s feed only for that source', async () => {
  expect([...(await visit('/data.json')).depends]).toEqual(
    expect.arrayContaining(['sources:oakton', 'source:open', 'source:spots']),
  )
  const { depends } = await visit('/domains/call/source/open/feed.atom')
  expect([...depends]).toContain('source:open')
  expect([...depends]).not.toContain('source:spots')
})

test.each([
  '/domains/call/source/secret/feed.atom',
  '/domains/spot/source/open/feed.atom',
  '/embed/domains/call/source/secret',
  '/embed/pages/secret-page/calls',
  '/embed/pages/story/nothing',
  '/og/domains/call/source/secret.png',
  '/og/pages/secret-page.png',
  '/og/pages/draft.png',
  '/og/nothing.png',
  '/catalog/dcat-ap-3/2.ttl',
  '/catalog/nothing.ttl',
  '/sitemaps/1.xml',
])('%s is not found', async (path) => {
  expect((await visit(path)).status).toBe(404)
})

test('the file of a figure whose question fails says so, so that the hub can be published', async () => {
  const { db } = world.as('system')
  const { query } = await db
    .selectFrom('insight')
    .select('query')
    .where('id', '=', 'calls')
    .executeTakeFirstOrThrow()
  const ask = (queryText: string) =>
    db.updateTable('insight').set({ query: queryText }).where('id', '=', 'calls').execute()
  await ask('{"filters":{"removed":1}}')
  const { status, text, depends } = await visit('/embed/pages/story/calls')
  await ask(JSON.stringify(query))
  expect([status, text.includes('This figure is not available at the moment.')]).toEqual([200, true])
  // It is rendered again once the question can be answered.
  expect([...depends]).toContain('insight:calls')
})

test('a feed of records has an entry for each, with its key and the time of its change', async () => {
  const { text } = await visit('/domains/spot/source/spots/feed.json')
  const feed = JSON.parse(text) as { title: string; items: { id: string }[] }
  expect(feed.title).toContain(hostile)
  expect(feed.items.length).toBeGreaterThan(0)
  for (const { id } of feed.items)
    expect(id).toMatch(/^tag:oakton\.localhost,\d{4}-\d\d-\d\d:source\/spots\/record\//)
})
