import { expect, test } from 'vitest'
import { recordTable } from './record-table.ts'

test('columns are in schema order, numbers have their unit once, missing values are a dash', () => {
  const table = recordTable(
    {
      day: { name: 'Day', type: 'date', measurement: { type: 'bucket', value: 'day' } },
      rain: { name: 'Rain', type: 'number', measurement: { type: 'distance', value: 'millimeter' } },
      place: { name: 'Place', type: 'text' },
    },
    [{ data: { rain: 12.5, day: '2012-01-01T08:00:00.000Z' } }, {}],
    { locale: 'en', timeZone: 'America/Los_Angeles' },
  )
  expect(table.columns).toEqual([
    { label: 'Day', isNumber: false, isShort: true },
    { label: 'Rain (mm)', isNumber: true, isShort: true },
    { label: 'Place', isNumber: false, isShort: true },
  ])
  expect(table.rows).toEqual([
    ['Jan 1, 2012', '12.5', '–'],
    ['–', '–', '–'],
  ])
})

test('numbers of a column have the decimals of the longest of them: none is rounded', () => {
  const column = (values: unknown[], field: object = {}) =>
    recordTable(
      { x: { name: 'X', type: 'number', ...field } },
      values.map((x) => ({ data: { x } })),
      { locale: 'en', timeZone: 'UTC' },
    ).rows.flat()
  expect(column([5.6, 5, -2.1, 0])).toEqual(['5.6', '5.0', '−2.1', '0.0'])
  expect(column([1017, 1018])).toEqual(['1,017', '1,018'])
  expect(column([1234.56, 7])).toEqual(['1,234.56', '7.00'])
  expect(column([47.609712, -122.3])).toEqual(['47.609712', '−122.300000'])
  expect(column([0.1 + 0.2, null])).toEqual(['0.3', '–'])
  expect(column([0.125, 0.5], { measurement: { type: 'percentage' } })).toEqual(['12.5', '50.0'])
  expect(column([12.5, 3], { measurement: { type: 'currency', value: 'usd' } })).toEqual(['12.50', '3.00'])
  expect(column([1e-9, 2])).toEqual(['1E-9', '2'])
})

test('a column is wrapped only if one of its texts is long', () => {
  const table = recordTable(
    { day: { name: 'Day', type: 'text' }, notes: { name: 'Notes', type: 'text' } },
    [{ data: { day: '2015-12-31', notes: 'Nothing was read at this gauge on that day.' } }],
    { locale: 'en', timeZone: 'UTC' },
  )
  expect(table.columns.map(({ isShort }) => isShort)).toEqual([true, false])
})
