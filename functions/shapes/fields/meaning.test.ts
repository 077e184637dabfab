import { expect, test } from 'vitest'
import type { Field } from '../field.ts'
import { isKind, isMeasure } from './meaning.ts'

const number = (name: string, more: object = {}): Field => ({ name, type: 'number', ...more })

test.each([
  ...[
    'Passengers',
    'Deaths',
    'Mean temperature',
    'Price',
    'Rides per year',
    'Number of days',
    'Humidity',
    'Grid load',
  ],
  ...['Amount paid', 'Population', 'Wind speed (km/h)', 'Delay', 'Yearly rainfall', 'Median income'],
])('%s is a measure', (name) => {
  expect(isMeasure(name.toLowerCase().replaceAll(' ', ''), number(name))).toBe(true)
})

test.each([
  ...[
    'ID',
    'Station ID',
    'stationId',
    'station_id',
    'OBJECTID',
    'ZIP',
    'Zip code',
    'Postal code',
    'FIPS',
    'County FIPS',
  ],
  ...[
    'Year',
    'Model year',
    'fiscal_year',
    'Month',
    'Hour',
    'Latitude',
    'lat',
    'lng',
    'Longitude',
    'Phone',
    'NAICS code',
  ],
])('%s is an identifier or date part, and no measure', (name) => {
  expect(isMeasure('n', number(name))).toBe(false)
  expect(isMeasure(name, number('Something'))).toBe(false)
})

test('the metadata of a field take precedence over its name', () => {
  expect(isMeasure('n', number('Trees', { identifier: true }))).toBe(false)
  expect(isMeasure('n', number('Code lines', { additive: true }))).toBe(true)
  expect(isMeasure('n', number('State', { region: 'us-states' }))).toBe(false)
  expect(isMeasure('n', number('Cause', { values: [{ value: 1, name: 'Fire' }] }))).toBe(false)
  expect(isMeasure('n', number('Weekday', { measurement: { type: 'datePart', value: 'dayOfWeek' } }))).toBe(
    false,
  )
  expect(isMeasure('n', number('Day', { measurement: { type: 'temperature', value: 'celsius' } }))).toBe(true)
  expect(isMeasure('n', { name: 'Passengers', type: 'text' })).toBe(false)
})

test('categories are texts and booleans that are no identifiers', () => {
  const text = (name: string, more: object = {}): Field => ({ name, type: 'text', ...more })
  expect(['Kind', 'State', 'State code', 'Weather'].map((name) => isKind('k', text(name)))).toEqual(
    Array(4).fill(true),
  )
  expect(['ID', 'Case ID', 'Mail', 'URL'].map((name) => isKind('k', text(name)))).toEqual([
    ...[false, false, true, false],
  ])
  expect(isKind('k', text('Kind', { identifier: true }))).toBe(false)
  expect(isKind('k', { name: 'Open', type: 'boolean' })).toBe(true)
  expect(isKind('k', number('Kind'))).toBe(false)
})
