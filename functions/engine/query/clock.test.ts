import { expect, test } from 'vitest'
import { readsClock } from './index.ts'

test('whatever is sent as the name of a function is looked at without failing', () => {
  const bare = Object.create(null) as Record<string, unknown>
  for (const sent of [bare, { toString: 1 }, { function: bare }, [bare], null, 7, Symbol.iterator])
    expect(readsClock({ groupings: [{ key: 'at', function: sent }] })).toBe(false)
  expect(readsClock({ groupings: [{ key: 'at', function: { function: 'now' } }] })).toBe(true)
  expect(readsClock({ filters: { at: { $lt: { function: 'now' } } } })).toBe(true)
})
