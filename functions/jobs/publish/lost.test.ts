import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findLost } from './lost.ts'
import { readManifest } from '#functions/edge/hub/manifest.ts'
import type { VisitPath } from './make-hub.ts'
import { publishOutbox } from './publish.ts'
import { readCheck } from '#functions/domain/file/storage/check.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld, type TestContext } from '#db/worlds/world.ts'

let world: TestWorld
let ctx: TestContext
const hubs = memoryBucket()
let visited = new Set<string>()

beforeAll(async () => {
  world = await openWorld(city)
  ctx = world.as('system', { hubs, files: memoryBucket() })
  await ctx.db.updateTable('place').set({ isHub: false }).where('id', '!=', 'oakton').execute()
  await ctx.db.updateTable('place').set({ isHub: true }).where('id', '=', 'oakton').execute()
  await publish(['oakton'])
})
afterAll(() => world.close())
beforeEach(() => {
  visited = new Set()
  ctx.reported.length = 0
})

const statuses: Record<string, number> = { '/error': 500, '/404': 404 }
/** Each page has its own text and drawing. */
const visit: VisitPath = async (_hub, path, languages) => {
  visited.add(path)
  return languages.map((locale) => ({
    ...{ locale, status: statuses[path] ?? 200, type: 'text/html', tags: ['source:open'] },
    body: `${locale} ${path}`,
    files: [{ name: `${path.replaceAll('/', '-')}.json`, type: 'application/json', body: path }],
  }))
}
const publish = (whole: string[] = []) => publishOutbox(ctx, visit, () => {}, whole)
const readAllObjects = async () => {
  const { objects } = await hubs.list({ prefix: 'hubs/', limit: 10_000 })
  return Promise.all(objects.map(async ({ key }) => [key, await (await hubs.get(key))?.text()] as const))
}
const readPublished = async () => {
  const { manifest } = await ctx.db
    .selectFrom('hub')
    .select('manifest')
    .where('placeId', '=', 'oakton')
    .executeTakeFirstOrThrow()
  return { manifest, pages: (await readManifest(hubs, 'oakton', manifest))?.pages ?? {} }
}

test('a complete hub is not published again, and the result of the check is stored', async () => {
  expect(await findLost(ctx)).toBe(0)
  await publish()
  expect([visited.size, ctx.reported]).toEqual([0, []])
  const { cursor, counts } = await readCheck(ctx.db, 'hubs/')
  expect([cursor, counts]).toEqual(['', {}])
  const { last } = await ctx.db
    .selectFrom('storageCheck')
    .select('last')
    .where('part', '=', 'hubs/')
    .executeTakeFirstOrThrow()
  expect(last).toMatchObject({ lost: 0 })
  expect((last as { objects: number }).objects).toBeGreaterThan(20)
})

test('lost bodies and drawings are rendered again, and no other page', async () => {
  const before = await readAllObjects()
  const { pages } = await readPublished()
  const [body, file] = [pages['es /about']?.hash, pages['en /datastories']?.files[0]]
  await hubs.delete([`hubs/oakton/pages/${body}`, `hubs/oakton/files/${file}`])
  // A listing has seven names at most, so that the end of a listing does not look like a loss.
  expect(await findLost(ctx, { hubs: 1, lists: 500, names: 7 })).toBe(2)
  expect(ctx.reported).toHaveLength(1)
  await publish()
  expect([...visited].sort()).toEqual(['/about', '/datastories'])
  expect(await readAllObjects()).toEqual(before)
  expect(await findLost(ctx)).toBe(0)
})

test('lost objects are stored again if everything is rendered for another reason', async () => {
  const before = await readAllObjects()
  const { pages } = await readPublished()
  await hubs.delete(`hubs/oakton/pages/${pages['es /about']?.hash}`)
  await findLost(ctx)
  await ctx.db.insertInto('outbox').values({ kind: 'hub', placeId: 'oakton', payload: '{}' }).execute()
  await publish()
  expect(visited.size).toBeGreaterThan(5)
  expect((await readAllObjects()).map(([key]) => key)).toEqual(before.map(([key]) => key))
})

test('a lost manifest is written again', async () => {
  const before = await readPublished()
  await hubs.delete(`hubs/oakton/manifests/${before.manifest}.json`)
  expect(await findLost(ctx)).toBe(1)
  await publish()
  const after = await readPublished()
  expect(after.manifest).toBeGreaterThan(before.manifest)
  expect(await hubs.head(`hubs/oakton/manifests/${after.manifest}.json`)).not.toBeNull()
  expect(after.pages).toEqual(before.pages)
})

test('a check resumes where it ended, and restarts after the last hub', async () => {
  await ctx.db.updateTable('place').set({ isHub: true }).where('id', '=', 'elmsford').execute()
  await publish(['elmsford'])
  const cursor = async () => (await readCheck(ctx.db, 'hubs/')).cursor
  const cursors: string[] = []
  for (let night = 0; night < 3; night += 1) {
    await findLost(ctx, { hubs: 1, lists: 500, names: 1000 })
    cursors.push(await cursor())
  }
  expect(cursors).toEqual(['elmsford', 'oakton', ''])
})
