import { expect, test } from 'vitest'
import { holdsWords, describeIdChanges, thingWords } from './archive-words.ts'

const none = {
  ...{ dataTypes: 0, sources: 0, records: 0, insights: 0, collections: 0, pages: 0, media: 0 },
  ...{ boundarySets: 0, translations: 0, importers: 0, observers: 0 },
}

test('the contents of an archive are counted, with singular forms', () => {
  expect(holdsWords({ ...none, sources: 3, records: 1200, collections: 1 })).toBe(
    '3 sources, 1,200 records, and 1 collection',
  )
  expect(holdsWords(none)).toBe('')
})

test('things have readable names, and contents without paths are only counted', () => {
  expect(['dataType', 'source', 'media', 'content'].map(thingWords)).toEqual([
    'Data type',
    'Source',
    'File',
    'Part of a page',
  ])
  const renamed = ['source', 'content', 'content', 'text'].map((noun, i) => ({
    noun,
    id: `b${i}`,
    from: `a${i}`,
  }))
  expect(describeIdChanges(renamed)).toEqual(['Source a0: b0 here', '3 parts of pages and collections'])
})
