import { expect, test } from 'vitest'
import { exclusionIssues, omitExcluded } from './exclusions.ts'
import { v1 } from '#functions/v1/index.ts'

const { find, findById } = v1.place.insight
const row = { id: 'calls', query: { limit: 1 }, visualization: { type: 'map', settings: {} }, tags: ['a'] }
const page = { results: [row, { id: 'other' }], meta: { results: 2, total: 2 } }

test('excluded members are left out of every row, also nested ones, and the rest stays', () => {
  expect(omitExcluded(find, ['query', 'visualization.type'], page)).toEqual({
    results: [{ id: 'calls', visualization: { settings: {} }, tags: ['a'] }, { id: 'other' }],
    meta: page.meta,
  })
  expect(omitExcluded(find, 'query, tags', page)).toMatchObject({
    results: [{ id: 'calls', visualization: row.visualization }, { id: 'other' }],
  })
})

test('nothing is left out without names, below a list or a missing member, and of a single row', () => {
  for (const names of [undefined, null, '', [], ['tags.0', 'query.nope.deeper']])
    expect(omitExcluded(find, names, page)).toEqual(page)
  expect(omitExcluded(findById, ['id'], row)).toBe(row)
})

test('a name that no row of the list has is an issue with its position', () => {
  expect(exclusionIssues(find, ['query.anything', 'nope'])).toEqual([
    { path: ['exclusions', 1], value: 'nope', message: 'Invalid exclusion.' },
  ])
})
