import { expect, test } from 'vitest'
import { readsClock } from './index.ts'

test('any input as the name of a function is inspected without an exception', () => {
  const bare = Object.create(null) as Record<string, unknown>
  for (const input of [bare, { toString: 1 }, { function: bare }, [bare], null, 7, Symbol.iterator])
    expect(readsClock({ groupings: [{ key: 'at', function: input }] })).toBe(false)
  expect(readsClock({ groupings: [{ key: 'at', function: { function: 'now' } }] })).toBe(true)
  expect(readsClock({ filters: { at: { $lt: { function: 'now' } } } })).toBe(true)
})
