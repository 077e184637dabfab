import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkImports } from './imports.ts'
import { sweepJobs } from '#functions/domain/importer/job/sweep.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let home: TestWorld
let other: TestWorld
beforeAll(async () => {
  home = await openWorld(city)
  other = await openWorld(city)
})
afterAll(async () => {
  await home.close()
  await other.close()
})

/** A run that goes on in a database. */
async function run(world: TestWorld, id: string) {
  const of = { sourceId: 'inner', placeId: 'oakton' }
  const { db } = world.as('system')
  await db
    .insertInto('importer')
    .values({ id, ...of, name: id, sources: '[]', mapping: '{}', createdBy: null })
    .execute()
  await db
    .insertInto('job')
    .values({ id, importerId: id, ...of, trigger: 'manual', status: 'running', createdBy: null })
    .execute()
}

test('keeps what a run in another database has fetched, and deletes what no database has a run of after a day', async () => {
  const files = memoryBucket()
  await run(home, 'here')
  await run(other, 'there')
  const keys = ['here', 'there', 'nowhere'].map((id) => `imports/${id}/pages/1`)
  for (const key of keys) await files.put(key, 'page')
  const listStoredKeys = async () => (await files.list()).objects.map(({ key }) => key).sort()
  const ctx = home.as('system', { files })
  await sweepJobs(ctx, false)
  expect(await listStoredKeys()).toEqual([...keys].sort())
  const createStorageAfter = (ms: number) => {
    const later = { files, now: () => new Date(Date.now() + ms) }
    const [a, b] = [home.as('system', later), other.as('system', later)]
    const askAll = async <Result>(question: (there: typeof a) => Promise<Result>) => [
      await question(a),
      await question(b),
    ]
    return { files, home: a, askAll } as Parameters<typeof checkImports>[0]
  }
  expect(await checkImports(createStorageAfter(0))).toBe(true)
  expect(await listStoredKeys()).toHaveLength(3)
  const nights = [1, 2, 3, 4].map(() => ({ lists: 1, names: 1 }))
  const ends: boolean[] = []
  for (const most of nights) ends.push(await checkImports(createStorageAfter(25 * 3600_000), most))
  expect(ends).toContain(true)
  expect(await listStoredKeys()).toEqual(keys.slice(0, 2).sort())
  const check = await ctx.db.selectFrom('storageCheck').selectAll().execute()
  expect(check).toMatchObject([{ part: 'imports/', last: { orphans: 1, deleted: 1 } }])
})
