import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PolledCache } from './polled.ts'

let cache: PolledCache<string | null>
let loads: (string | null | undefined)[]
let round = 0
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const bounds = { cost: 10, estimateCost: () => 1 }
  cache = new PolledCache({ name: `test ${(round += 1)}`, freshMs: 2000, staleMs: 60_000, bounds })
  loads = []
})
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)
const gives = (value: string | null) => async (before: string | null | undefined) => {
  loads.push(before)
  return value
}
const fails = () => Promise.reject(new Error('away'))
const read = async (load: Parameters<typeof cache.read>[1]) => {
  const { value, isStale } = await cache.read('key', load)
  return isStale ? `${value}, stale` : value
}

test('it is asked for again when it is too old, and told what was known', async () => {
  expect(await read(gives('a'))).toBe('a')
  pass(1999)
  expect(await read(gives('b'))).toBe('a')
  pass(1)
  expect(await read(gives('b'))).toBe('b')
  expect(loads).toEqual([undefined, 'a'])
})

test('it counts from before it was read', async () => {
  await read(async () => (pass(1500), 'a'))
  pass(500)
  expect(await read(gives('b'))).toBe('b')
})

test('those who ask at once are one read, which fails for all as it fails for the first', async () => {
  expect(await Promise.all([read(gives('a')), read(gives('b')), read(gives('c'))])).toEqual(['a', 'a', 'a'])
  pass(100_000)
  const outcomes = await Promise.allSettled([read(fails), read(gives('d'))])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('while it cannot be read the last one is given, and not for ever', async () => {
  const first = Date.now()
  await read(gives('a'))
  pass(30_000)
  expect(await cache.read('key', fails)).toEqual({ value: 'a', readAt: first, isStale: true })
  pass(30_001)
  await expect(read(fails)).rejects.toMatchObject({ name: 'StorageError' })
  expect(await read(gives('b'))).toBe('b')
})

test('what failed just now is not tried again at once where the last one is given', async () => {
  await read(gives('a'))
  pass(3000)
  await read(fails)
  expect(await read(gives('b'))).toBe('a, stale')
  pass(2000)
  expect(await read(gives('b'))).toBe('b')
})

test('that there is nothing is not given when it cannot be read', async () => {
  expect(await read(gives(null))).toBeNull()
  pass(3000)
  await expect(read(fails)).rejects.toMatchObject({ name: 'StorageError' })
})

test('who asks for what is fresh is given nothing older', async () => {
  await read(gives('a'))
  pass(3000)
  await expect(cache.readFresh('key', fails)).rejects.toThrow('away')
  expect(await cache.readFresh('key', gives('b'))).toBe('b')
})

test('what is expired is read again, and still given where that fails', async () => {
  await read(gives('a'))
  cache.expire('key', 100)
  expect(await read(gives('b'))).toBe('a')
  pass(100)
  cache.expire('key', 100)
  expect(await read(fails)).toBe('a, stale')
  pass(2000)
  expect(await read(gives('b'))).toBe('b')
})

test('what was dropped is read again', async () => {
  await read(gives('a'))
  cache.drop('key')
  expect(await read(gives('b'))).toBe('b')
})

// Who joined would wait for two seconds before reading for itself.
test(
  'a read that began before it was dropped is neither joined nor remembered',
  { timeout: 1500 },
  async () => {
    let finish: (value: string) => void = () => {}
    const early = read(() => new Promise<string>((resolve) => (finish = resolve)))
    cache.drop('key')
    expect(await read(gives('written'))).toBe('written')
    finish('before')
    expect(await early).toBe('before')
    expect(await read(gives('again'))).toBe('written')
  },
)
