import { expect, test } from 'vitest'
import { longest } from './use-log.ts'

const line = (message: string) => ({ at: '2026-01-01T00:00:00Z', level: 'info' as const, message })

test('of two states of one log the longer is shown: lines are never removed', () => {
  const [first, both] = [[line('a')], [line('a'), line('b')]]
  expect(longest(first, [])).toBe(first)
  expect(longest(first, both)).toBe(both)
  expect(longest(both, first)).toBe(both)
})
