import { expect, test } from 'vitest'
import { initials } from './avatar.tsx'
import { matches } from './place-search.tsx'
import { hasSearch } from './place-switcher.tsx'

const places = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `p${i}`, name: `Place ${i}` }))

test('the search appears above five other places: the one worked in does not count', () => {
  expect(hasSearch(places(6), 'p0')).toBe(false)
  expect(hasSearch(places(7), 'p0')).toBe(true)
  expect(hasSearch(places(5), null)).toBe(false)
  expect(hasSearch(places(6), null)).toBe(true)
})

test('the search is a filter on the name, whatever the case', () => {
  expect(['seattle', ' OPEN ', 'tle o', ''].every((text) => matches('Seattle Open Data', text))).toBe(true)
  expect(matches('Seattle Open Data', 'boston')).toBe(false)
})

test('without a picture the first letters stand for a name', () => {
  expect(['Seattle Open Data', 'ada@example.org', 'Été'].map(initials)).toEqual(['SO', 'AE', 'É'])
})
