import { expect, test } from 'vitest'
import { recordTable } from './record-table.ts'

test('columns stand in the order of the schema, numbers say their unit once, absent values are a dash', () => {
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
    { label: 'Day', isNumber: false },
    { label: 'Rain (mm)', isNumber: true },
    { label: 'Place', isNumber: false },
  ])
  expect(table.rows).toEqual([
    ['Jan 1, 2012', '12.5', '–'],
    ['–', '–', '–'],
  ])
})
