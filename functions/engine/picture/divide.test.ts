import { expect, test } from 'vitest'
import { memoryBucket } from '#db/worlds/ports.ts'
import { buildDrawing } from './drawing.ts'
import { measureRegionAreas } from './denominators.ts'
import { divideByRegion } from './divide.ts'
import { mapKeys, nothingLeft, describeMapGaps } from './map.ts'
import { renderPicture } from './picture.ts'
import type { MapPer } from '#functions/shapes/analytics.ts'

/** A square of a degree at the equator, and one as wide at 60° north, which is about half of it. */
const square = (gid: string, name: string, south: number, isClockwise: boolean) => {
  const ring = [
    [0, south],
    [1, south],
    [1, south + 1],
    [0, south + 1],
    [0, south],
  ]
  return {
    ...{ type: 'Feature' as const, properties: { gid, name } },
    geometry: { type: 'Polygon' as const, coordinates: [isClockwise ? ring.reverse() : ring] },
  }
}
const shapes = {
  type: 'FeatureCollection' as const,
  features: [square('s-1', 'Ohio', 0, false), square('s-2', 'Iowa', 60, true)],
}
const subject = {
  visualization: { type: 'map' as const, settings: { region: 'state', color: 'n', per: 'area' as const } },
  output: {
    aggregations: [{ alias: 'n', name: 'Trees', function: 'sum' as const }],
    groupings: [{ alias: 'state' }],
    orderings: [{ alias: 'n', direction: 'desc' as const }],
    schema: {
      state: { name: 'State', type: 'text' as const },
      n: { name: 'Trees', type: 'number' as const, additive: true as const },
    },
  },
  rows: [
    { state: 'Ohio', n: 24_728 },
    { state: 'Iowa', n: 24_728 },
    { state: 'Nowhere', n: 5 },
  ],
  ...{ title: 'Trees', timeZone: 'UTC', locale: 'en', credit: '' },
}
const tiles = memoryBucket()
await tiles.put('boundaries/us-states.geojson', JSON.stringify(shapes))

test('areas are spherical, with any winding order', () => {
  const areas = measureRegionAreas(shapes)
  // ST_Area of these squares on the sphere of the mean radius, in km²; the sides in the north are great circles.
  expect(areas.get('s-1')).toBeCloseTo(12_363.7, 0)
  expect((areas.get('s-2') ?? 0) / (areas.get('s-1') ?? 1)).toBeCloseTo(0.4925, 2)
})

test('divides an answer by the areas of its regions, and drops the aggregate function and the order', async () => {
  const divided = await divideByRegion(tiles, subject, 'en')
  expect(divided.rows.map(({ n }) => n)).toEqual([2, 4.06, null])
  expect(divided.output).toMatchObject({
    aggregations: [{ alias: 'n', name: 'Trees' }],
    orderings: [],
    schema: { n: { name: 'Trees per km²', type: 'number' } },
  })
  expect(divided.output.aggregations[0]).not.toHaveProperty('function')
  expect(divided.output.schema.n).not.toHaveProperty('additive')
  const { per: _per, ...settings } = subject.visualization.settings
  const subjectWithoutPer = { ...subject, visualization: { type: 'map' as const, settings } }
  expect(await divideByRegion(tiles, subjectWithoutPer, 'en')).toBe(subjectWithoutPer)
})

test.each([
  ['en', 'Trees per 1,000\u00a0km²'],
  ['es', 'Trees por 1000\u00a0km²'],
  ['fr', 'Trees par 1\u202f000\u00a0km²'],
  ['de', 'Trees pro 1.000\u00a0km²'],
  ['ja', 'Trees（1,000\u00a0km²あたり）'],
])('small densities are per more square kilometres, in %s', async (locale, expectedName) => {
  const rows = [
    { state: 'Ohio', n: 21 },
    { state: 'Iowa', n: 14 },
  ]
  const divided = await divideByRegion(tiles, { ...subject, rows }, locale)
  expect(divided.output.schema.n).toMatchObject({ name: expectedName })
  expect(divided.rows.map(({ n }) => n)).toEqual([1.7, 2.3])
})

test('picture, legend, sentence and specification have the same values', async () => {
  const { svg } = await renderPicture(tiles, subject, { width: 900, height: null, theme: 'light' })
  expect(svg).toContain('<title>Iowa: 4.06</title>')
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text).join(' ')
  expect(texts).toContain('Trees per km²')
  expect(texts).toContain('Areas are those of the simplified borders of the map.')
  expect(texts).toMatch(/Iowa/)
  expect(texts).not.toContain('24,728')
  const { spec } = await buildDrawing(tiles, subject)
  expect(JSON.stringify(spec)).toContain('"value":4.06')
})

/** Districts of an organization, with attributes in their set. */
const districts = memoryBucket()
const [ohio, iowa] = shapes.features as [(typeof shapes.features)[0], (typeof shapes.features)[0]]
const measured = (feature: typeof ohio, name: string, numbers: object) => ({
  ...feature,
  properties: { gid: `g-${name}`, name, km2: 200, numbers },
})
await districts.put(
  'boundaries/wards.geojson',
  JSON.stringify({
    type: 'FeatureCollection',
    features: [
      measured(ohio, 'Ohio', { people: 8000 }),
      measured(iowa, 'Iowa', { people: 3000 }),
      measured(iowa, 'Utah', { people: 0 }),
      measured(iowa, 'Iona', {}),
    ],
  }),
)
const perHead = (per: MapPer) => ({
  ...subject,
  visualization: {
    type: 'map' as const,
    settings: { region: 'state', color: 'n', per, boundarySetId: 'wards' },
  },
  rows: [
    { state: 'Ohio', n: 17 },
    { state: 'Iowa', n: 8 },
    { state: 'Utah', n: 4 },
    { state: 'Iona', n: 4 },
  ],
})

test('divides an answer by an attribute of the areas; without one, or by zero, there is no value, which is reported', async () => {
  const perHeadSubject = perHead({ attribute: 'people', name: 'residents' })
  const divided = await divideByRegion(districts, perHeadSubject, 'en')
  expect(divided.rows.map(({ n }) => n)).toEqual([2.125, 2.667, null, null])
  expect(divided.output.schema.n).toMatchObject({ name: 'Trees per 1,000\u00a0residents' })
  const keys = await mapKeys(districts, divided)
  expect(describeMapGaps(keys, nothingLeft, { ...divided, locale: 'en', timeZone: 'UTC' })).toBe(
    '2 regions have nothing that their values could be divided by: they are shown as “no data”.',
  )
  const { svg } = await renderPicture(districts, perHeadSubject, { width: 640, height: 400, theme: 'light' })
  expect(svg).toContain('url(#')
  const nothing = await divideByRegion(districts, perHead({ attribute: 'constructor' }), 'en')
  expect(nothing.rows.every(({ n }) => n === null)).toBe(true)
})

test('uses the full areas if the set has them, and then has no note about simplified outlines', async () => {
  const divided = await divideByRegion(districts, perHead('area'), 'en')
  expect(divided.rows.map(({ n }) => n)).toEqual([8.5, 4, 2, 2])
  expect(divided.output.schema.n).toMatchObject({ name: 'Trees per 100\u00a0km²' })
  expect(
    describeMapGaps(await mapKeys(districts, divided), nothingLeft, {
      ...divided,
      locale: 'en',
      timeZone: 'UTC',
    }),
  ).toBe('')
})
