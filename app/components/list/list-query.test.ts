import { expect, test } from 'vitest'
import { listQuery, pickNounForm, pageHref, rangeText, showsPart, type ListOffer } from './list-query.ts'

const offer: ListOffer = {
  sorts: {
    name: { label: 'Name', field: 'name', direction: 'asc' },
    updated: { label: 'Last changed', field: 'updatedAt', direction: 'desc' },
  },
  filters: { visibility: { options: [{ value: 'public', label: 'Public' }] }, dataTypeId: {} },
  pageSize: 50,
}
const read = (search: string) => listQuery(new URL(`http://app.test/sources${search}`), offer)

test('the URL holds the whole state of a list', () => {
  expect(
    read('?search=rain+&sort=updated&visibility=public&dataTypeId=daily-weather&page=3').options,
  ).toEqual({
    search: 'rain',
    filters: { visibility: 'public', dataTypeId: 'daily-weather' },
    orderings: [{ value: { field: 'updatedAt' }, direction: 'desc' }],
    limit: 50,
    offset: 100,
  })
})

test('without parameters it is the first page in the default order', () => {
  expect(read('').options).toEqual({
    orderings: [{ value: { field: 'name' }, direction: 'asc' }],
    limit: 50,
    offset: 0,
  })
})

test.each(['?page=-1', '?page=x', '?page=0', '?sort=password', '?visibility=secret', '?constructor=1'])(
  'what is not offered counts as not said: %s',
  (search) => expect(read(search).options).toEqual(read('').options),
)

test('a filtered list may be empty while the list has rows', () => {
  const parts = ['', '?page=3', '?search=rain', '?visibility=public', '?search=%00', '?dataTypeId=%00']
  expect(parts.map((search) => showsPart(read(search)))).toEqual([false, true, true, true, false, false])
})

test('paging keeps the other parameters', () => {
  expect(pageHref('?search=rain&page=2', 3)).toBe('?search=rain&page=3')
  expect(pageHref('?search=rain&page=2', 1)).toBe('?search=rain')
  expect(pageHref('?page=2', 1)).toBe('?')
})

test('describes the range of rows', () => {
  expect(rangeText({ page: 1, pageSize: 50 }, 7, 7)).toBe('7')
  expect(rangeText({ page: 2, pageSize: 50 }, 50, 1212)).toBe('51–100 of 1,212')
  expect(rangeText({ page: 9, pageSize: 50 }, 0, 7)).toBe('0 of 7')
})

test.each([
  [1, 'alerts', 'alert'],
  [0, 'alerts', 'alerts'],
  [2, 'alerts', 'alerts'],
  [1, 'data types', 'data type'],
  [1, 'activities', 'activity'],
  [1, 'people', 'person'],
  [7, 'people', 'people'],
])('of %i %s it says %s', (n, plural, expected) => expect(pickNounForm(n, plural)).toBe(expected))
