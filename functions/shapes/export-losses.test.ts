import { expect, test } from 'vitest'
import { losses, listExportLosses } from './export-losses.ts'
import { exportFormats } from './export-format.ts'
import type { FieldSchema } from './field.ts'

const zone = 'America/Los_Angeles'
const field = (type: string, more: object = {}) => ({ name: type, type, ...more }) as FieldSchema[string]

test('lists no losses for types of fields that a source does not have', () => {
  const plain = { name: field('text'), n: field('number') }
  for (const format of exportFormats)
    expect(listExportLosses(format, plain, zone), format).toEqual(
      format === 'gpx' ? ['oneText', 'onlyShapes'] : format === 'shp' ? ['cutTexts'] : [],
    )
})

test.each<[string, FieldSchema, Partial<Record<(typeof exportFormats)[number], string[]>>]>([
  [
    'a time of day',
    { at: field('date') },
    { csv: [], json: ['utc'], parquet: ['utc'], xlsx: ['repeatedHour', 'before1900'], kml: ['textTimes'] },
  ],
  [
    'a calendar date has no zone to lose',
    { day: field('date', { precision: 'day' }) },
    { csv: [], json: [], parquet: [], xlsx: ['before1900'], shp: [], kml: [] },
  ],
  [
    'a list of times',
    { at: field('array', { items: field('date') }) },
    { json: ['utc'], csv: ['textLists'] },
  ],
  [
    'two shapes, one with a long name',
    { spot: field('point'), neighbourhood: field('polygon') },
    { csv: ['textShapes'], shp: ['cutNames', 'oneShape'], geojson: ['oneShape', 'roundedShapes'], zip: [] },
  ],
])('%s', (_name, schema, expected) => {
  for (const [format, expectedLosses] of Object.entries(expected))
    expect(listExportLosses(format as 'csv', schema, zone), format).toEqual(expectedLosses)
})

test('a place in UTC loses nothing in dates', () => {
  expect(listExportLosses('json', { at: field('date') }, 'UTC')).toEqual([])
})

test('every format is listed', () => {
  expect(Object.keys(losses).sort()).toEqual([...exportFormats].sort())
})
