import type { Geometry } from 'geojson'
import { expect, test } from 'vitest'
import { regionsWithValues } from './map-regions.ts'

const geometry: Geometry = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
}
const region = (code: string, name: string) => ({
  type: 'Feature' as const,
  geometry,
  properties: { gid: `region-${code}`, code, name, names: ['other'], km2: 5 },
})

test('a file of regions has all of the set with their values, null without one, and metadata', () => {
  const outlines = {
    ...{ type: 'FeatureCollection' as const, origin: 'Made with Natural Earth', licence: 'Public domain' },
    features: [region('DE-BY', 'Bayern'), region('DE-BE', 'Berlin')],
  }
  const about = { title: 'Calls', measure: 'Calls (per 1,000)', address: 'https://data.example/map' }
  expect(regionsWithValues(outlines, { 'region-DE-BY': 0, 'region-XX': 9 }, about)).toMatchObject({
    ...{ type: 'FeatureCollection', name: 'Calls', measure: 'Calls (per 1,000)', licence: 'Public domain' },
    ...{ origin: 'Made with Natural Earth', page: 'https://data.example/map' },
    features: [
      { id: 'region-DE-BY', geometry, properties: { code: 'DE-BY', name: 'Bayern', value: 0 } },
      { id: 'region-DE-BE', geometry, properties: { code: 'DE-BE', name: 'Berlin', value: null } },
    ],
  })
})
