import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHubs } from './trouble.testing.ts'
import { writeEdges } from './edge.ts'
import { call } from '#functions/api/call.ts'
import type { Settings } from '#functions/context.ts'
import { prepareSource } from '#functions/domain/dataset/export-prepare.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { serveClosedHost } from '#functions/edge/hub/closed-host.ts'
import { fileKey, readManifest, writeManifest } from '#functions/edge/hub/manifest.ts'
import { readPlaceState } from '#functions/edge/hub/place-state.ts'
import { readHost } from '#functions/edge/hub/snapshot.ts'
import { resolve } from '#functions/edge/hub/resolve.ts'
import { isOfClosedPlace } from '#functions/edge/media/withheld.ts'
import { answerByRoute, findRoute, routes, type EdgeServices } from '#functions/edge/routes.ts'
import { storeLink } from '#functions/engine/address/short-link.ts'
import { placeHostnames } from '#functions/engine/address/urls.ts'
import { buildSignedPath, uploadPath } from '#functions/engine/media/address.ts'
import { buildStorageKey } from '#functions/engine/media/keys.ts'
import { boundaryKey, setArchiveKey } from '#functions/engine/tile/manifest.ts'
import type { Env } from '#functions/settings.ts'
import { v1 } from '#functions/v1/index.ts'
import { tileMaker } from '#functions/v1/record-tile.ts'
import { serveV1 } from '#functions/v1/serve.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

/**
 * A closed place is not served anywhere: requests every route of the edge, on its own host, the workspace and
 * another place's host, before it is closed, after, and after it is reopened.
 */
let world: TestWorld
let hubs: ReturnType<typeof openHubs>
let env: Env
let settings: Settings
const tiles = memoryBucket()
const id = (end: string) => `0b9c7f52-2f6c-4a3e-9a51-7d3f0f5a1${end}`
const [photo, sheet, coming, far] = [id('a01'), id('a02'), id('a03'), id('a04')]
const hash = 'a'.repeat(12)
const assetBody = 'A file of the build.'

/** The requested host: the place's own, another place's, or null for the workspace. */
type HostName = 'oakton' | 'elmsford' | null

async function ask(on: HostName, path: string, init: RequestInit = {}) {
  const [host = ''] = on === null ? [settings.appHost] : placeHostnames({ id: on, domains: [] }, settings)
  const url = new URL(path, `http://${host}${on === null ? '' : ':8787'}`)
  const request = new Request(url, init)
  const resolved = await resolve(url.host, settings, (name) => readHost(env.HUBS, name))
  if (!resolved || 'redirect' in resolved) throw new Error(`Nothing is at ${url.host}.`)
  if ('closed' in resolved) return serveClosedHost(request, resolved)
  const { site, snapshot } = resolved
  const placeId = site.mode === 'hub' ? site.placeId : null
  const execution = { waitUntil: () => {} }
  const services: EdgeServices = {
    answer: async (apiRequest) => serveV1(apiRequest, world.as('anonymous', { site })),
    makeTile: tileMaker(async () => ({ ctx: world.as('anonymous'), close: async () => {} })),
    countHits: async () => {},
    countEmptySearch: () => {},
    receiveReport: async () => null as never,
    answerBeacon: async () => new Response(null, { status: 204 }),
  }
  const answered = await answerByRoute(
    { request, url, env, settings, site, placeId, snapshot, execution },
    services,
  )
  return answered?.response ?? new Response(null, { status: 404 })
}

/** A URL of each route with content of Oakton, and its host. */
let samples: { on: HostName; path: string; init?: RequestInit; isOfNobody?: true }[]

const file = (fileId: string, purpose: 'library' | 'source', changes: object = {}) => ({
  ...{ id: fileId, placeId: 'oakton', name: 'rain.png', type: 'image/png', size: 8, createdBy: null },
  ...{ key: buildStorageKey(fileId, purpose), state: 'ready' as const, purpose, ...changes },
})

beforeAll(async () => {
  world = await openWorld(city)
  hubs = openHubs(world)
  const { ctx } = hubs
  ctx.tiles = tiles
  settings = ctx.settings
  env = {
    ...{ HUBS: hubs.hubs, FILES: ctx.files, TILES: tiles },
    ASSETS: { fetch: async () => new Response(assetBody) },
  } as unknown as Env
  await ctx.db.updateTable('place').set({ isHub: true }).execute()
  await ingest(ctx, 'open', [{ type: 'flood', minutes: 4 }])
  await ctx.db
    .insertInto('asset')
    .values([
      file(photo, 'library'),
      file(sheet, 'source', { sourceId: 'open' }),
      file(coming, 'library', { state: 'waiting' }),
      file(far, 'library', { placeId: 'elmsford' }),
    ])
    .execute()
  for (const each of [photo, far])
    await ctx.files.put(buildStorageKey(each, 'library'), 'the rain', {
      httpMetadata: { contentType: 'image/png' },
    })
  await ctx.files.put(buildStorageKey(sheet, 'source'), 'the calls')
  await storeLink(hubs.hubs, 'OnTheHub1', { placeId: 'oakton', path: '/domains', onHub: true })
  await storeLink(hubs.hubs, 'AtWork123', { placeId: 'oakton', path: '/sources', onHub: false })
  await hubs.publish(['oakton', 'elmsford'])
  await prepareSource(ctx, 'open')
  await writeEdges(ctx, ['oakton', 'elmsford'])
  await plantSet()
  await plantFile()
  samples = await listSamples()
}, 120_000)
afterAll(() => world.close())

/** Creates a public boundary set of the place. */
async function plantSet() {
  await hubs.ctx.db
    .insertInto('boundarySet')
    .values({
      ...{ id: 'wards', placeId: 'oakton', name: 'Wards', visibility: 'public', createdBy: null },
      ...{ areaCount: 0, vertexCount: 0, findingCount: 0, bounds: '[0, 0, 1, 1]' },
      ...{ fields: '[]', findings: '[]', nameField: null, codeField: null, parentId: null },
    })
    .execute()
  await tiles.put(boundaryKey('wards'), '{}')
  await tiles.put(setArchiveKey('wards', hash), 'the wards')
}

/** Creates a file of a hub page. */
async function plantFile() {
  const { manifest: n } = await hubs.ctx.db
    .selectFrom('hub')
    .select('manifest')
    .where('placeId', '=', 'oakton')
    .executeTakeFirstOrThrow()
  const manifest = await readManifest(hubs.hubs, 'oakton', n)
  const home = manifest?.pages['en /']
  if (!manifest || !home) throw new Error('The hub has no home.')
  const number = n + 1
  await hubs.hubs.put(fileKey('oakton', 'aaaa.json'), '{"type":"rain"}')
  const pages = { ...manifest.pages, 'en /': { ...home, files: ['aaaa.json'] } }
  await writeManifest(hubs.hubs, { ...manifest, number, pages })
  await hubs.ctx.db.updateTable('hub').set({ manifest: number }).where('placeId', '=', 'oakton').execute()
  await writeEdges(hubs.ctx, ['oakton'])
}

async function listSamples(): Promise<typeof samples> {
  const secret = settings.authSecret
  const expiresAt = new Date(Date.now() + 60_000)
  const upload = { fileId: coming, type: 'image/png', size: 8, expiresAt }
  const insight = `http://${settings.appHost}/insights/calls`
  const version = (await readPlaceState(hubs.hubs, 'oakton'))?.sources.open?.version ?? 0
  const everywhere = [
    '/e/open/data.csv',
    '/e/open/manifest.json',
    '/v1/sources/open/export.csv',
    '/v1/places/oakton/sources/open/export.csv',
    '/v1/sources/open/export.kml',
    '/v1/places/oakton/sources',
    '/v1/sources/open/data',
    '/v1/places/oakton/insights/calls/analytics',
    '/v1/places/oakton',
    `/oembed?url=${encodeURIComponent(insight)}`,
    '/a/boundaries/wards.geojson',
    `/a/sets/wards/${hash}.pmtiles`,
    `/t/points/oakton/source/open@${version}/0/0/0.mvt`,
    `/t/shapes/oakton/source/open@${version}/0/0/0.mvt`,
    `/m/${photo}/rain.png`,
    await buildSignedPath({ id: sheet, name: 'calls.csv' }, expiresAt, secret),
    '/s/OnTheHub1',
    '/s/AtWork123',
  ]
  const hubPaths = [
    '/.well-known/hub-place',
    '/beacon',
    '/robots.txt',
    '/f/aaaa.json',
    '/domains/call/source/open/data',
    '/domains/call/source/open/report',
    '/',
    '/fr',
    '/sitemap.xml',
  ]
  return [
    ...everywhere.flatMap((path) => [
      { on: 'oakton' as const, path },
      { on: null, path },
    ]),
    ...everywhere.slice(-4, -2).map((path) => ({ on: 'elmsford' as const, path })),
    ...hubPaths.map((path) => ({ on: 'oakton' as const, path })),
    {
      ...{ on: null, path: await uploadPath(upload, secret) },
      init: {
        method: 'PUT',
        body: '12345678',
        headers: { 'content-type': 'image/png', 'content-length': '8' },
      },
    },
    // Content without a place is always served.
    { on: null, path: '/v1/openapi.json', isOfNobody: true },
    { on: null, path: '/assets/editor.js', isOfNobody: true },
    { on: null, path: `/m/${far}/rain.png`, isOfNobody: true },
    // Tiles of built-in boundaries, of which this world has none.
    { on: null, path: `/t/${hash}/0/0/0.mvt`, isOfNobody: true },
  ]
}

const getPathname = (path: string) => new URL(path, 'http://a.test').pathname
const isAnswered = ({ status }: Response) => status < 400

const statuses = new Map<string, number>()

/**
 * Returns the URLs with an unexpected response: of the place if it should be served, or not; of no place as
 * before.
 */
async function answered(want: boolean): Promise<string[]> {
  const wrong: string[] = []
  for (const { on, path, init, isOfNobody } of samples) {
    const response = await ask(on, path, init)
    const before = statuses.get(`${on} ${path}`) ?? response.status
    statuses.set(`${on} ${path}`, before)
    const isRight = isOfNobody ? response.status === before : isAnswered(response) === want
    if (!isRight) wrong.push(`${on} ${path}: ${response.status}`)
    await response.body?.cancel()
  }
  return wrong
}

test('every route of the edge is requested', () => {
  const requestedRoutes = new Set(
    samples.map(({ on, path }) => findRoute(getPathname(path), on === null ? 'app' : 'hub')),
  )
  const unasked = routes.filter((route) => route.serve && !requestedRoutes.has(route))
  expect(unasked.map(({ path }) => String(path))).toEqual([])
})

test('public content of a place is nowhere once it is closed, and all of it is restored', async () => {
  expect(await answered(true)).toEqual([])
  const admin = world.as('organization_admin', { hubs: hubs.hubs, files: hubs.ctx.files })
  await call(v1.place.close, admin, { params: { placeId: 'oakton' }, data: { name: 'Oakton' } })
  await writeEdges(hubs.ctx, ['oakton'])
  expect(await answered(false)).toEqual([])
  expect(await isOfClosedPlace(hubs.hubs, far)).toBe(false)
  expect((await ask(null, `/m/${far}/rain.png`)).status).toBe(200)
  // Revalidation of a cached copy does not return 304.
  const object = await hubs.ctx.files.head(buildStorageKey(photo, 'library'))
  const headers = { 'if-none-match': object?.httpEtag ?? '' }
  expect((await ask(null, `/m/${photo}/rain.png`, { headers })).status).toBe(404)
  expect((await ask('oakton', `/m/${photo}/rain.png`)).status).toBe(410)

  await call(v1.place.reopen, admin, { params: { placeId: 'oakton' } })
  await writeEdges(hubs.ctx, ['oakton'])
  // Areas of a set are generated again by the queue.
  expect((await answered(true)).filter((line) => !line.includes('wards'))).toEqual([])
})
