import type { Feature, FeatureCollection, Position } from 'geojson'
import { expect, test } from 'vitest'
import { placeMap, type PlaceMapOptions } from './place-map.ts'

/** A square with sides of `size` degrees. */
function square(gid: string, name: string, [west, south]: [number, number], size = 1): Feature {
  const [east, north] = [west + size, south + size]
  const ring: Position[] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  return { type: 'Feature', properties: { gid, name }, geometry: { type: 'Polygon', coordinates: [ring] } }
}
const collection = (...features: Feature[]): FeatureCollection => ({ type: 'FeatureCollection', features })

const king = square('k', 'King', [-122, 47])
const regions = collection(
  king,
  square('p', 'Pierce & <Sons>', [-122, 46]),
  square('y', 'Yakima', [-121, 46]),
)
const options: PlaceMapOptions = {
  ...{
    regions,
    boundary: collection(king),
    layers: [],
    width: 640,
    height: 480,
    projection: 'mercator',
    locale: 'en',
  },
  ...{ title: 'Map of King', description: 'Trees: 3 records', id: 'place-map' },
}
const draw = (changes: Partial<PlaceMapOptions> = {}) => placeMap({ ...options, ...changes }).svg
/** The values of a numeric attribute, in document order. */
const numbers = (svg: string, attribute: string) =>
  [...svg.matchAll(new RegExp(`${attribute}="([-.\\d]+)"`, 'g'))].map(([, digits]) => Number(digits))

test('the boundary is drawn once, in the colour of the map, above the land', () => {
  const svg = draw()
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 640 480" role="img" /)
  expect(svg).toContain('<title id="place-map-title">Map of King</title>')
  expect(svg.match(/stroke="var\(--map-layer\)"/g)).toHaveLength(1)
  expect(svg.indexOf('var(--map-layer)')).toBeGreaterThan(svg.indexOf('var(--map-land)'))
  expect(svg).not.toMatch(/style=|NaN|Infinity|undefined|<script/)
  expect(draw({ boundary: collection() })).not.toContain('--map-layer')
})

test('the picture is fitted to the boundary and clips what is around it', () => {
  const svg = draw()
  expect(svg).toContain('<clipPath id="place-map-cut"><rect width="640" height="480"/></clipPath>')
  // A degree of latitude fills the picture: the middle of King is the middle of it, Pierce's is below.
  const parseLabelPosition = (svg: string) =>
    (/<text x="([-.\d]+)" y="([-.\d]+)">King</.exec(svg) ?? []).slice(1).map(Number)
  const [x = 0, y = 0] = parseLabelPosition(svg)
  expect(Math.abs(x - 320)).toBeLessThan(2)
  expect(Math.abs(y - 244)).toBeLessThan(4)
  expect(svg).not.toContain('Pierce')
  expect(draw({ boundary: collection() })).toContain('>Pierce &amp; &lt;Sons&gt;<')
})

test('each layer is a group with its own fill for its switch, and all names are one group', () => {
  const point = { lon: -121.5, lat: 47.5 }
  const svg = draw({
    layers: [
      { points: [point, { lon: 10, lat: 10 }], fill: 'var(--cat-1)' },
      { points: [], fill: 'var(--cat-2)' },
      { points: [{ ...point, value: 40 }], fill: 'var(--cat-3)' },
    ],
  })
  expect(svg).toMatch(/<g class="map-layer-1"><g fill="var\(--cat-1\)"[^>]*><circle [^>]*\/><\/g><\/g>/)
  expect(svg).not.toContain('map-layer-2')
  expect(svg).toMatch(/<g class="map-layer-3"><g fill="var\(--cat-3\)"/)
  expect(svg.match(/class="map-names"/g)).toHaveLength(1)
  expect(numbers(svg, 'cx').every((x) => Math.abs(x - 320) < 2)).toBe(true)
})

test('names that have no room, or would overlap another, are left out', () => {
  const crowd = collection(
    ...[...Array(60).keys()].map((i) => square(`r${i}`, `R ${i}`, [(i % 10) * 1, Math.floor(i / 10)])),
  )
  const wide = draw({ regions: crowd, boundary: collection() })
  expect(wide.match(/<text/g)?.length).toBe(60)
  const long = collection(square('a', 'A name that is far too long for so small a square'.repeat(3), [0, 0]))
  expect(draw({ regions: long, boundary: collection() })).not.toContain('<text')
  const twice = collection(square('a', 'Alpha', [0, 0]), square('b', 'Beta', [0, 0]))
  expect(draw({ regions: twice, boundary: collection() }).match(/<text/g)).toHaveLength(1)
})

test('the picture stays small with any number of records', () => {
  const points = [...Array(20_000).keys()].map((i) => ({
    lon: -122 + (i % 141) / 141,
    lat: 47 + (i % 139) / 139,
  }))
  const layers = [1, 2, 3, 4, 5, 6].map((n) => ({ points, fill: `var(--cat-${n})` }))
  const svg = draw({ layers })
  expect(svg.match(/<circle/g)?.length).toBeLessThanOrEqual(480)
  expect(svg.length).toBeLessThanOrEqual(40_000)
})

test('cached land is reused below any data, and drawn again for another size, boundary or colour', () => {
  const shapes = () => structuredClone(regions)
  const drawWorldMap = (regionShapes: FeatureCollection, changes: Partial<PlaceMapOptions> = {}) =>
    draw({ regions: regionShapes, boundary: collection(), projection: 'equalEarth', ...changes })
  const cachedShapes = shapes()
  const layers = [{ points: [{ lon: -121.5, lat: 47.5 }], fill: 'var(--cat-1)' }]
  const [one] = cachedShapes.features
  const variants: Partial<PlaceMapOptions>[] = [
    {},
    { layers },
    { width: 320 },
    { boundary: collection(one as Feature) },
    { boundary: collection(one as Feature), projection: 'mercator', layers },
    { isOnPoints: true, layers },
    { values: { classes: [], getRegionValue: () => 1, formatValue: String, locale: 'en' } },
    { regions: collection(one as Feature) },
    {},
  ]
  const fresh = variants.map((changes) => drawWorldMap(shapes(), changes))
  for (const round of [1, 2])
    expect([round, variants.map((changes) => drawWorldMap(cachedShapes, changes))]).toEqual([round, fresh])
  expect(new Set(fresh).size).toBe(variants.length - 1)
})
