import { expect, it } from 'vitest'
import { exportFormats } from '#functions/shapes/export-format.ts'
import { aboutBytes, formatUses } from './export-size.ts'
import { formatBytes } from '#functions/shapes/format-bytes.ts'

const sample = [{ data: { name: 'Elm', height: 12.5 }, geometry: { type: 'Point', coordinates: [1, 2] } }]

it('grows with the number of records and the verbosity of the format', () => {
  const bytes = (format: 'csv' | 'json' | 'geojson', rows: number) => aboutBytes(format, sample, rows) ?? 0
  expect(bytes('csv', 1)).toBe('Elm,12.5\n'.length)
  expect(bytes('csv', 1000)).toBe(9000)
  expect(bytes('json', 10)).toBeGreaterThan(bytes('csv', 10))
  expect(bytes('geojson', 10)).toBeGreaterThan(bytes('json', 10))
  expect(aboutBytes('parquet', sample, 10)).toBeNull()
  expect(aboutBytes('csv', [], 10)).toBeNull()
  expect(aboutBytes('csv', [], 0)).toBe(0)
})

it('is formatted for people', () => {
  expect([0, 999, 1200, 12_340, 5_600_000, 2_000_000_000].map((bytes) => formatBytes(bytes))).toEqual([
    '0 bytes',
    '999 bytes',
    '1.2 kB',
    '12 kB',
    '5.6 MB',
    '2 GB',
  ])
  // Separated by non-breaking spaces.
  expect(formatBytes(1_234_567, 'fr').replaceAll(/\s/g, ' ')).toBe('1,2 Mo')
})

it('every format has a description', () => {
  expect(Object.keys(formatUses).sort()).toEqual([...exportFormats].sort())
})
