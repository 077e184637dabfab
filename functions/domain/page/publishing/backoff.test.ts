import { expect, test } from 'vitest'
import { backoffSeconds, probeWaitSeconds } from './backoff.ts'

test('at most doubles each time, from one second to five minutes, without end', () => {
  const longest = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 50, 10_000].map((n) => backoffSeconds(n, () => 1))
  expect(longest).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
})

test('is random, and never immediate', () => {
  expect(backoffSeconds(10, () => 0)).toBe(1)
  expect(backoffSeconds(10, () => 0.5)).toBe(150)
})

test('a storage is retried every few seconds', () => {
  expect([probeWaitSeconds(() => 0), probeWaitSeconds(() => 1)]).toEqual([3.5, 5])
})
