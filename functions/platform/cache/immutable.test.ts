import { expect, test } from 'vitest'
import { ImmutableCache } from './immutable.ts'

const open = () => new ImmutableCache<string>({ cost: 2, estimateCost: () => 1 })

test('what was read is known, and what is asked for at once is read once', async () => {
  const cache = open()
  let loads = 0
  const load = async () => ((loads += 1), 'value')
  expect(await Promise.all([cache.read('a', load), cache.read('a', load)])).toEqual(['value', 'value'])
  expect(await cache.read('a', load)).toBe('value')
  expect([loads, cache.peek('a'), cache.peek('b')]).toEqual([1, 'value', undefined])
})

test('what is not there, or cannot be read, is looked for again', async () => {
  const cache = open()
  expect(await cache.read('a', async () => null)).toBeNull()
  await expect(cache.read('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await cache.read('a', async () => 'value')).toBe('value')
})

test('the least lately used ones go first', async () => {
  const cache = open()
  for (const key of ['a', 'b']) await cache.read(key, async () => key)
  cache.peek('a')
  await cache.read('c', async () => 'c')
  expect(['a', 'b', 'c'].map((key) => cache.peek(key))).toEqual(['a', undefined, 'c'])
})
