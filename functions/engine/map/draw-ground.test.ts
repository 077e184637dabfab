import type { Feature, Polygon, Position } from 'geojson'
import { describe, expect, test } from 'vitest'
import { drawCredit } from './draw-credit.ts'
import type { Ground } from './draw-ground.ts'
import { placeMap, placeView, type PlaceMapOptions } from './place-map.ts'

const ring = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [west, north],
  [east, north],
  [east, south],
  [west, south],
]
const area = (...at: [number, number, number, number]): Feature<Polygon> => ({
  ...{ type: 'Feature', properties: {} },
  geometry: { type: 'Polygon', coordinates: [ring(...at)] },
})
const none = { type: 'FeatureCollection' as const, features: [] }
const options: PlaceMapOptions = {
  ...{ regions: none, boundary: none, isOnPoints: true, opens: [-122.6, 47.3, -121.9, 47.9] },
  layers: [{ points: [{ lon: -122.3, lat: 47.6 }], fill: 'var(--cat-1)' }],
  ...{
    width: 640,
    height: 420,
    projection: 'mercator',
    title: 'Trees',
    description: '',
    id: 'map',
    locale: 'en',
  },
}
const ground: Ground = {
  land: [area(-122.4, 47, -121, 48)],
  water: [area(-122.27, 47.5, -122.2, 47.75)],
  borders: [
    {
      kind: 'country',
      isDisputed: false,
      geometry: {
        type: 'LineString',
        coordinates: [
          [-123, 47.8],
          [-121, 47.8],
        ],
      },
    },
    {
      kind: 'region',
      isDisputed: false,
      geometry: {
        type: 'LineString',
        coordinates: [
          [-122, 47],
          [-122, 48],
        ],
      },
    },
  ],
  towns: [
    { name: 'Seattle', lon: -122.33, lat: 47.606, population: 700_000 },
    { name: 'Next to it', lon: -122.33, lat: 47.608, population: 10 },
    { name: '<Kent>', lon: -122.23, lat: 47.38, population: 130_000 },
    { name: 'Far away', lon: 0, lat: 0, population: 9 },
  ],
  attribution: 'Natural Earth, GeoNames (CC BY 4.0)',
}
const svg = placeMap({ ...options, ground }).svg

test('the basemap is below the data: sea, land, lakes, borders', () => {
  const order = [
    '--map-water)"/>',
    'fill="var(--map-land)"',
    'fill="var(--map-water)" d=',
    'stroke-dasharray',
    'var(--cat-1)',
    'map-towns',
    'map-scale',
  ]
  const places = order.map((part) => svg.indexOf(part))
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(Math.min(...places)).toBeGreaterThan(0)
  expect(svg).not.toMatch(/style=|NaN|Infinity|undefined/)
  expect(placeMap(options).svg).not.toMatch(/map-water|map-scale/)
})

test('towns that would overlap another label, or are outside, are left out', () => {
  expect(svg).toContain('>Seattle</text>')
  expect(svg).toContain('>&lt;Kent&gt;</text>')
  expect(svg).not.toMatch(/Next to it|Far away/)
})

test('the scale bar has the stated length', () => {
  const [, units = 0, kilometres = 0] = (/v4h([\d.]+)v-4.*?>(\d+) km</s.exec(svg) ?? []).map(Number)
  const [west, , east, north] = placeView(options)?.box ?? [0, 0, 0, 0]
  const wide = (east - west) * 111.195 * Math.cos((47.6 * Math.PI) / 180)
  expect(north).toBeGreaterThan(47.9)
  expect(Math.abs(kilometres / wide - units / 640)).toBeLessThan(0.01)
})

test('regions drawn above it have their own borders', () => {
  const regions = {
    ...none,
    features: [{ ...area(-122.5, 47.4, -122, 47.8), properties: { gid: 'k', name: 'King' } }],
  }
  expect(placeMap({ ...options, regions, ground }).svg).not.toContain('stroke-dasharray')
})

test('a lake whose ring crosses itself at the edge of a tile is filled, and its outside is not', () => {
  const knot: Position[] = [
    [-122.3, 47.5],
    [-122.3, 47.7],
    [-122.2, 47.7],
    [-122.2, 47.5],
    [-122.19, 47.49],
    [-122.19, 47.5],
    [-122.3, 47.5],
  ]
  const lake = { ...area(0, 0, 1, 1), geometry: { type: 'Polygon' as const, coordinates: [knot] } }
  const mapSvg = placeMap({ ...options, ground: { ...ground, water: [lake] } }).svg
  const path = /fill="var\(--map-water\)" d="([^"]+)"/.exec(mapSvg)?.[1] ?? ''
  // One ring in the middle, none around the picture.
  expect(path.match(/M/g)).toHaveLength(1)
  expect(path).not.toMatch(/M-/)
})

test('land that continues outside of the picture reaches its corners', () => {
  const mapSvg = placeMap({ ...options, ground: { ...ground, land: [area(-130, 40, -110, 55)] } }).svg
  const [, path = '', grid = ''] =
    /scale\(([\d.]+)\)"><path fill="var\(--map-land\)" d="([^"]+)"/
      .exec(mapSvg)
      ?.map((_, i, all) => all[[0, 2, 1][i] ?? 0] ?? '') ?? []
  let [x, y] = [0, 0]
  const corners = [...path.matchAll(/([Ml]?)\s*(-?\d+)\s*(-?\d+)/g)].map(([, , dx, dy], i) => {
    ;[x, y] = i === 0 ? [Number(dx), Number(dy)] : [x + Number(dx), y + Number(dy)]
    return [x * Number(grid), y * Number(grid)]
  })
  const xs = corners.map(([across = 0]) => across)
  const ys = corners.map(([, down = 0]) => down)
  expect(corners.length).toBeGreaterThanOrEqual(4)
  expect([
    Math.min(...xs) <= 0,
    Math.max(...xs) >= 640,
    Math.min(...ys) <= 0,
    Math.max(...ys) >= 420,
  ]).toEqual([true, true, true, true])
  // All four, not the three that a path leaves of a ring that is not closed.
  expect(new Set(corners.map(([across = 0, down = 0]) => `${across > 320} ${down > 210}`)).size).toBe(4)
})

describe('the credit of a picture', () => {
  const readCreditLines = (picture: string) => {
    const [, wide = ''] = /<g class="map-credit"([^]*?)<\/g>/.exec(picture) ?? []
    return [...wide.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text)
  }

  test('names who made the base map and the outlines, once, for both sizes', () => {
    expect(readCreditLines(svg)).toEqual(['Natural Earth, GeoNames (CC BY 4.0)'])
    expect(svg.match(/class="map-credit"/g)).toHaveLength(2)
    expect(readCreditLines(placeMap({ ...options, ground, origins: ['City <clerk>'] }).svg).join(' ')).toBe(
      'Natural Earth, GeoNames (CC BY 4.0) · City &lt;clerk&gt;',
    )
    expect(readCreditLines(placeMap({ ...options, ground, origins: ['Natural Earth'] }).svg)).toHaveLength(1)
  })

  test('says what two origins have in common once', () => {
    const origins = ['Natural Earth, GeoNames (CC BY 4.0)', 'Natural Earth, 1:10 million']
    expect(
      readCreditLines(
        placeMap({ ...options, ground: { ...ground, attribution: origins[0] ?? '' }, origins }).svg,
      ),
    ).toEqual(['GeoNames (CC BY 4.0) · Natural Earth, 1:10 million'])
  })

  test('is wrapped, in a corner without insets, and towns keep clear of it', () => {
    const size = { width: 640, height: 420 }
    const lettering = { fontSize: 20, isNarrow: true }
    const long = 'Office for Surveying and Mapping of the Free State, revised in 2025 (CC BY 4.0)'
    const credit = drawCredit([long], size, [], lettering)
    expect(readCreditLines(credit?.svg ?? '').length).toBeGreaterThan(1)
    expect(credit?.occupied.y).toBeGreaterThan(300)
    const inset = { x: 500, y: 200, width: 140, height: 220 }
    const moved = drawCredit(['Natural Earth'], size, [inset], lettering)
    expect(moved?.occupied).toMatchObject({ y: 0 })
    expect(drawCredit([undefined, ''], size, [], lettering)).toBeUndefined()
  })
})
