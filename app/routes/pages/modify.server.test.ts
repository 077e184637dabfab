import { allLanguages } from '#functions/shapes/locale.ts'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storySummaries } from '#app/server/hub-stories.server.ts'
import { pageAction } from './modify.server.ts'
import { call } from '#functions/api/call.ts'
import type { Site } from '#functions/context.ts'
import { readManifest } from '#functions/edge/hub/manifest.ts'
import type { VisitPath } from '#functions/jobs/publish/make-hub.ts'
import { publishOutbox } from '#functions/jobs/publish/publish.ts'
import { v1 } from '#functions/v1/index.ts'
import { draftName } from '#app/client/drafts/drafts.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld, type Person, type TestContext } from '#db/worlds/world.ts'

let world: TestWorld
let product: TestContext
const [hubs, files] = [memoryBucket(), memoryBucket()]
beforeAll(async () => {
  world = await openWorld(city)
  product = world.as('system', { hubs, files })
  await product.db.updateTable('place').set({ isHub: false }).where('id', '!=', 'oakton').execute()
  await show(['oakton'])
})
afterAll(() => world.close())

/** Brings the hub up to date; what its pages say is not of interest here. */
const visit: VisitPath = async (_hub, path, languages) => {
  const status = { '/error': 500, '/404': 404 }[path] ?? 200
  const page = { status, type: 'text/html', body: path, files: [], tags: ['pages:oakton'] }
  return languages.map((locale) => ({ locale, ...page }))
}
const show = (whole: string[] = []) => publishOutbox(product, visit, () => {}, whole)

const params = { placeId: 'oakton', pageId: 'story' }
const page = (person: Person = 'organization_admin') =>
  call(v1.place.page.findById, world.as(person), { params })

async function does(fields: Record<string, string>, person: Person = 'content_admin') {
  const ctx = world.as(person)
  const { origin } = ctx.site
  const body = new URLSearchParams(fields)
  const request = new Request(`${origin}/pages/storytelling/story/modify`, {
    ...{ method: 'POST', headers: { origin }, body },
  })
  return pageAction({ request, params: { pageId: 'story' }, context: { ctx, nonce: '' } } as never)
}

/** In which languages the hub has the page, and whether its list of stories names it. */
async function onHub() {
  await show()
  const { manifest } = await product.db
    .selectFrom('hub')
    .select('manifest')
    .where('placeId', '=', 'oakton')
    .executeTakeFirstOrThrow()
  const paths = Object.keys((await readManifest(hubs, 'oakton', manifest))?.pages ?? {})
  const site = {
    mode: 'hub',
    placeId: 'oakton',
    canonicalHost: 'oakton.hub.test',
    locale: 'en',
    languages: allLanguages,
  } as Site
  const ctx = world.as('anonymous', { site, placeId: 'oakton' })
  const request = new Request('https://oakton.hub.test/datastories')
  const summaries = await storySummaries(
    { request, params: {}, context: { ctx } } as unknown as LoaderFunctionArgs,
    9,
  )
  return {
    pages: paths.filter((path) => path.endsWith(' /pages/storytelling/story/preview')).length,
    files: paths.filter((path) => path.includes('story.png')).length,
    isListed: summaries.some(({ id }) => id === 'story'),
  }
}
const noPresence = { pages: 0, files: 0, isListed: false }

test('a page made less visible leaves the hub, and visitors no longer find it', async () => {
  const presence = await onHub()
  expect(presence).toEqual({ pages: 6, files: 6, isListed: true })
  for (const visibility of ['place', 'private']) {
    expect(await does({ intent: 'publish', visibility })).toMatchObject({
      ok: true,
      result: { publish: 'published', visibility },
    })
    expect(await onHub()).toEqual(noPresence)
    await expect(page('anonymous')).rejects.toMatchObject({ kind: 'notFound' })
  }
  await expect(page('viewer')).rejects.toMatchObject({ kind: 'notFound' })
  expect(await does({ intent: 'publish', visibility: 'public' })).toMatchObject({ ok: true })
  expect(await onHub()).toEqual(presence)
})

test('publishing is for everyone by default; an unknown level is rejected', async () => {
  await does({ intent: 'unpublish' })
  expect(await does({ intent: 'publish', visibility: 'place' })).toMatchObject({ ok: true })
  await does({ intent: 'unpublish' })
  expect(await page()).toMatchObject({ publish: 'draft', visibility: 'place' })
  expect(await does({ intent: 'publish' })).toMatchObject({ ok: true, result: { visibility: 'public' } })
  expect(await does({ intent: 'publish', visibility: 'friends' })).toMatchObject({
    ...{ ok: false, status: 400, issues: [{ path: ['visibility'] }] },
  })
  expect(await page()).toMatchObject({ publish: 'published', visibility: 'public' })
})

test('a page with barriers cannot become more visible, but always less visible', async () => {
  await call(v1.place.page.content.create, world.as('content_admin'), {
    params,
    data: { kind: 'image', settings: { url: '/m/picture' } },
  })
  expect(await does({ intent: 'publish', visibility: 'place' })).toMatchObject({ ok: true })
  const outcome = await does({ intent: 'publish', visibility: 'public' })
  expect(outcome).toMatchObject({
    ok: false,
    status: 400,
    issues: [{ message: expect.stringContaining('describe') }],
  })
  expect(await does({ intent: 'unpublish' })).toMatchObject({ ok: true })
  expect(await does({ intent: 'publish', visibility: 'private' })).toMatchObject({ ok: false, status: 400 })
  expect(await page()).toMatchObject({ publish: 'draft', visibility: 'place' })
})

test('a block is added under the id from the browser, and only once', async () => {
  const fields = {
    intent: 'content.add',
    kind: 'text',
    html: '<p>Once</p>',
    contentId: 'made-in-the-browser',
  }
  expect(await does(fields)).toMatchObject({ ok: true, result: { id: 'made-in-the-browser', version: 1 } })
  // Its answer was lost, so it is sent again.
  expect(await does(fields)).toMatchObject({ ok: false, status: 409 })
  const { results } = await call(v1.place.page.content.find, world.as('organization_admin'), { params })
  expect(results.filter(({ id }) => id === 'made-in-the-browser')).toHaveLength(1)
})

test('the text of one person is not saved as that of another who has signed in since', async () => {
  const fields = { intent: 'content.save', kind: 'text', html: '<p>Mine</p>', contentId: 'hello' }
  const getDraftName = (userId: string) =>
    draftName({ userId, placeId: 'oakton', thing: 'page/story', field: 'hello' })
  const outcome = await does({ ...fields, kept: getDraftName('organization_admin') })
  expect(outcome).toMatchObject({ ok: false, status: 401, kind: 'otherUser' })
  expect(await does({ ...fields, kept: getDraftName('content_admin') })).toMatchObject({ ok: true })
})
