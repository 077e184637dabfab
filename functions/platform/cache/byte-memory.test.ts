import { expect, test } from 'vitest'
import { byteMemory } from './bounded-memory.ts'
import { SingleFlight } from './single-flight.ts'

const entry = (bytes: number) => ({ body: new Uint8Array(bytes) })

test('ten thousand different answers stay within the bounds, and the newest are there', () => {
  const memory = byteMemory<{ body: Uint8Array }>(1_000_000, 10_000)
  for (let i = 0; i < 10_000; i += 1) {
    memory.put(`question ${i}`, entry(i % 5000))
    expect(memory.cost).toBeLessThanOrEqual(1_000_000)
  }
  expect(memory.get('question 9999')).toBeDefined()
  expect(memory.get('question 0')).toBeUndefined()
  expect(memory.size).toBeGreaterThan(100)
})

test('no more than so many, however small', () => {
  const memory = byteMemory<{ body: Uint8Array }>(1_000_000, 20)
  for (let i = 0; i < 100; i += 1) memory.put(`${i}`, entry(0))
  expect(memory.size).toBe(20)
})

test('what is read stays, what is not read goes', () => {
  const memory = byteMemory<{ body: Uint8Array }>(1_000_000, 3)
  for (const name of ['a', 'b', 'c']) memory.put(name, entry(1))
  memory.get('a')
  memory.put('d', entry(1))
  expect(['a', 'b', 'c', 'd'].map((name) => memory.get(name) !== undefined)).toEqual([
    true,
    false,
    true,
    true,
  ])
})

test('one large answer does not drive out the others', () => {
  const memory = byteMemory<{ body: Uint8Array }>(1_000_000)
  memory.put('small', entry(1))
  memory.put('large', entry(100_000))
  expect([memory.get('large'), memory.size]).toEqual([undefined, 1])
  expect(byteMemory<{ body: Uint8Array }>(0).size).toBe(0)
})

test('the same name again takes the place of the former', () => {
  const memory = byteMemory<{ body: Uint8Array }>(1_000_000)
  memory.put('a', entry(1000))
  const { cost } = memory
  for (let i = 0; i < 50; i += 1) memory.put('a', entry(1000))
  expect([memory.cost, memory.size]).toEqual([cost, 1])
  memory.put('a', entry(100_000))
  expect([memory.cost, memory.size]).toEqual([0, 0])
})

test('those who fly along get what the first one brings, and the next one flies itself', async () => {
  const singleFlight = new SingleFlight<number>()
  const first = singleFlight.join('a', 0)
  const second = singleFlight.join('a', 1)
  if (!('land' in first) || !('wait' in second)) throw new Error('The first one leads.')
  const waiting = second.wait()
  first.land(17)
  expect(await waiting).toBe(17)
  expect('land' in singleFlight.join('a', 2)).toBe(true)
  expect('land' in singleFlight.join('b', 2)).toBe(true)
})

test('no one waits longer than so long for one who does not come back', async () => {
  const singleFlight = new SingleFlight<number>(20)
  const first = singleFlight.join('a', 0)
  const second = singleFlight.join('a', 1)
  if (!('land' in first) || !('wait' in second)) throw new Error('The first one leads.')
  expect(await second.wait()).toBeNull()
  const third = singleFlight.join('a', 30)
  expect('land' in third).toBe(true)
  // The first one comes back after all: it must not end the flight of another.
  first.land(1)
  expect('wait' in singleFlight.join('a', 31)).toBe(true)
})
