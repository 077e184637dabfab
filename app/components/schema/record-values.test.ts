import { expect, it } from 'vitest'
import type { Field } from '#functions/shapes/field.ts'
import { recordChecker } from '#functions/shapes/fields/record.ts'
import { readValue, formatInputValue } from './record-values.ts'

const list = (type: 'text' | 'number' | 'date'): Field => ({
  name: 'L',
  type: 'array',
  items: { name: 'I', type },
})
const rows: [Field, unknown, string][] = [
  [{ name: 'T', type: 'text' }, 'a b', 'a b'],
  [{ name: 'N', type: 'number' }, -1.5, '-1.5'],
  [{ name: 'B', type: 'boolean' }, false, 'false'],
  [{ name: 'D', type: 'date' }, '2026-01-31T09:00:00.000Z', '2026-01-31T09:00:00'],
  [{ name: 'P', type: 'point' }, { type: 'Point', coordinates: [-73.99, 40.73] }, '-73.99, 40.73'],
  [list('text'), ['a', 'b'], 'a\nb'],
  [list('number'), [1, 2.5], '1\n2.5'],
  [list('date'), ['2026-01-31T09:00:00Z'], '["2026-01-31T09:00:00Z"]'],
  [{ name: 'M', type: 'object' }, { a: 1 }, '{"a":1}'],
]

it.each(rows)('%o: %o is written %j, and read again', (field, value, text) => {
  expect(formatInputValue(field, value)).toBe(text)
  expect(readValue(field, text)).toEqual(value)
  expect(readValue(field, ' ')).toBeUndefined()
  expect(formatInputValue(field, undefined)).toBe('')
})

it('an invalid value is left for validation to report', () => {
  const schema = Object.fromEntries(rows.slice(1).map(([field], i) => [`f${i}`, field]))
  const record = Object.fromEntries(
    Object.entries(schema).map(([key, field]) => [key, readValue(field, 'x')]),
  )
  const invalidKeys = new Set(recordChecker(schema)(record).map(({ path }) => path[0]))
  expect(invalidKeys).toEqual(new Set(['f0', 'f1', 'f2', 'f3', 'f5', 'f6', 'f7']))
})

it('a date without seconds is valid', () => {
  expect(readValue({ name: 'D', type: 'date' }, '2026-01-31T09:00')).toBe('2026-01-31T09:00:00.000Z')
})
