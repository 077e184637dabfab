import type { FeatureCollection } from 'geojson'
import { expect, test } from 'vitest'
import countryAtlas from 'world-atlas/countries-50m.json' with { type: 'json' }
import stateAtlas from 'us-atlas/states-10m.json' with { type: 'json' }
import { listAlternativeNames } from './region-names.ts'
import { regionFinder } from './regions.ts'

const regions = (list: [string, string, string, string?][]): FeatureCollection => ({
  type: 'FeatureCollection',
  features: list.map(([gid, code, name, parent]) => ({
    type: 'Feature',
    properties: { gid, code, name, parent },
    geometry: { type: 'Point', coordinates: [0, 0] },
  })),
})
const states = regions([
  ['us-state-06', '06', 'California'],
  ['us-state-41', '41', 'Oregon'],
])
const counties = regions([
  ['us-county-06037', '06037', 'Los Angeles', 'us-state-06'],
  ['us-county-41067', '41067', 'Washington', 'us-state-41'],
  ['us-county-06999', '06999', 'Washington', 'us-state-06'],
])

test('finds a region by gid, code and name', () => {
  const find = regionFinder(states)
  expect(['us-state-06', '06', 6, '6', 'california', '  California '].map(find)).toEqual(
    Array(6).fill('us-state-06'),
  )
  expect(['Kalifornia', '', null, {}, '007', NaN].map(find)).toEqual(Array(6).fill(null))
})

test('an ambiguous name needs its parent', () => {
  const find = regionFinder(counties, states)
  expect(find('Washington')).toBeNull()
  expect(find('Washington, Oregon')).toBe('us-county-41067')
  expect(find(6037)).toBe('us-county-06037')
})

/** The regions of an atlas by id and name, like boundary files. */
const toAtlasRegions = (
  geometries: { id?: string; properties: { name: string } }[],
  prefix: string,
): FeatureCollection =>
  regions(geometries.flatMap(({ id, properties: { name } }) => (id ? [[`${prefix}${id}`, id, name]] : [])))
const allStates = toAtlasRegions(stateAtlas.objects.states.geometries as never, 'us-state-')
const allCountries = toAtlasRegions(
  (countryAtlas.objects.countries.geometries as { id?: string; properties: { name: string } }[]).filter(
    ({ properties }) => properties.name !== 'Ashmore and Cartier Is.',
  ),
  'country-',
)

test.each([
  ['us-state-06', ['CA', 'ca', '06', 6, '6', 'California', '0400000US06', 'us-state-06']],
  ['us-state-11', ['DC', 11, 'District of Columbia', 'Washington, D.C.', 'district of columbia']],
  ['us-state-72', ['PR', '72', 'Puerto Rico']],
  ['us-state-78', ['VI', 'U.S. Virgin Islands', 'United States Virgin Islands']],
  ['us-state-01', ['AL', 1, '1', '01', 'ALABAMA']],
])('finds a state in any spelling: %s', (gid, spellings) => {
  expect(spellings.map(regionFinder(allStates))).toEqual(spellings.map(() => gid))
})

test.each([
  [
    '840',
    [
      'US',
      'USA',
      'U.S.A.',
      840,
      'United States',
      'United States of America',
      'Estados Unidos',
      'الولايات المتحدة',
    ],
  ],
  ['036', ['AU', 'AUS', 36, '36', '036', 'Australia', 'Australie']],
  ['004', ['AF', 'AFG', 4, '4', 'Afghanistan']],
  ['384', ['CI', 'CIV', "Côte d'Ivoire", 'Cote d’Ivoire', 'Ivory Coast']],
  ['410', ['KR', 'KOR', 'South Korea', 'Korea, Rep.', 'Republic of Korea', 'Corée du Sud']],
  ['180', ['CD', 'COD', 'Congo, Dem. Rep.', 'Democratic Republic of the Congo', 'DR Congo']],
  ['178', ['CG', 'COG', 'Congo', 'Congo, Rep.', 'Republic of the Congo']],
  ['792', ['TR', 'TUR', 'Turkey', 'Türkiye', 'Turkiye']],
  ['659', ['KNA', 'St. Kitts and Nevis', 'Saint Kitts & Nevis']],
  ['270', ['GM', 'The Gambia', 'Gambia, The', 'Gambia']],
  ['203', ['CZE', 'Czechia', 'Czech Republic']],
  ['807', ['MKD', 'North Macedonia', 'Macedonia']],
  ['826', ['GB', 'GBR', 'UK', 'United Kingdom', 'Great Britain']],
])('finds a country in any spelling: %s', (number, spellings) => {
  expect(spellings.map(regionFinder(allCountries))).toEqual(spellings.map(() => `country-${number}`))
})

test('finds every state and country of the atlas by its codes and names, and nothing else', () => {
  const speaker = new Intl.DisplayNames(['en'], { type: 'region' })
  const state = regionFinder(allStates)
  const country = regionFinder(allCountries)
  const isFound = { states: 0, countries: 0 }
  for (const { properties } of allStates.features) {
    const [gid, code, name] = [properties?.gid, properties?.code, properties?.name] as [
      string,
      string,
      string,
    ]
    const [letters = ''] = listAlternativeNames(gid)
    expect([code, Number(code), name, letters].map(state), name).toEqual(Array(4).fill(gid))
    isFound.states += 1
  }
  for (const { properties } of allCountries.features) {
    const [gid, code, name] = [properties?.gid, properties?.code, properties?.name] as [
      string,
      string,
      string,
    ]
    const [two = '', three = ''] = listAlternativeNames(gid)
    const english = speaker.of(two)
    expect([code, Number(code), name, two, three, english].map(country), name).toEqual(Array(6).fill(gid))
    isFound.countries += 1
  }
  expect(isFound).toEqual({ states: 56, countries: 235 })
  expect(['ZZ', 'XX', 'Atlantis', 'Total', 'World', '999', '', ' ', 0].map(country)).toEqual(
    Array(9).fill(null),
  )
  expect(['XX', 'Atlantis', '99', 3, 'US'].map(state)).toEqual(Array(5).fill(null))
})

test("finds a county with its suffix, with its state's abbreviation, and by census code", () => {
  const find = regionFinder(counties, states)
  const spellings = [
    'Los Angeles County',
    'los angeles county, california',
    'Los Angeles County, CA',
    '0500000US06037',
  ]
  expect(spellings.map(find)).toEqual(Array(4).fill('us-county-06037'))
  expect(find('Washington County')).toBeNull()
  expect(find('Washington County, OR')).toBe('us-county-41067')
})
