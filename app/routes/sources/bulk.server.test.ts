import { expect, test } from 'vitest'
import { plannedIn } from './bulk.server.ts'

const source = (id: string, more: object = {}) => ({
  ...{ id, name: id.toUpperCase(), version: 3, licence: null, licenceUrl: null, cadence: null, topic: null },
  ...{ contact: null, ...more },
})
const planned = (query: string, ...sources: ReturnType<typeof source>[]) =>
  plannedIn(new URLSearchParams(query), sources)

test('only what differs is changed, of those that were chosen; what was left empty stays', () => {
  const sources = [source('a', { topic: 'Water' }), source('b', { topic: 'Roads' }), source('c')]
  expect(planned('id=a&id=b&topic=Water&cadence=&contact=+', ...sources)).toEqual([
    {
      ...{ id: 'b', name: 'B', version: 3, data: { topic: 'Water' }, before: { topic: 'Roads' } },
      rows: [{ field: 'topic', now: 'Roads', then: 'Water' }],
    },
  ])
})

test('a licence takes the address of the one before it away, and undoing brings both back', () => {
  const own = source('a', { licence: 'Ours', licenceUrl: 'https://own.example/terms' })
  expect(planned('id=a&licence=CC0+1.0', own)).toMatchObject([
    {
      data: { licence: 'CC0 1.0', licenceUrl: null },
      before: { licence: 'Ours', licenceUrl: 'https://own.example/terms' },
    },
  ])
})
