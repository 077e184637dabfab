import { expect, test } from 'vitest'
import { readMessage } from './messages.ts'

test('reads a message of this version, and ignores unknown fields', () => {
  expect(readMessage({ v: 1, kind: 'hub', placeId: 'oakton', more: true })).toEqual({
    v: 1,
    kind: 'hub',
    placeId: 'oakton',
  })
  expect(readMessage({ v: 1, kind: 'exports', sources: ['open'] })).toEqual({
    v: 1,
    kind: 'exports',
    sources: ['open'],
  })
})

test.each([{ v: 2, kind: 'outbox' }, { v: 7 }])('%j is of newer code and is retried later', (body) => {
  expect(readMessage(body)).toBe('later')
})

test.each([
  null,
  'outbox',
  7,
  [],
  {},
  { v: 0, kind: 'outbox' },
  { v: '2', kind: 'outbox' },
  { v: 1 },
  { v: 1, kind: 'drop' },
  { v: 1, kind: 'hub', placeId: 7 },
  { v: 1, kind: 'exports', sources: 'all' },
])('%j is not a message of any version', (body) => {
  expect(readMessage(body)).toBeNull()
})
