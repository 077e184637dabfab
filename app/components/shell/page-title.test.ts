import { expect, test } from 'vitest'
import { placeTitle, titleIn } from './page-title.ts'

const root = { id: 'root', data: { main: { place: { displayName: 'Seattle Open Data' } } } }

test("a page's title is 'title · place display name'", () => {
  const title = placeTitle<{ name: string }>(({ name }) => name)
  expect(title({ data: { name: 'Rain' }, matches: [root] })).toEqual([{ title: 'Rain · Seattle Open Data' }])
  expect(title({ data: undefined, matches: [root] })).toEqual([{ title: 'Error · Seattle Open Data' }])
})

test('without a place the product’s name is used', () => {
  const matches = [{ id: 'root', data: { main: { place: null } } }]
  expect(placeTitle('Explore')({ data: undefined, matches })).toEqual([{ title: 'Explore · Commonplace' }])
})

test("a hub's page that stands instead of another is of its place", () => {
  const matches = [{ id: 'root', data: { main: null, hub: { place: { displayName: 'Oakton' } } } }]
  expect(titleIn(matches, 'Not found')).toBe('Not found · Oakton')
})
