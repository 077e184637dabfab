import { expect, test } from 'vitest'
import { isSearched, recordHref, recordsQuery, sortHref } from './records-query.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'

const schema: FieldSchema = {
  species: { name: 'Species', type: 'text', search: true },
  height: { name: 'Height', type: 'number' },
  alive: { name: 'Alive', type: 'boolean' },
  where: { name: 'Where', type: 'point' },
}
const parseOptions = (search: string) =>
  recordsQuery(new URLSearchParams(search), schema, 'America/New_York').options

test('a URL without parameters shows the first page', () => {
  expect(parseOptions('')).toEqual({ limit: 50, offset: 0 })
})

test('order, search, a value and a page become options', () => {
  expect(parseOptions('search=oak&sort=height&direction=desc&where=alive&is=true&page=3')).toEqual({
    search: 'oak',
    filters: { 'data.alive': true },
    orderings: [{ value: { field: 'data.height' }, direction: 'desc' }],
    limit: 50,
    offset: 100,
  })
  expect(parseOptions('where=height&is=2.5')).toMatchObject({ filters: { 'data.height': 2.5 } })
  expect(parseOptions('where=species&is=')).toMatchObject({ filters: { 'data.species': null } })
})

test('ignores unsortable and unknown fields', () => {
  expect(parseOptions('sort=where&where=nothing&is=1&page=-4')).toEqual({ limit: 50, offset: 0 })
})

test('does not search records without a searchable text', () => {
  const { species: _searched, ...others } = schema
  const unsaid: FieldSchema = { ...others, note: { name: 'Note', type: 'text' } }
  expect([schema, unsaid].map(isSearched)).toEqual([true, false])
  expect(recordsQuery(new URLSearchParams('search=oak'), unsaid, 'UTC')).toMatchObject({
    search: '',
    options: { limit: 50, offset: 0 },
  })
})

test('sorting again reverses the order, resets the page and keeps the rest', () => {
  const search = '?search=oak&page=4'
  expect(sortHref(search, { sort: '', direction: 'asc' }, 'height')).toBe(
    '?search=oak&sort=height&direction=asc',
  )
  expect(sortHref(search, { sort: 'height', direction: 'asc' }, 'height')).toContain('direction=desc')
  expect(recordHref('?page=4&record=7', null)).toBe('?page=4')
})
