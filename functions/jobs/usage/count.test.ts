import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countRequest, flushUsage, isFlushDue } from './count.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld(city)
})
afterAll(() => world.close())
beforeEach(async () => {
  await flushUsage(system())
  await system().deleteFrom('usageDay').execute()
})

const system = () => world.as('system').db
const day = (text: string) => new Date(`${text}T23:59:59.999Z`)
const rows = () =>
  system()
    .selectFrom('usageDay')
    .select(['placeId', 'dataTypeId', 'requests', 'exports'])
    .orderBy('placeId')
    .orderBy('dataTypeId')
    .orderBy('day')
    .execute()

test('sums by place, data type and UTC day, and adds to existing counts', async () => {
  for (const date of ['2026-01-01', '2026-01-01', '2026-01-02'])
    countRequest(day(date), 'oakton', 'call', 'request')
  countRequest(day('2026-01-02'), 'oakton', null, 'request')
  countRequest(day('2026-01-02'), 'elmsford', 'call', 'export')
  expect(await flushUsage(system())).toBe(5)
  const first = [
    { placeId: 'elmsford', dataTypeId: '', requests: '1', exports: '1' },
    { placeId: 'elmsford', dataTypeId: 'call', requests: '1', exports: '1' },
    { placeId: 'oakton', dataTypeId: '', requests: '2', exports: '0' },
    { placeId: 'oakton', dataTypeId: '', requests: '2', exports: '0' },
    { placeId: 'oakton', dataTypeId: 'call', requests: '2', exports: '0' },
    { placeId: 'oakton', dataTypeId: 'call', requests: '1', exports: '0' },
  ]
  expect(await rows()).toEqual(first)
  expect(await flushUsage(system())).toBe(0)
  countRequest(day('2026-01-01'), 'oakton', 'call', 'request')
  await flushUsage(system())
  expect((await rows()).map(({ requests }) => requests)).toEqual(['1', '1', '3', '2', '3', '1'])
})

test('sums are exact with concurrent writes', async () => {
  const flushes: Promise<number>[] = []
  for (let i = 0; i < 400; i++) {
    countRequest(day('2026-01-01'), i % 2 ? 'oakton' : 'elmsford', i % 3 ? 'call' : null, 'request')
    if (i % 10 === 9) flushes.push(flushUsage(world.as('system').db))
  }
  const flushCounts = await Promise.all(flushes)
  expect(flushCounts.reduce((sum, n) => sum + n, 0)).toBe(400)
  const sums = (await rows()).filter(({ dataTypeId }) => dataTypeId === '').map(({ requests }) => requests)
  expect(sums).toEqual(['200', '200'])
})

test('a failed write loses no counts, nor those added meanwhile', async () => {
  countRequest(day('2026-01-01'), 'oakton', null, 'request')
  // Anonymous users may not write.
  const failingFlush = flushUsage(world.as('anonymous').db)
  countRequest(day('2026-01-01'), 'oakton', null, 'export')
  await expect(failingFlush).rejects.toThrow(/row-level security/)
  expect(await flushUsage(system())).toBe(2)
  expect(await rows()).toEqual([{ placeId: 'oakton', dataTypeId: '', requests: '2', exports: '1' }])
})

test('unknown names are dropped', async () => {
  countRequest(day('2026-01-01'), 'nowhere', 'call', 'request')
  countRequest(day('2026-01-01'), 'oakton', 'nothing', 'request')
  await flushUsage(system())
  expect(await rows()).toEqual([{ placeId: 'oakton', dataTypeId: '', requests: '1', exports: '0' }])
})

test('a write is due after ten seconds or a hundred requests', async () => {
  const toDate = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)
  await flushUsage(system(), toDate(0))
  expect(isFlushDue(toDate(100))).toBe(false)
  countRequest(toDate(1), 'oakton', null, 'request')
  expect([isFlushDue(toDate(9)), isFlushDue(toDate(10))]).toEqual([false, true])
  for (let i = 0; i < 99; i++) countRequest(toDate(1), 'oakton', null, 'request')
  expect(isFlushDue(toDate(1))).toBe(true)
})
