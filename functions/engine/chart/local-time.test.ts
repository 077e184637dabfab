import { expect, it } from 'vitest'
import { localTime, computeNextBucketStart } from './local-time.ts'

const iso = (local: number | null) => (local === null ? null : new Date(local).toISOString().slice(0, 19))

it.each([
  ['2020-01-01T08:00:00Z', 'America/Los_Angeles', '2020-01-01T00:00:00'],
  ['2020-07-01T07:00:00Z', 'America/Los_Angeles', '2020-07-01T00:00:00'],
  ['2020-06-01T00:00:00Z', 'Asia/Kolkata', '2020-06-01T05:30:00'],
  ['1900-01-01T00:00:00Z', 'UTC', '1900-01-01T00:00:00'],
  ['2020-06-01', 'Pacific/Auckland', '2020-06-01T00:00:00'],
])('reads %s in %s', (value, zone, text) => {
  expect(iso(localTime(value, zone))).toBe(text)
})

it('keeps milliseconds and takes numbers and dates', () => {
  expect(localTime(1_577_836_800_123, 'America/New_York')).toBe(1_577_836_800_123 - 5 * 3_600_000)
  expect(localTime(new Date(0), 'UTC')).toBe(0)
})

it.each([null, undefined, '', 'soon', {}, true])('gives null for %j', (value) => {
  expect(localTime(value, 'UTC')).toBeNull()
})

it('throws for an unknown zone', () => {
  expect(() => localTime('2020-01-01T00:00:00Z', 'Mars/Base')).toThrow(RangeError)
})

it('returns the start of the next bucket', () => {
  const start = Date.UTC(2020, 0, 1)
  expect(iso(computeNextBucketStart(start, 'month'))).toBe('2020-02-01T00:00:00')
  expect(iso(computeNextBucketStart(start, 'quarter'))).toBe('2020-04-01T00:00:00')
  expect(iso(computeNextBucketStart(start, 'decade'))).toBe('2030-01-01T00:00:00')
  expect(iso(computeNextBucketStart(start, 'week'))).toBe('2020-01-08T00:00:00')
})
