import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  countDownload,
  countEmptySearch,
  countView,
  flushHubUsage,
  isHubFlushDue,
  maxNames,
  type View,
} from './hub.ts'
import { city } from '#db/worlds/city.ts'
import { asReader } from '#functions/v1/testing/with-reason.testing.ts'
import { openWorld, type TestWorld, type Person } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())

const system = () => world.as('system').db
const now = new Date('2026-03-01T23:59:59.999Z')
beforeEach(async () => {
  await flushHubUsage(system())
  await system().deleteFrom('hubUsageDay').execute()
})

const view = (changes: Partial<View> = {}): View => ({
  ...{ placeId: 'oakton', page: '/', locale: 'en', country: 'NO', device: 'phone', from: null },
  ...{ speed: { lcp: 100, cls: 0.3, ttfb: 1_000_000 }, ...changes },
})
const rows = async (person: Person = 'system') =>
  (await asReader(world, person)).db
    .selectFrom('hubUsageDay')
    .selectAll()
    .orderBy('dimension')
    .orderBy('name')
    .execute()

test('sums and buckets are exact with concurrent writes', async () => {
  const flushes: Promise<number>[] = []
  for (let i = 0; i < 600; i++) {
    const speed = { lcp: i % 3 ? 100 : 3000, ...(i % 2 ? { inp: 10 } : {}) }
    countView(now, view({ page: `/${i % 4}`, from: i % 5 ? null : '', speed }))
    if (i % 20 === 19) flushes.push(flushHubUsage(world.as('system').db))
  }
  const flushCounts = await Promise.all(flushes)
  expect(flushCounts.reduce((sum, n) => sum + n, 0)).toBe(600)
  const storedRows = await rows()
  const all = storedRows.find(({ dimension }) => dimension === 'all')
  expect(all).toMatchObject({ views: '600', visits: '120', cls: null })
  expect([all?.lcp?.[0], all?.lcp?.[12], all?.inp?.[0]]).toEqual([400, 200, 300])
  for (const dimension of ['page', 'country', 'device'] as const) {
    const of = storedRows.filter((row) => row.dimension === dimension)
    expect(of.reduce((sum, { views }) => sum + Number(views), 0)).toBe(600)
    expect(of.reduce((sum, { lcp }) => sum + (lcp?.[0] ?? 0), 0)).toBe(400)
  }
  expect(storedRows.filter(({ dimension }) => dimension === 'page').map(({ views }) => views)).toEqual(
    Array.from({ length: 4 }, () => '150'),
  )
})

test('a failed write loses no counts, and each place is written to its own database', async () => {
  countView(now, view())
  countView(now, view({ placeId: 'elmsford' }))
  countView(now, view({ placeId: 'nowhere' }))
  // Anonymous users may not write.
  await expect(flushHubUsage(world.as('anonymous').db)).rejects.toThrow(/row-level security/)
  expect(await flushHubUsage(system(), (placeId) => placeId === 'elmsford')).toBe(1)
  expect((await rows()).map(({ placeId }) => placeId)).toEqual(Array.from({ length: 5 }, () => 'elmsford'))
  expect(await flushHubUsage(system())).toBe(2)
  expect((await rows()).filter(({ dimension }) => dimension === 'all')).toHaveLength(2)
})

test('names above the daily limit are merged into one, without losing views', async () => {
  const most = maxNames.referrer
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < most; i++) countView(now, view({ from: `h${round}-${i}.example` }))
    await flushHubUsage(system())
  }
  countView(now, view({ from: 'h0-7.example' }))
  await flushHubUsage(system())
  const referrerRows = (await rows()).filter(({ dimension }) => dimension === 'referrer')
  expect(referrerRows).toHaveLength(most + 1)
  expect(referrerRows.find(({ name }) => name === '*')).toMatchObject({ views: String(most) })
  expect(referrerRows.find(({ name }) => name === 'h0-7.example')).toMatchObject({ views: '2' })
})

test('search terms are stored after three occurrences, and never those that may be personal data', async () => {
  for (const text of ['Potholes!', 'potholes', ' PÓTHOLES ', 'potholes', 'rain', 'rain'])
    countEmptySearch(now, 'oakton', text)
  for (let i = 0; i < 9; i++) {
    countEmptySearch(now, 'oakton', 'jane@example.org')
    countEmptySearch(now, 'oakton', 'who is 555-123 4567')
    countEmptySearch(now, 'oakton', ' ?! ')
  }
  countEmptySearch(new Date('2026-03-02T00:00:00Z'), 'oakton', 'rain')
  expect(await flushHubUsage(system())).toBe(4)
  expect((await rows()).map(({ dimension, name, views }) => [dimension, name, views])).toEqual([
    ['search', 'potholes', '4'],
  ])
})

test('search terms are truncated between characters, so that they can be stored', async () => {
  for (let i = 0; i < 3; i++) countEmptySearch(now, 'oakton', `a${'\u{10400}'.repeat(100)}`)
  for (let i = 0; i < 3; i++) countEmptySearch(now, 'oakton', 'b\ud800\0')
  expect(await flushHubUsage(system())).toBe(6)
  expect((await rows()).map(({ name }) => name)).toEqual([`a${'\u{10428}'.repeat(79)}`, 'b'])
})

test('counts are visible to people of the place and to support only, and cannot be deleted', async () => {
  countView(now, view())
  countDownload(now, 'oakton', 'open')
  expect(await flushHubUsage(system())).toBe(2)
  for (const person of ['anonymous', 'none', 'stranger', 'no_role'] as const)
    expect([person, await rows(person)]).toEqual([person, []])
  for (const person of ['viewer', 'organization_admin', 'support', 'super_admin'] as const)
    expect([person, (await rows(person)).length]).toEqual([person, 6])
  for (const person of ['stranger', 'organization_admin'] as const)
    await world.as(person).db.deleteFrom('hubUsageDay').execute()
  expect(await rows()).toHaveLength(6)
})

test('a write is due after ten seconds or a hundred views', async () => {
  const toDate = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)
  await flushHubUsage(system(), undefined, toDate(0))
  expect(isHubFlushDue(toDate(100))).toBe(false)
  countView(toDate(1), view())
  expect([isHubFlushDue(toDate(9)), isHubFlushDue(toDate(10))]).toEqual([false, true])
  for (let i = 0; i < 99; i++) countView(toDate(1), view())
  expect(isHubFlushDue(toDate(1))).toBe(true)
})
