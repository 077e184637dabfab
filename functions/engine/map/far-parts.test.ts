import { expect, test } from 'vitest'
import { listFarParts } from './far-parts.ts'

const names = (...of: Parameters<typeof listFarParts>) => listFarParts(...of).map(({ name }) => name)

test('a live map of the United States links to the parts that its picture has as insets, and to its territories', () => {
  expect(names('us-states', ['us-state-53'], 'en')).toEqual(['Alaska', 'Hawaii'])
  expect(names('us-counties', ['us-county-72001', 'us-county-53033'], 'fr')).toEqual([
    ...['Alaska', 'Hawaï', 'Porto Rico'],
  ])
  expect(names('us-states', ['us-state-60', 'us-state-66', 'us-state-78'], 'en')).toEqual([
    ...['Alaska', 'Hawaii', 'Puerto Rico', 'Guam and Northern Marianas', 'American Samoa'],
  ])
  expect(names('world-countries', ['country-840'], 'en')).toEqual([])
})
