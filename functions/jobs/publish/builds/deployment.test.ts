import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { storeAllFiles, storePageFiles, type BuildStores } from './store-files.ts'
import { renderAgain } from './render-again.ts'
import { readServedBuilds, sweepBuilds } from './sweep.ts'
import { whileSweeping } from './sweep-lock.ts'
import { readManifest, type ManifestPage } from '#functions/edge/hub/manifest.ts'
import type { VisitPath } from '../make-hub.ts'
import { publishOutbox } from '../publish.ts'
import { readStoredBuild } from '#functions/platform/stored-build.ts'
import { HubLease } from '#functions/domain/hub/hub-lease.ts'
import type { Env } from '#functions/settings.ts'
import worker from '#functions/worker.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld, type TestContext } from '#db/worlds/world.ts'

/** Two builds with different file names, except for one font. */
const face = 'hub/face-AAAAAAAA.woff2'
const listBuildFiles = (build: string) => [
  `hub/hub-${build}.js`,
  `hub/map-${build}.js`,
  face,
  `assets/editor-${build}.js`,
  `assets/lazy-${build}.js`,
]
const types: Record<string, string> = { js: 'text/javascript', woff2: 'font/woff2' }

let world: TestWorld
let ctx: TestContext
let hubs: R2Bucket
/** The deployed build: its files are the only ones that the platform has. */
let deployed = 'one'
let clock = Date.UTC(2026, 10, 23)
let visited: string[] = []
let brokenPath: string | null = null
let perPage = 0
let fetchCount = 0

const assets = {
  fetch: async (input: Request | string) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input)
    const name = pathname.slice(1)
    if (name === 'build.json') return Response.json({ version: deployed, files: listBuildFiles(deployed) })
    if (!listBuildFiles(deployed).includes(name)) return new Response(null, { status: 404 })
    fetchCount += 1
    const headers = { 'content-type': types[name.split('.').pop() ?? ''] ?? '' }
    return new Response(`${name} of a build`, { headers })
  },
} as unknown as Fetcher
const ports = (version = deployed): BuildStores => ({ version, assets, hubs, now: () => new Date(clock) })

const statuses: Record<string, number> = { '/error': 500, '/404': 404 }
/** Renders like the Worker of a build: stores its files first. */
const buildVisit =
  (build: string): VisitPath =>
  async ({ placeId }, path, languages) => {
    await storePageFiles(ports(build))
    clock += perPage
    visited.push(`${placeId} ${path}`)
    const status = path === brokenPath ? 503 : (statuses[path] ?? 200)
    const body = `<html data-script="/hub/hub-${build}.js"><style>url(/${face})</style>${path}`
    return languages.map((locale) => ({
      ...{ locale, status, type: 'text/html', body, tags: [`page:${path}`], files: [], build },
    }))
  }
const publish = () => publishOutbox(createBuildContext(deployed), buildVisit(deployed), () => {})
const createBuildContext = (build: string): TestContext => ({ ...ctx, settings: { ...ctx.settings, build } })
const renderHubsAgain = (ms = 3_600_000, build = deployed) =>
  renderAgain(createBuildContext(build), buildVisit(build), { build, log: () => {}, ms })
const sweep = async () => sweepBuilds(ports(), new Set(await readServedBuilds(ctx)))
const days = (n: number) => void (clock += n * 24 * 3_600_000)

const readHub = (placeId: string) =>
  ctx.db.selectFrom('hub').selectAll().where('placeId', '=', placeId).executeTakeFirstOrThrow()
async function listPages(placeId: string): Promise<[string, ManifestPage][]> {
  const { manifest } = await readHub(placeId)
  return Object.entries((await readManifest(hubs, placeId, manifest))?.pages ?? {})
}
const listBuilds = async (placeId: string) => [
  ...new Set((await listPages(placeId)).map(([, { build }]) => build)),
]

const front = () =>
  ({
    ...{ HUBS: hubs, FILES: memoryBucket(), TILES: memoryBucket(), ASSETS: assets },
    ...{ ENVIRONMENT: 'production', APP_HOST: 'app.test', PUBLIC_HOST: 'hubs.test', SCHEME: 'https' },
    AUTH_SECRET: 'a secret that only tests know, long enough',
    ...{ MAIL_FROM: 'a@app.test', SUPPORT_URL: 'https://help.test' },
    DATABASE_URL: 'postgres://a:b@db.test/c',
  }) as unknown as Env
const execution = { waitUntil: () => {}, passThroughOnException: () => {} } as unknown as ExecutionContext
const ask = (path: string, init: RequestInit = {}, host = 'oakton.localhost') =>
  worker.fetch(new Request(`http://${host}${path}`, init) as never, { ...front(), ...local }, execution)
const local = { APP_HOST: 'localhost', PUBLIC_HOST: 'localhost', SCHEME: 'http' }

/** Requests every file that published pages of any hub refer to, and counts those that are missing. */
async function crawl(): Promise<{ named: number; broken: string[] }> {
  const names = new Set<string>()
  for (const placeId of ['oakton', 'elmsford'])
    for (const [, { hash }] of await listPages(placeId)) {
      const html = (await (await hubs.get(`hubs/${placeId}/pages/${hash}`))?.text()) ?? ''
      for (const [, name = ''] of html.matchAll(/(?:="|url\()(\/hub\/[\w.-]+)/g)) names.add(name)
    }
  // What the script of a page imports later.
  for (const name of [...names]) if (/\/hub-/.test(name)) names.add(name.replace('/hub-', '/map-'))
  const answers = await Promise.all([...names].map(async (name) => [name, (await ask(name)).status]))
  return {
    named: names.size,
    broken: answers.filter(([, status]) => status !== 200).map(([name]) => String(name)),
  }
}

beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())
beforeEach(async () => {
  hubs = memoryBucket()
  ctx = world.as('system', { hubs, files: memoryBucket() })
  ctx.now = () => new Date(clock)
  ;[deployed, perPage, brokenPath] = ['one', 0, null]
  const isHub = (id: string) => ['oakton', 'elmsford'].includes(id)
  // Manifest numbers increase across tests, as isolates cache manifests by number.
  await ctx.db
    .updateTable('hub')
    .set({ manifest: 0, builds: [], buildsOf: null, buildFailure: null, leaseUntil: null })
    .execute()
  await ctx.db.updateTable('outbox').set({ doneAt: new Date() }).execute()
  for (const { id } of await ctx.db.selectFrom('place').select('id').execute())
    await ctx.db
      .updateTable('place')
      .set({ isHub: isHub(id) })
      .where('id', '=', id)
      .execute()
  for (const placeId of ['oakton', 'elmsford'])
    await ctx.db.insertInto('outbox').values({ kind: 'hub', placeId, payload: '{}' }).execute()
  await publish()
  await storeAllFiles(ports(), Infinity)
  clock += 60_000
  visited = []
  fetchCount = 0
})
afterEach(() => expect(ctx.reported).toEqual([]))

test('every stored page has its build, and its hub the builds of its pages', async () => {
  expect(await listBuilds('oakton')).toEqual(['one'])
  const { builds, buildsOf: of, manifest } = await readHub('oakton')
  expect([builds, of]).toEqual([['one'], manifest])
})

test('no page refers to a missing file before, during and after a deployment; then the old files are deleted', async () => {
  expect(await crawl()).toEqual({ named: 3, broken: [] })
  deployed = 'two'
  expect(await crawl()).toEqual({ named: 3, broken: [] })
  perPage = 4000
  let rounds = 0
  for (
    ;
    (await listBuilds('elmsford')).includes('one') || (await listBuilds('oakton')).includes('one');
    rounds += 1
  ) {
    await renderHubsAgain(15_000)
    expect((await crawl()).broken).toEqual([])
    expect(rounds).toBeLessThan(100)
  }
  expect(rounds).toBeGreaterThan(2)
  expect(await crawl()).toEqual({ named: 3, broken: [] })

  const old = ['/hub/hub-one.js', '/assets/lazy-one.js']
  const readOldStatuses = async () =>
    Promise.all([...old, `/${face}`].map(async (path) => (await ask(path)).status))
  await sweep()
  expect(await readOldStatuses()).toEqual([200, 200, 200])
  days(8)
  await sweep()
  expect(await readOldStatuses()).toEqual([404, 404, 200])
  expect(await hubs.head(`assets/${face}`)).not.toBeNull()
  expect((await crawl()).broken).toEqual([])
})

test('a page is rendered once, in any number of concurrent or interrupted steps', async () => {
  deployed = 'two'
  perPage = 4000
  for (let i = 0; i < 60; i += 1) await Promise.all([renderHubsAgain(9000), renderHubsAgain(9000)])
  expect([await listBuilds('oakton'), await listBuilds('elmsford')]).toEqual([['two'], ['two']])
  expect(visited.length).toBe(new Set(visited).size)
  const { manifest } = await readHub('oakton')
  await renderHubsAgain()
  expect([(await readHub('oakton')).manifest, visited.length]).toEqual([manifest, new Set(visited).size])
})

test('hubs are rendered one after the other, the one published longest ago first', async () => {
  await ctx.db
    .updateTable('hub')
    .set({ publishedAt: new Date(Date.UTC(2020, 0, 1)) })
    .where('placeId', '=', 'oakton')
    .execute()
  deployed = 'two'
  perPage = 4000
  for (let i = 0; i < 60; i += 1) await renderHubsAgain(9000)
  const order = visited.map((each) => each.split(' ')[0])
  expect(order.lastIndexOf('oakton')).toBeLessThan(order.indexOf('elmsford'))
})

test('a process that is killed loses only its step', async () => {
  deployed = 'two'
  perPage = 4000
  await renderHubsAgain(12_000)
  const before = (await listPages('oakton'))
    .concat(await listPages('elmsford'))
    .filter(([, p]) => p.build === 'two')
  expect(before.length).toBeGreaterThan(0)
  // Killed while it has the lease, which expires by the clock of the database.
  const placeId = (await listBuilds('oakton')).includes('two') ? 'oakton' : 'elmsford'
  await HubLease.acquire(ctx, placeId)
  await renderHubsAgain(12_000)
  await ctx.db
    .updateTable('hub')
    .set({ leaseUntil: new Date(0) })
    .execute()
  for (let i = 0; i < 60; i += 1) await renderHubsAgain(9000)
  expect([await listBuilds('oakton'), await listBuilds('elmsford')]).toEqual([['two'], ['two']])
  expect(visited.length).toBe(new Set(visited).size)
})

test('a page that cannot be rendered keeps the files of its build, is reported, and is retried', async () => {
  deployed = 'two'
  brokenPath = '/about'
  await renderHubsAgain()
  expect(await listBuilds('elmsford')).toEqual(expect.arrayContaining(['one', 'two']))
  const { buildFailure } = await readHub('oakton')
  expect(buildFailure).toMatchObject({ build: 'two', attempts: 1, pages: { '/about': expect.any(String) } })
  visited = []
  await renderHubsAgain()
  expect(visited).toEqual([])
  days(8)
  brokenPath = '/about'
  await renderHubsAgain()
  expect(new Set(visited)).toEqual(new Set(['oakton /about', 'elmsford /about']))
  await sweep()
  days(8)
  await sweep()
  expect(await crawl()).toEqual({ named: 5, broken: [] })
  brokenPath = null
  await renderHubsAgain()
  expect([await listBuilds('oakton'), (await readHub('oakton')).buildFailure]).toEqual([['two'], null])
  await sweep()
  days(8)
  await sweep()
  expect((await ask('/hub/hub-one.js')).status).toBe(404)
})

test('a pending change has precedence: its hub is not rendered again meanwhile', async () => {
  deployed = 'two'
  await ctx.db
    .insertInto('outbox')
    .values({ kind: 'page', placeId: 'oakton', payload: '{}', createdAt: new Date(clock) })
    .execute()
  await renderHubsAgain()
  expect([await listBuilds('oakton'), await listBuilds('elmsford')]).toEqual([['one'], ['two']])
  clock += 180_000
  await renderHubsAgain()
  expect(await listBuilds('oakton')).toEqual(['two'])
})

test('a manifest published by older code is inspected again, as its builds are unknown', async () => {
  deployed = 'two'
  await renderHubsAgain()
  const { manifest } = await readHub('oakton')
  await ctx.db
    .updateTable('hub')
    .set({ buildsOf: manifest - 1 })
    .where('placeId', '=', 'oakton')
    .execute()
  expect(await readServedBuilds(ctx)).toEqual(['two'])
  await renderHubsAgain()
  expect((await readHub('oakton')).buildsOf).toBe(manifest)
})

test('deletes no build while a manifest cannot be read', async () => {
  const { manifest } = await readHub('oakton')
  await ctx.db
    .updateTable('hub')
    .set({ manifest: manifest + 50 })
    .where('placeId', '=', 'oakton')
    .execute()
  await expect(readServedBuilds(ctx)).rejects.toThrow(/cannot be read/)
})

test('no page is stored if its files cannot be stored', async () => {
  deployed = 'two'
  const lost = { ...ports(), assets: { fetch: async () => new Response(null, { status: 500 }) } }
  const visit: VisitPath = async (...visiting) => {
    await storePageFiles(lost as unknown as BuildStores)
    return buildVisit('two')(...visiting)
  }
  await renderAgain(createBuildContext('two'), visit, { build: 'two', log: () => {}, ms: 1000 })
  expect([await listBuilds('oakton'), await listBuilds('elmsford')]).toEqual([['one'], ['one']])
  expect(ctx.reported.splice(0)).not.toEqual([])
  const wrong = { ...ports('three'), version: 'three' }
  await expect(storePageFiles(wrong)).rejects.toThrow(/of build two/)
})

test('the files of a build are copied once, those of hub pages first, the others in portions', async () => {
  deployed = 'two'
  await storePageFiles(ports())
  // The font is already stored.
  expect(fetchCount).toBe(2)
  await storePageFiles(ports())
  expect(fetchCount).toBe(2)
  expect([await storeAllFiles(ports(), 1), (await readStoredBuild(hubs, 'two'))?.isWhole]).toEqual([
    false,
    false,
  ])
  expect([await storeAllFiles(ports(), 1), (await readStoredBuild(hubs, 'two'))?.isWhole]).toEqual([
    true,
    true,
  ])
  expect(fetchCount).toBe(4)
})

test('while files of builds are being deleted none can be claimed, and only one process deletes at a time', async () => {
  deployed = 'two'
  await whileSweeping(hubs, ports().now, async () => {
    await expect(storePageFiles(ports())).rejects.toThrow(/being removed/)
    expect(await sweep()).toBeNull()
  })
  await storePageFiles(ports())
})

test("after a rollback a build's files are stored again before it stores a page", async () => {
  deployed = 'two'
  await renderHubsAgain()
  await sweep()
  days(8)
  await sweep()
  expect(await readStoredBuild(hubs, 'one')).toBeNull()
  deployed = 'one'
  await renderHubsAgain()
  expect([await listBuilds('oakton'), (await crawl()).broken]).toEqual([['one'], []])
  deployed = 'two'
  expect((await crawl()).broken).toEqual([])
})

test('a stored file is served like one of the running build, on every host; nothing else of the bucket is served', async () => {
  deployed = 'two'
  for (const host of ['oakton.localhost', 'localhost']) {
    const response = await ask('/hub/hub-one.js', {}, host)
    expect([response.status, await response.text()]).toEqual([200, 'hub/hub-one.js of a build'])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    const now = await ask('/hub/hub-two.js', {}, host)
    expect(now.headers.get('cache-control')).toBe(response.headers.get('cache-control'))
    const etag = response.headers.get('etag') ?? ''
    expect((await ask('/hub/hub-one.js', { headers: { 'if-none-match': etag } }, host)).status).toBe(304)
  }
  const head = await ask('/assets/lazy-one.js', { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
    200,
    'text/javascript',
    '',
  ])
  expect((await ask('/hub/hub-one.js', { method: 'POST' })).status).toBe(404)
  await hubs.put('assets/secret.js', 'secret')
  await hubs.put('assets/hub/sub/secret.js', 'secret')
  const strange = [
    '/hub/hub-three.js',
    '/hub/../secret.js',
    '/hub/%2e%2e/secret.js',
    '/hub/..%2fsecret.js',
    '/hub/sub/secret.js',
    '/hub/sub%2fsecret.js',
    '/hub//secret.js',
    '/hub/.hidden.js',
    `/hub/${'a'.repeat(400)}.js`,
    '/assets/hub/hub-one.js',
  ]
  for (const path of strange) {
    const answer = await ask(path)
    expect([path, answer.status, await answer.text()]).toEqual([
      path,
      404,
      expect.not.stringContaining('secret'),
    ])
  }
  const unknown = await ask('/hub/hub-three.js')
  expect([unknown.status, unknown.headers.get('cache-control')]).toEqual([404, 'no-store'])
  expect((await ask('/build.json')).status).not.toBe(200)
})
