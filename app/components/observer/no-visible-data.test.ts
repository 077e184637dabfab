import { expect, test } from 'vitest'
import { explainNoVisibleData } from './no-visible-data.ts'

const source = (id: string, visibility: 'public' | 'place' | 'private', count: number) => ({
  id,
  visibility,
  count,
})

test('an observer without visible data says why, and one with data says nothing', () => {
  expect(explainNoVisibleData([], null)).toMatch(/no source of this data type/)
  expect(explainNoVisibleData([source('a', 'private', 5)], null)).toMatch(/private/)
  expect(explainNoVisibleData([source('a', 'place', 0)], 'a')).toMatch(/no records/)
  expect(explainNoVisibleData([source('a', 'private', 5), source('b', 'public', 5)], 'a')).toMatch(/private/)
  expect(explainNoVisibleData([source('a', 'private', 5), source('b', 'public', 5)], null)).toBeNull()
})
