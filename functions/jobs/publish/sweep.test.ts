import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readManifest } from '#functions/edge/hub/manifest.ts'
import type { VisitPath } from './make-hub.ts'
import { publishOutbox } from './publish.ts'
import { sweepHubs } from './sweep.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld, type TestContext } from '#db/worlds/world.ts'

let world: TestWorld
let ctx: TestContext
const hubs = memoryBucket()
const day = 24 * 3_600_000
let later = 0

const statuses: Record<string, number> = { '/error': 500, '/404': 404 }
/** Every page has the same text, and a file with it. */
const buildVisit =
  (words: string): VisitPath =>
  async (_hub, path, languages) =>
    languages.map((locale) => ({
      ...{
        locale,
        status: statuses[path] ?? 200,
        type: 'text/html',
        body: `${words} ${locale} ${path}`,
        tags: ['source:open'],
      },
      files: [{ name: `${words}.json`, type: 'application/json', body: words }],
    }))
const publish = (words: string) => publishOutbox(ctx, buildVisit(words), () => {}, ['oakton'])
const isHub = (is: boolean) =>
  ctx.db.updateTable('place').set({ isHub: is }).where('id', '=', 'oakton').execute()
const keys = async () => (await hubs.list({ prefix: 'hubs/', limit: 10_000 })).objects.map(({ key }) => key)
/** The names of all objects that the hub needs. */
async function listNeededObjects() {
  const { manifest } = await ctx.db
    .selectFrom('hub')
    .select('manifest')
    .where('placeId', '=', 'oakton')
    .executeTakeFirstOrThrow()
  const pages = Object.values((await readManifest(hubs, 'oakton', manifest))?.pages ?? {})
  return [
    `hubs/oakton/manifests/${manifest}.json`,
    ...new Set(pages.map(({ hash }) => `hubs/oakton/pages/${hash}`)),
    ...new Set(pages.flatMap(({ files }) => files.map((name) => `hubs/oakton/files/${name}`))),
  ].sort()
}

beforeAll(async () => {
  world = await openWorld(city)
  ctx = world.as('system', { hubs, files: memoryBucket() })
  ctx.now = () => new Date(Date.now() + later)
  await ctx.db.updateTable('place').set({ isHub: false }).where('id', '!=', 'oakton').execute()
  await isHub(true)
  await publish('first')
  await publish('second')
})
afterAll(() => world.close())
beforeEach(() => void (later = 0))

test('recent objects are kept, whether referenced or not', async () => {
  const before = await keys()
  expect(before).toContain('hubs/oakton/files/first.json')
  expect(await sweepHubs(ctx)).toBe(0)
  expect(await keys()).toEqual(before)
})

test('a day later unreferenced objects are deleted, in as many runs as necessary, and the hub is complete', async () => {
  await hubs.put('hubs/oakton/draft.json', '{}')
  const all = await keys()
  const neededObjects = await listNeededObjects()
  expect(neededObjects.length).toBeGreaterThan(20)
  expect(all.length).toBeGreaterThan(neededObjects.length + 20)
  await hubs.put('site/hosts/other', 'x')
  later = day + 60_000
  let removed = 0
  let goes = 0
  while ((await keys()).length > neededObjects.length && goes < 100) {
    removed += await sweepHubs(ctx, { most: 2, limit: 7 })
    goes += 1
  }
  expect(goes).toBeGreaterThan(2)
  expect(removed).toBe(all.length - neededObjects.length)
  expect(await keys()).toEqual(neededObjects)
  expect(await hubs.head('site/hosts/other')).not.toBeNull()
})

test('a hub whose manifest cannot be read loses nothing', async () => {
  const list = (await listNeededObjects()).find((key) => key.includes('/manifests/'))
  const before = await keys()
  const text = await (await hubs.get(list ?? ''))?.text()
  const blind = Object.assign(Object.create(hubs), {
    get: (key: string) => (key === list ? null : hubs.get(key)),
  }) as R2Bucket
  later = day + 60_000
  const other = world.as('system', { hubs: blind, files: memoryBucket() })
  other.now = () => ctx.now()
  await hubs.delete(list ?? '')
  // A cached manifest would be sufficient, so another number is used.
  await ctx.db.updateTable('hub').set({ manifest: 900 }).where('placeId', '=', 'oakton').execute()
  await sweepHubs(other)
  expect(await keys()).toEqual(before.filter((key) => key !== list))
  const number = Number(/(\d+)\.json$/.exec(list ?? '')?.[1])
  await ctx.db.updateTable('hub').set({ manifest: number }).where('placeId', '=', 'oakton').execute()
  await hubs.put(list ?? '', text ?? '')
})

test('a place that is no longer a hub keeps nothing, and is rendered completely when it becomes one again', async () => {
  await isHub(false)
  later = day + 60_000
  await sweepHubs(ctx)
  expect(await keys()).toEqual([])
  await isHub(true)
  later = 0
  await publish('third')
  const whole = await listNeededObjects()
  expect(whole.length).toBeGreaterThan(20)
  expect(whole).toContain('hubs/oakton/files/third.json')
  expect(await keys()).toEqual(expect.arrayContaining(whole))
})
