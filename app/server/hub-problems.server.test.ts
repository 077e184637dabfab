import { expect, test } from 'vitest'
import { ordinal, toHubTroubles } from './hub-problems.server.ts'

test.each([
  [1, '1st'],
  [2, '2nd'],
  [3, '3rd'],
  [11, '11th'],
  [12, '12th'],
  [22, '22nd'],
  [1000, '1,000th'],
])('%i is the %s', (n, text) => {
  expect(ordinal(n)).toBe(text)
})

test.each([
  [-5, 'Trying again now (3rd try).'],
  [40, 'Trying again in 40 s (3rd try).'],
  [240, 'Trying again in 4 min (3rd try).'],
])('a try in %i seconds', (seconds, next) => {
  const now = new Date('2026-11-23T12:00:00Z')
  const problem = {
    target: 'pages',
    message: 'The hub shows the version of Tuesday 17 November, 14:05, because the storage did not answer.',
    attempts: 2,
    nextAttemptAt: new Date(now.getTime() + seconds * 1000).toISOString(),
  }
  expect(toHubTroubles([problem], now)).toEqual([{ id: 'pages', message: problem.message, next }])
})
