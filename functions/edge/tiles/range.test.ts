import { expect, test } from 'vitest'
import { matchesEtag } from '#functions/engine/http/etag.ts'
import { readRange } from '#functions/engine/http/range.ts'

test.each([
  [null, 'whole'],
  ['bytes=0-9', { offset: 0, length: 10 }],
  ['bytes=90-', { offset: 90, length: 10 }],
  ['bytes=90-500', { offset: 90, length: 10 }],
  ['bytes=-10', { offset: 90, length: 10 }],
  ['bytes=-500', { offset: 0, length: 100 }],
  ['BYTES=99-99', { offset: 99, length: 1 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=100-200', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=99999999999999999999-', 'unsatisfiable'],
  ['bytes=5-2', 'whole'],
  ['bytes=0-1,5-6', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=a-b', 'whole'],
  ['rows=0-9', 'whole'],
])('Range %s of 100 bytes is %j', (header, range) => {
  expect(readRange(header, 100)).toEqual(range)
})

test('an empty file has no range', () => {
  expect(readRange('bytes=0-', 0)).toBe('unsatisfiable')
  expect(readRange('bytes=-5', 0)).toBe('unsatisfiable')
})

test.each([
  [null, false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['*', true],
  ['"ab"', false],
  ['a', false],
])('If-None-Match %s against "a" is %s', (header, isMatch) => {
  expect(matchesEtag(header, '"a"')).toBe(isMatch)
})
