import { expect, test } from 'vitest'
import { initials } from './avatar.tsx'
import { matches } from './menu-search.tsx'
import { hasSearch } from './place-switcher.tsx'

const places = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `p${i}`, name: `Place ${i}` }))

test('the search appears above five other places, not counting the active one', () => {
  expect(hasSearch(places(6), 'p0')).toBe(false)
  expect(hasSearch(places(7), 'p0')).toBe(true)
  expect(hasSearch(places(5), null)).toBe(false)
  expect(hasSearch(places(6), null)).toBe(true)
})

test('the search filters names ignoring case', () => {
  expect(['seattle', ' OPEN ', 'tle o', ''].every((text) => matches('Seattle Open Data', text))).toBe(true)
  expect(matches('Seattle Open Data', 'boston')).toBe(false)
})

test('without a picture initials are shown', () => {
  expect(['Seattle Open Data', 'ada@example.org', 'Été'].map(initials)).toEqual(['SO', 'AE', 'É'])
})
