import { beforeEach, describe, expect, test, vi } from 'vitest'
import { BoundedMemory } from './bounded-memory.ts'
import { readCached, type CacheRequest } from './cached.ts'
import { SingleFlight } from './single-flight.ts'
import { deadlineMs } from './stale.ts'
import type { Tier } from './tier.ts'

/** An answer of some version of the data; what is refused is made for one asker alone. */
interface Value {
  version: number
  text: string
}
type ComputedValue = Value | 'refused' | 'broken'

/** A tier that says what was asked of it. */
function buildTier(name: string, isFar = false) {
  const entries = new Map<string, Value>()
  const calls: string[] = []
  const tier: Tier<Value> = {
    name,
    isFar,
    async get(key) {
      calls.push(`get ${key}`)
      return entries.get(key) ?? null
    },
    async put(key, value) {
      calls.push(`put ${key}`)
      entries.set(key, value)
    },
  }
  return { tier, kept: entries, calls }
}

const now = (text: string): Value => ({ version: 2, text })
const old = (text: string): Value => ({ version: 1, text })

let memory: BoundedMemory<Value>
let near: ReturnType<typeof buildTier>
let far: ReturnType<typeof buildTier>
let late: Promise<unknown>[]
let singleFlight: SingleFlight<Value>

beforeEach(() => {
  memory = new BoundedMemory<Value>({ cost: 100, estimateCost: () => 1 })
  near = buildTier('cache')
  far = buildTier('store', true)
  late = []
  singleFlight = new SingleFlight<Value>()
})

function ask(make: () => Promise<ComputedValue>, changes: Partial<CacheRequest<Value, ComputedValue>> = {}) {
  return readCached<Value, ComputedValue>({
    key: 'question',
    memory,
    tiers: [near.tier, far.tier],
    singleFlight,
    isCurrent: ({ version }) => version >= 2,
    make,
    toCacheable: async (result) => ({ value: typeof result === 'string' ? null : result, made: result }),
    older: {
      isFailure: (result) => result === 'broken',
      find: async (outdatedValues) => outdatedValues[0] ?? null,
    },
    later: (work) => void late.push(work.catch(() => {})),
    ...changes,
  })
}
const never = () => Promise.reject(new Error('Nothing is to be made.'))
const readCaches = () => [memory.get('question'), near.kept.get('question'), far.kept.get('question')]

test('a computed value is stored in memory and in every tier, and not computed again', async () => {
  expect(await ask(async () => now('made'))).toEqual({ made: now('made') })
  await Promise.all(late)
  expect(readCaches()).toEqual([now('made'), now('made'), now('made')])
  expect(await ask(never)).toEqual({ value: now('made'), from: 'memory' })
})

test('a value found in a tier is copied into the tiers before it', async () => {
  far.kept.set('question', now('stored'))
  expect(await ask(never)).toEqual({ value: now('stored'), from: 'store' })
  await Promise.all(late)
  expect(readCaches()).toEqual([now('stored'), now('stored'), now('stored')])
  expect(far.calls).toEqual(['get question'])
  expect(await ask(never, { memory: null })).toEqual({ value: now('stored'), from: 'cache' })
})

test('a value of older data versions is computed again and replaced', async () => {
  memory.put('question', old('held'))
  near.kept.set('question', old('cached'))
  far.kept.set('question', old('stored'))
  expect(await ask(async () => now('made'))).toEqual({ made: now('made') })
  await Promise.all(late)
  expect(readCaches()).toEqual([now('made'), now('made'), now('made')])
})

test('a failure is thrown to the caller and stored nowhere', async () => {
  expect(await ask(async () => 'refused')).toEqual({ made: 'refused' })
  await Promise.all(late)
  expect(readCaches()).toEqual([undefined, undefined, undefined])
})

test('a value computed of older data than requested is returned once and stored nowhere', async () => {
  expect(await ask(async () => old('made'))).toEqual({ made: old('made') })
  await Promise.all(late)
  expect(readCaches()).toEqual([undefined, undefined, undefined])
})

test('a tier that cannot be read or written is skipped', async () => {
  const brokenTier: Tier<Value> = { name: 'broken', get: never, put: never }
  expect(await ask(async () => now('made'), { tiers: [brokenTier, far.tier] })).toEqual({ made: now('made') })
  await Promise.all(late)
  expect(far.kept.get('question')).toEqual(now('made'))
})

test('concurrent requests of one key compute once and read the remote tiers once', async () => {
  let count = 0
  let finish: (result: ComputedValue) => void = () => {}
  const make = () => {
    count += 1
    return new Promise<ComputedValue>((resolve) => (finish = resolve))
  }
  const all = Array.from({ length: 5 }, () => ask(make))
  await vi.waitFor(() => expect(count).toBe(1))
  finish(now('made'))
  const results = await Promise.all(all)
  expect(results[0]).toEqual({ made: now('made') })
  expect(results.slice(1)).toEqual(Array(4).fill({ value: now('made'), from: 'shared' }))
  expect([count, far.calls.filter((call) => call.startsWith('get')).length]).toEqual([1, 1])
})

test('a request that waited for a failed one computes its own value', async () => {
  let count = 0
  const refuse = async (): Promise<ComputedValue> => ((count += 1), 'refused')
  const results = await Promise.all([ask(refuse), ask(refuse), ask(refuse)])
  expect([count, ...results]).toEqual([3, ...Array(3).fill({ made: 'refused' })])
})

describe('when computing fails', () => {
  test('the stale value is returned', async () => {
    memory.put('question', old('held'))
    for (const make of [async () => 'broken' as const, never])
      expect(await ask(make)).toEqual({ value: old('held'), from: 'older' })
  })

  test('and there is no stale value, the error is thrown', async () => {
    expect(await ask(async () => 'broken')).toEqual({ made: 'broken' })
    await expect(ask(never)).rejects.toThrow('Nothing is to be made.')
  })

  test('to finish in time, the stale value is returned, and the new one is stored later', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      memory.put('question', old('held'))
      let finish: (result: ComputedValue) => void = () => {}
      const asking = ask(() => new Promise<ComputedValue>((resolve) => (finish = resolve)))
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
      await vi.advanceTimersByTimeAsync(deadlineMs)
      expect(await asking).toEqual({ value: old('held'), from: 'older' })
      finish(now('made'))
      await Promise.all(late)
      expect(memory.get('question')).toEqual(now('made'))
    } finally {
      vi.useRealTimers()
    }
  })
})
