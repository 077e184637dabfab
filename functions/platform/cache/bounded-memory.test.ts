import { expect, test } from 'vitest'
import { BoundedMemory } from './bounded-memory.ts'

const buildMemory = (bounds: { cost: number; largest?: number; entries?: number }) =>
  new BoundedMemory<string>({ ...bounds, estimateCost: (value) => value.length })
const listStoredNames = (memory: BoundedMemory<string>, names: string) =>
  [...names].filter((name) => memory.get(name) !== undefined).join('')

test('the least recently used entries are evicted first', () => {
  const memory = buildMemory({ cost: 3 })
  for (const name of 'abc') memory.put(name, '1')
  memory.get('a')
  memory.put('d', '1')
  expect([listStoredNames(memory, 'abcd'), memory.cost]).toEqual(['acd', 3])
  memory.put('e', '12')
  expect([listStoredNames(memory, 'abcde'), memory.cost]).toEqual(['de', 3])
})

test('the newest entry is kept even above the limit, until another is added', () => {
  const memory = buildMemory({ cost: 3 })
  memory.put('a', '1')
  memory.put('b', '12345')
  expect([listStoredNames(memory, 'ab'), memory.cost]).toEqual(['b', 5])
  memory.put('c', '1')
  expect([listStoredNames(memory, 'abc'), memory.cost]).toEqual(['c', 1])
})

test('an entry that is too large is not stored, and only removes the one of its key', () => {
  const memory = buildMemory({ cost: 10, largest: 3 })
  memory.put('a', '1')
  memory.put('b', '1')
  memory.put('b', '1234')
  expect([listStoredNames(memory, 'ab'), memory.cost]).toEqual(['a', 1])
})

test('the number of entries is limited as well', () => {
  const memory = buildMemory({ cost: 10, entries: 2 })
  for (const name of 'abc') memory.put(name, '')
  expect([listStoredNames(memory, 'abc'), memory.size]).toEqual(['bc', 2])
})
