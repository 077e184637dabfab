import { describe, expect, it } from 'vitest'
import { parseInstant, isoDate } from './dates.ts'
import { quickest } from './timing.testing.ts'

const good: [string, string][] = [
  ['2020-02-29T23:59:59Z', '2020-02-29T23:59:59.000Z'],
  ['2020-01-01T00:00:00', '2020-01-01T00:00:00.000Z'],
  ['2020-01-01T00:00:00.5', '2020-01-01T00:00:00.500Z'],
  ['2020-01-01T00:00:00.123456789012345Z', '2020-01-01T00:00:00.123Z'],
  ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ['0000-02-29T00:00:00Z', '0000-02-29T00:00:00.000Z'],
  ['0099-12-31T00:00:00Z', '0099-12-31T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
]
const bad: unknown[] = [
  '2020-01-01t00:00:00Z',
  '2020-01-01T00:00:00z',
  '2020-01-01T00:00:00+00:00',
  '2020-01-01T00:00:00-05:00',
  '2020-01-01',
  '2020-01-01T00:00Z',
  '2020-01-01T24:00:00Z',
  '2020-01-01T23:60:00Z',
  '2020-01-01T23:59:60Z',
  '2020-01-01T00:00:00.Z',
  '2021-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2020-04-31T00:00:00Z',
  '2020-00-01T00:00:00Z',
  '2020-13-01T00:00:00Z',
  '2020-01-00T00:00:00Z',
  '2020-01-32T00:00:00Z',
  '+12020-01-01T00:00:00Z',
  '-2020-01-01T00:00:00Z',
  '12020-01-01T00:00:00Z',
  ' 2020-01-01T00:00:00Z',
  '2020-01-01T00:00:00Z\n',
  '2020-01-01 00:00:00Z',
  '٢٠٢٠-01-01T00:00:00Z',
  '',
  1577836800000,
  null,
  new Date(Number.NaN),
]

describe('dates', () => {
  it.each(good)('%s is %s', (text, iso) => {
    expect(isoDate(text)).toBe(iso)
  })
  it.each(bad)('%j is not a date', (value) => {
    expect(parseInstant(value)).toBeNull()
    expect(isoDate(value)).toBeNull()
  })
  it('agrees with the engine on every day of 800 years', () => {
    for (let day = Date.UTC(1600, 0, 1); day < Date.UTC(2400, 0, 1); day += 86_400_000) {
      const text = new Date(day).toISOString()
      if (parseInstant(text) !== day) expect.fail(text)
    }
  })
  it('accepts a Date', () => {
    expect(parseInstant(new Date(5))).toBe(5)
  })
  it('parses a fraction of 100,000 digits in linear time', () => {
    const text = `2020-01-01T00:00:00.${'1'.repeat(100_000)}x`
    expect(parseInstant(text)).toBeNull()
    expect(quickest(() => parseInstant(text))).toBeLessThan(50)
  })
})
