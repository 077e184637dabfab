import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { checkFiles, type Storage } from './files.ts'
import { find as internals } from '#functions/domain/internals/internals.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

/** Two databases and one bucket. */
let home: TestWorld
let other: TestWorld
let files: R2Bucket
let clock = new Date()
beforeAll(async () => {
  home = await openWorld(city)
  other = await openWorld(city)
})
afterAll(async () => {
  await home.close()
  await other.close()
})
const days = (n: number) => n * 86_400_000
const ctx = (world: TestWorld) => world.as('system', { files, now: () => clock })
const storage = (): Storage => ({
  files,
  home: ctx(home),
  askAll: async (question) => [await question(ctx(home)), await question(ctx(other))],
})
const buildId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

interface FileCase {
  world: TestWorld
  row: boolean
  bytes: boolean
  purpose: 'library' | 'source'
  state: 'waiting' | 'ready'
  deletedAt: Date
}

/** A file's row and its bytes, or one of the two. */
async function file(
  n: number,
  { world = home, row = true, bytes = true, purpose = 'library', ...more }: Partial<FileCase> = {},
) {
  const id = buildId(n)
  const key = `${purpose === 'source' ? 'd' : 'a'}/${id}`
  if (bytes) await files.put(key, 'bytes')
  if (!row) return key
  const values = { id, key, placeId: 'oakton', name: `${n}.png`, type: 'image/png', size: 5, createdBy: null }
  await ctx(world)
    .db.insertInto('asset')
    .values({
      ...values,
      ...{ purpose, sourceId: purpose === 'source' ? 'inner' : null, state: 'ready' as const },
      ...more,
    })
    .execute()
  return key
}
const missing = async (world: TestWorld) =>
  (
    await ctx(world)
      .db.selectFrom('asset')
      .select('id')
      .where('missingAt', 'is not', null)
      .where('deletedAt', 'is', null)
      .orderBy('id')
      .execute()
  ).map(({ id }) => id)
const keys = async () => (await files.list()).objects.map(({ key }) => key).sort()
const pass = async (most?: Parameters<typeof checkFiles>[1]) => {
  const left = new Set(['a/', 'd/'])
  let nights = 0
  while (left.size > 0) {
    for (const part of await checkFiles(storage(), most)) left.delete(part)
    nights += 1
  }
  return nights
}

beforeEach(async () => {
  files = memoryBucket()
  clock = new Date()
  for (const world of [home, other]) await ctx(world).db.deleteFrom('asset').execute()
  await ctx(home).db.deleteFrom('storageCheck').execute()
})

test('deletes objects without rows a day later, and keeps those with a row in any database', async () => {
  const keysWithRows = [
    await file(1),
    await file(2, { world: other }),
    await file(3, { purpose: 'source' }),
    await file(4, { state: 'waiting' }),
  ]
  const lost = [await file(5, { row: false }), await file(6, { row: false, purpose: 'source' })]
  await pass()
  expect(await keys()).toEqual([...keysWithRows, ...lost].sort())
  clock = new Date(clock.getTime() + days(1.1))
  await pass()
  expect(await keys()).toEqual([...keysWithRows].sort())
  const { results } = await internals(home.as('super_admin'))
  const facts = Object.fromEntries(results.map(({ id, value }) => [id, value]))
  expect(facts).toMatchObject({ 'storage.missing': 0, 'storage.orphans': 2 })
  expect(facts['storage.checkedAt']).toBe(clock.toISOString())
})

test('marks rows without objects, and unmarks them when the bytes are back', async () => {
  await file(1)
  await file(2, { bytes: false })
  await file(3, { bytes: false, world: other })
  await file(4, { bytes: false, state: 'waiting' })
  await file(5, { bytes: false, deletedAt: clock })
  await pass()
  // It may be on its way.
  expect(await missing(home)).toEqual([])
  clock = new Date(clock.getTime() + days(1.1))
  await pass()
  expect([await missing(home), await missing(other)]).toEqual([[buildId(2)], [buildId(3)]])
  const { results } = await internals(home.as('super_admin'))
  expect(results).toContainEqual({ id: 'storage.missing', value: 1 })
  await files.put(`a/${buildId(2)}`, 'bytes')
  await pass()
  expect([await missing(home), await missing(other)]).toEqual([[], [buildId(3)]])
})

test('a night is limited, the next continues, and nothing is skipped', async () => {
  for (let n = 1; n <= 30; n += 1)
    await file(n, { row: n % 3 !== 0, bytes: n % 5 !== 0, world: n % 2 ? home : other })
  clock = new Date(clock.getTime() + days(1.1))
  const nights = await pass({ lists: 2, names: 4, deleted: 100 })
  expect(nights).toBeGreaterThanOrEqual(3)
  const expected = (isExpected: (n: number) => boolean) =>
    Array.from({ length: 30 }, (_, i) => i + 1)
      .filter(isExpected)
      .map(buildId)
  expect(await keys()).toEqual(expected((n) => n % 5 !== 0 && n % 3 !== 0).map((id) => `a/${id}`))
  const isLost = (n: number) => n % 5 === 0 && n % 3 !== 0
  expect([...(await missing(home)), ...(await missing(other))].sort()).toEqual(expected(isLost))
})

test('deletes and marks nothing when a database does not answer', async () => {
  const key = await file(1, { row: false })
  clock = new Date(clock.getTime() + days(1.1))
  const failingStorage: Storage = {
    ...storage(),
    askAll: () => Promise.reject(new Error('Connection terminated unexpectedly')),
  }
  await expect(checkFiles(failingStorage)).rejects.toThrow('Connection')
  expect(await keys()).toEqual([key])
})

test('does not delete all bytes of a database that lost its rows in one night', async () => {
  for (let n = 1; n <= 12; n += 1) await file(n, { row: false })
  clock = new Date(clock.getTime() + days(1.1))
  const storageUnderTest = storage()
  await checkFiles(storageUnderTest, { lists: 10, names: 1000, deleted: 5 })
  expect(await keys()).toHaveLength(7)
  expect((storageUnderTest.home as unknown as { reported: unknown[] }).reported).toHaveLength(1)
})
