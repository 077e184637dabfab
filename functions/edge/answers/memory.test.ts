import { expect, test } from 'vitest'
import type { Entry } from './entry.ts'
import { SingleFlight } from '#functions/platform/cache/single-flight.ts'
import { Memory } from './memory.ts'

const entry = (bytes: number): Entry => ({
  body: new Uint8Array(bytes),
  about: { headers: {}, next: null, basis: {}, at: 0, until: null },
  checkedBy: null,
})

test('ten thousand different answers stay within the bounds, and the newest are there', () => {
  const memory = new Memory(1_000_000, 10_000)
  for (let i = 0; i < 10_000; i += 1) {
    memory.put(`question ${i}`, entry(i % 5000))
    expect(memory.cost).toBeLessThanOrEqual(1_000_000)
  }
  expect(memory.get('question 9999')).toBeDefined()
  expect(memory.get('question 0')).toBeUndefined()
  expect(memory.size).toBeGreaterThan(100)
})

test('no more than so many, however small', () => {
  const memory = new Memory(1_000_000, 20)
  for (let i = 0; i < 100; i += 1) memory.put(`${i}`, entry(0))
  expect(memory.size).toBe(20)
})

test('what is read stays, what is not read goes', () => {
  const memory = new Memory(1_000_000, 3)
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
  const memory = new Memory(1_000_000)
  memory.put('small', entry(1))
  memory.put('large', entry(100_000))
  expect([memory.get('large'), memory.size]).toEqual([undefined, 1])
  expect(new Memory(0).size).toBe(0)
})

test('the same name again takes the place of the former', () => {
  const memory = new Memory(1_000_000)
  memory.put('a', entry(1000))
  const { cost } = memory
  for (let i = 0; i < 50; i += 1) memory.put('a', entry(1000))
  expect([memory.cost, memory.size]).toEqual([cost, 1])
  memory.put('a', entry(100_000))
  expect([memory.cost, memory.size]).toEqual([0, 0])
})

test('those who fly along get what the first one brings, and the next one flies itself', async () => {
  const flights = new SingleFlight<number>()
  const first = flights.join('a', 0)
  const second = flights.join('a', 1)
  if (!('land' in first) || !('wait' in second)) throw new Error('The first one leads.')
  const waiting = second.wait()
  first.land(17)
  expect(await waiting).toBe(17)
  expect('land' in flights.join('a', 2)).toBe(true)
  expect('land' in flights.join('b', 2)).toBe(true)
})

test('no one waits longer than so long for one who does not come back', async () => {
  const flights = new SingleFlight<number>(20)
  const first = flights.join('a', 0)
  const second = flights.join('a', 1)
  if (!('land' in first) || !('wait' in second)) throw new Error('The first one leads.')
  expect(await second.wait()).toBeNull()
  const third = flights.join('a', 30)
  expect('land' in third).toBe(true)
  // The first one comes back after all: it must not end the flight of another.
  first.land(1)
  expect('wait' in flights.join('a', 31)).toBe(true)
})
