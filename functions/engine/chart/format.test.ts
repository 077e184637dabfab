import { describe, expect, it } from 'vitest'
import type { OutputField } from '#functions/shapes/analytics.ts'
import { axisTitle, formatValue, getFieldUnit } from './format.ts'

const field = (type: OutputField['type'], measurement?: [string, string]): OutputField => ({
  name: 'Mean temperature',
  type,
  ...(measurement ? { measurement: { type: measurement[0], value: measurement[1] } } : {}),
})
const english = { locale: 'en-US', timeZone: 'America/New_York' }
const normalizeSpaces = (text: string) => text.replace(/[\u00a0\u202f\u2009]/g, ' ')

describe('dates of a reader whose locale is not the page’s', () => {
  const german = { ...english, dateLocale: 'de-AT' }
  const date = (bucket?: string) => field('date', bucket ? ['bucket', bucket] : undefined)

  it.each<[string | undefined, string]>([
    ['day', '05.11.2026'],
    ['minute', '05.11.2026, 14:30'],
    ['month', 'November 2026'],
    ['year', '2026'],
    // Words are the page's.
    ['quarter', 'Q4 2026'],
    [undefined, '05.11.2026, 14:30'],
  ])('writes the bucket %s as %s', (bucket, text) => {
    expect(formatValue('2026-11-05T19:30:00Z', date(bucket), german)).toBe(text)
  })

  it('leaves numbers and booleans as the page has them', () => {
    expect(formatValue(1234.5, field('number'), german)).toBe('1,235')
    expect(formatValue(true, field('boolean'), german)).toBe('Yes')
  })

  it('stays in the calendar of the data', () => {
    expect(formatValue('2026-11-05T19:30:00Z', date('day'), { ...english, dateLocale: 'th' })).toContain(
      '2026',
    )
  })
})

describe('formatValue', () => {
  it.each<[unknown, OutputField | undefined, string]>([
    [12.84, field('number', ['temperature', 'celsius']), '12.84 °C'],
    [88, field('number', ['speed', 'kilometer']), '88 km/h'],
    [3.5, field('number', ['distance', 'millimeter']), '3.5 mm'],
    [1234.5, field('number', ['currency', 'usd']), '$1,235'],
    [12.5, field('number', ['currency', 'usd']), '$12.50'],
    [0.256, field('number', ['percentage', 'decimal']), '25.6%'],
    [11, field('number', ['concentration', 'microgram']), '11 µg/m³'],
    [5, field('number', ['duration', 'minute']), '5 min'],
    [45, field('number', ['angle', 'degree']), '45°'],
    [0.000123, field('number'), '0.000123'],
    [-1.25e-9, field('number', ['distance', 'millimeter']), '−1.25E-9 mm'],
    [4e-300, field('number'), '4E-300'],
    [0.1 + 0.2, field('number'), '0.3'],
    [1234567, undefined, '1,234,567'],
    ['17.5', field('number'), '17.5'],
    [1, field('number', ['datePart', 'dayOfWeek']), 'Mon'],
    [7, field('number', ['datePart', 'dayOfWeek']), 'Sun'],
    [3, field('number', ['datePart', 'month']), 'Mar'],
    [2012, field('number', ['datePart', 'year']), '2012'],
    [201, field('number', ['datePart', 'decade']), '2010s'],
    [9, field('number', ['datePart', 'hourOfDay']), '09:00'],
    [true, field('boolean'), 'Yes'],
    [false, undefined, 'No'],
    [['a', 'b'], field('array'), 'a, b'],
    [{ type: 'Point', coordinates: [-122.33, 47.61] }, field('point'), '47.61000, −122.33000'],
    [{ type: 'Polygon', coordinates: [] }, field('geometry'), 'Polygon'],
    ['2020-06-01T04:00:00Z', field('date', ['bucket', 'day']), 'Jun 1, 2020'],
    ['2020-06-01T04:00:00Z', field('date', ['bucket', 'month']), 'June 2020'],
    ['2020-06-01T04:00:00Z', field('date', ['bucket', 'week']), 'Jun 1 – 7, 2020'],
    ['2020-01-01T05:00:00Z', field('date', ['bucket', 'quarter']), 'Q1 2020'],
    ['2020-01-01T05:00:00Z', field('date', ['bucket', 'year']), '2020'],
    ['2020-01-01T05:00:00Z', field('date', ['bucket', 'decade']), '2020s'],
    ['2019-09-01T04:00:00Z', field('date', ['bucket', 'customYear']), 'Sep 2019 – Aug 2020'],
    ['2020-06-01T16:30:00Z', field('date'), 'Jun 1, 2020, 12:30 PM'],
    ['2020-06-01', field('date'), 'Jun 1, 2020'],
  ])('writes %j', (value, of, text) => {
    expect(normalizeSpaces(formatValue(value, of, english))).toBe(text)
  })

  it.each([null, undefined, '', NaN, Infinity])('formats %s as a dash', (value) => {
    expect(formatValue(value, field('number'), english)).toBe('–')
  })

  it('formats invalid dates and numbers as a dash', () => {
    expect(formatValue('soon', field('date'), english)).toBe('–')
    expect(formatValue('many', field('number'), english)).toBe('–')
  })

  it('follows the locale', () => {
    const german = { locale: 'de-DE', timeZone: 'Europe/Berlin' }
    expect(normalizeSpaces(formatValue(1234.5, field('number', ['temperature', 'celsius']), german))).toBe(
      '1.235 °C',
    )
    expect(normalizeSpaces(formatValue(0.256, field('number', ['percentage', 'decimal']), german))).toBe(
      '25,6 %',
    )
    expect(formatValue('2020-05-31T22:00:00Z', field('date', ['bucket', 'month']), german)).toBe('Juni 2020')
  })

  it('shortens, fixes decimals and omits the unit on request', () => {
    expect(formatValue(11_731_294, field('number'), { ...english, compact: true })).toBe('11.7M')
    expect(formatValue(4, field('number'), { ...english, decimals: 2 })).toBe('4.00')
    expect(formatValue(4, field('number', ['currency', 'usd']), { ...english, unit: '' })).toBe('4')
    const dollars = field('number', ['currency', 'usd'])
    expect([0, 1, 2].map((decimals) => formatValue(12.5, dollars, { ...english, decimals }))).toEqual([
      ...['$13', '$12.5', '$12.50'],
    ])
    expect(formatValue(-0.2, field('number'), { ...english, decimals: 0 })).toBe('0')
  })
})

it('returns the unit of numbers only', () => {
  expect(getFieldUnit(field('number', ['currency', 'eur']))).toBe('€')
  expect(getFieldUnit(field('number', ['datePart', 'month']))).toBe('')
  expect(getFieldUnit(field('date', ['bucket', 'day']))).toBe('')
  expect(getFieldUnit(undefined)).toBe('')
})

it('adds the unit to the title of an axis', () => {
  expect(axisTitle(field('number', ['temperature', 'celsius']))).toBe('Mean temperature (°C)')
  expect(axisTitle(field('number'))).toBe('Mean temperature')
})
