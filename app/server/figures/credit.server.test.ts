import { expect, test } from 'vitest'
import { dataCredit } from './credit.server.ts'

const trees = { name: 'Trees', attribution: 'City of Oakton', dataUpdatedAt: '2026-11-03T09:00:00Z' }
const parks = { name: 'Parks', attribution: null, dataUpdatedAt: '2026-11-20T23:30:00Z' }
const reader = { locale: 'en', timeZone: 'America/New_York' }

test('data are credited with their sources, who publishes them, and the day of the newest in the time zone of the place', () => {
  expect(dataCredit([trees], reader)).toBe('Source: Trees (City of Oakton) · data of November 3, 2026')
  expect(dataCredit([trees, parks], reader)).toBe(
    'Source: Trees (City of Oakton), Parks · data of November 20, 2026',
  )
  expect(dataCredit([trees, parks], { locale: 'de', timeZone: 'Asia/Tokyo' })).toMatch(
    /Trees \(City of Oakton\), Parks · .*21\. November 2026/,
  )
})

test('at most three sources are named, and unknown facts are left out', () => {
  const five = ['A', 'B', 'C', 'D', 'E'].map((name) => ({ name }))
  expect(dataCredit(five, reader)).toBe('Source: A, B, C +2')
  expect(dataCredit([], reader)).toBe('')
})
