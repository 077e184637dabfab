import type { FeatureCollection, Position } from 'geojson'
import { expect, test } from 'vitest'
import { staticMap, type StaticMapOptions } from './static-map.ts'

const none: FeatureCollection = { type: 'FeatureCollection', features: [] }
const format = (value: number) => new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(value)
const shared = {
  width: 960,
  height: 600,
  locale: 'en',
  title: 'Trees',
  description: 'Trees a county',
  legend: { format },
  id: 'm1',
}

/** Returns columns × rows regions with shared wavy borders, like counties. Winding order as in RFC 7946. */
function grid(columns: number, rows: number, bends: number): FeatureCollection {
  const edge = (ax: number, ay: number, bx: number, by: number): Position[] =>
    [...Array(bends).keys()].map((i) => {
      const t = i / bends
      const wave = i === 0 ? 0 : 0.15 * Math.sin((ax + bx) * 91 + (ay + by) * 57 + i)
      const [dx, dy] = [bx - ax, by - ay]
      return [-120 + (ax + dx * t - dy * wave) * 0.8, 28 + (ay + dy * t + dx * wave) * 0.4]
    })
  const buildBorder = (ax: number, ay: number, bx: number, by: number) =>
    ax + ay < bx + by
      ? edge(ax, ay, bx, by)
      : [[...edge(bx, by, ax, ay), toPosition(ax, ay)].reverse()].flat().slice(0, bends)
  const toPosition = (x: number, y: number): Position => [-120 + x * 0.8, 28 + y * 0.4]
  const features = [...Array(columns * rows).keys()].map((i) => {
    const [x, y] = [i % columns, Math.floor(i / columns)]
    const ring = [
      ...buildBorder(x, y, x + 1, y),
      ...buildBorder(x + 1, y, x + 1, y + 1),
      ...buildBorder(x + 1, y + 1, x, y + 1),
      ...buildBorder(x, y + 1, x, y),
      toPosition(x, y),
    ]
    const properties = { gid: `r${i}`, name: `Region <${i}>`, parent: `p${x % 4}` }
    return {
      type: 'Feature' as const,
      properties,
      geometry: { type: 'Polygon' as const, coordinates: [ring] },
    }
  })
  return { type: 'FeatureCollection', features }
}

function checked(options: StaticMapOptions) {
  const map = staticMap(options)
  expect(map.svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 \d+ \d+" role="img" /)
  expect(map.svg).not.toMatch(/style=|NaN|Infinity|undefined|<script|\d\.\d\d/)
  expect(map.svg.length).toBeLessThanOrEqual(60_000)
  return map
}

test('few regions are separate elements with their name and value', () => {
  const shapes = grid(4, 3, 8)
  const values = new Map(shapes.features.map((_, i) => [`r${i}`, i === 5 ? null : i * 10]))
  const { svg, legend } = checked({ ...shared, shapes, values, legend: { format, unit: 'trees' } })
  expect(svg).toContain('<title>Region &lt;3&gt;: 30 trees</title>')
  expect(svg).toContain('<path fill="url(#m1-none)"')
  expect(svg).toContain('<title>Region &lt;5&gt;: No data</title>')
  // The hatch has no background of its own: it is drawn over land.
  expect(svg).toMatch(/<path fill="var\(--map-land\)" d="([^"]+)"\/><path fill="url\(#m1-none\)" d="\1">/)
  expect(/<pattern.*<\/pattern>/.exec(svg)?.[0]).not.toContain('var(')
  expect(svg).toContain(
    'aria-labelledby="m1-title" aria-describedby="m1-desc"><title id="m1-title">Trees</title>',
  )
  expect(legend).toMatchObject({ kind: 'choropleth', unit: 'trees', missing: 1 })
  expect(legend.classes).toHaveLength(5)
  expect(legend.classes[0]).toMatchObject({ from: 0, fill: 'var(--seq-1)' })
  expect(legend.classes[4]).toMatchObject({ to: 110, fill: 'var(--seq-7)' })
  for (const { fill } of legend.classes) expect(svg).toContain(`fill="${fill}"`)
})

test('few regions have each border once, and land below points is drawn with less detail', () => {
  const shapes = grid(8, 6, 60)
  const values = new Map(shapes.features.map((_, i) => [`r${i}`, i]))
  const { svg } = checked({ ...shared, shapes, values, legend: { format } })
  expect(svg).not.toContain('fill="none"')
  expect(svg.replace(/<title>.*?<\/title>/g, '').length).toBeLessThan(20_000)
  const points = [...Array(5_000).keys()].map((i) => ({ lon: (i % 71) / 10, lat: (i % 53) / 10 }))
  const dots = checked({ ...shared, shapes, points }).svg
  const [land = ''] = dots.split('<circle')
  expect(land.length).toBeLessThan(12_000 + 1_000)
  expect(dots).not.toMatch(/c[xy]="\d*\.\d/)
})

test('3,000 regions are one path per class and stay small, even if neighbours are all in other classes', () => {
  const shapes = grid(60, 50, 6)
  const random = new Map(shapes.features.map((_, i) => [`r${i}`, (i * 7919) % 1009]))
  const { svg, legend } = checked({ ...shared, shapes, values: random, projection: 'albersUsa' })
  expect(legend.classes).toHaveLength(7)
  expect(svg.match(/<path fill="var\(--seq/g)).toHaveLength(7)
  const smooth = new Map(shapes.features.map((_, i) => [`r${i}`, (i % 60) + Math.floor(i / 60)]))
  checked({ ...shared, shapes, values: smooth, projection: 'albersUsa' })
})

test('40,000 points are drawn as few circles that count all of them', () => {
  const points = [...Array(40_000).keys()].map((i) => ({
    lon: -118 + Math.sin(i * 12.9898) * 0.5,
    lat: 34 + Math.cos(i * 78.233) * 0.4,
  }))
  const { svg, legend } = checked({ ...shared, shapes: none, points })
  expect(svg.length).toBeLessThan(40_000)
  expect(svg.match(/<circle/g)?.length).toBeLessThanOrEqual(500)
  expect(legend.kind).toBe('dots')
  const [small, large] = [legend.classes[0], legend.classes[legend.classes.length - 1]]
  expect((large?.to ?? 0) > (small?.to ?? 0) && (large?.radius ?? 0) > (small?.radius ?? 0)).toBe(true)
})

test('the area of a circle is proportional to the count, or to the values if there are any', () => {
  const buildPoints = (lon: number, count: number, value?: number) =>
    Array.from({ length: count }, () => ({ lon, lat: 10, value }))
  const radii = (svg: string) => [...svg.matchAll(/ r="([\d.]+)"/g)].map((match) => Number(match[1]))
  const mapOfCounts = staticMap({
    ...shared,
    shapes: none,
    points: [...buildPoints(0, 400), ...buildPoints(20, 100)],
  })
  expect(radii(mapOfCounts.svg)).toEqual([6, 3])
  const summed = staticMap({
    ...shared,
    shapes: none,
    points: [...buildPoints(0, 1, 900), ...buildPoints(20, 4, 25)],
  })
  expect(radii(summed.svg)).toEqual([6, 2])
  expect(summed.svg).toContain('<title>900</title>')
})

test('one point, no points and points outside do not break a map', () => {
  const [shape] = grid(1, 1, 4).features
  const shapes = { ...none, features: shape ? [shape] : [] }
  expect(checked({ ...shared, shapes: none, points: [{ lon: 2, lat: 48 }] }).legend.kind).toBe('dots')
  expect(checked({ ...shared, shapes: none }).legend).toMatchObject({ kind: 'none', classes: [] })
  const far = checked({ ...shared, shapes, points: [{ lon: 100, lat: -50, label: 'far' }] })
  expect(far.svg).not.toContain('<circle')
  expect(checked({ ...shared, shapes, values: new Map() }).legend).toMatchObject({ kind: 'none', missing: 1 })
})

test('a region across the antimeridian is drawn in one piece, with any winding order', () => {
  const west = [
    [-180, 51],
    [-180, 71],
    [-140, 71],
    [-140, 51],
    [-180, 51],
  ]
  const east = [
    [172, 52],
    [180, 52],
    [180, 53],
    [172, 53],
    [172, 52],
  ]
  const coordinates = [[west], [east]]
  const shapes: FeatureCollection = {
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', properties: { gid: 'ak' }, geometry: { type: 'MultiPolygon', coordinates } },
    ],
  }
  const { svg } = checked({ ...shared, shapes })
  // 48 degrees of longitude fill the height or width: the land itself is hundreds of units wide
  const xs = [...svg.matchAll(/M(-?\d+)/g)].map((match) => Number(match[1]) / 10)
  expect(Math.max(...xs) - Math.min(...xs)).toBeLessThan(700)
  expect(Math.max(...xs) - Math.min(...xs)).toBeGreaterThan(50)
  const reversedShapes = structuredClone(shapes)
  const geometry = reversedShapes.features[0]?.geometry
  if (geometry?.type === 'MultiPolygon') for (const rings of geometry.coordinates) rings[0]?.reverse()
  expect(checked({ ...shared, shapes: reversedShapes }).svg.length).toBe(svg.length)
})

test('texts of all origins are escaped', () => {
  const hostile = '"><script>alert(1)</script>\u0000'
  const { svg } = checked({
    ...shared,
    shapes: none,
    points: [{ lon: 1, lat: 1, label: hostile }],
    title: hostile,
    description: hostile,
    id: hostile,
  })
  expect(svg).not.toContain('\u0000')
})

test.each(['albersUsa', 'equalEarth', 'mercator'] as const)(
  'maps of the same regions share a layout and equal those drawn separately, in %s',
  (projection) => {
    const shapes = grid(8, 6, 8)
    const values = new Map(shapes.features.map((_, i) => [`r${i}`, i]))
    const points = [{ lon: -119, lat: 29 }]
    const far = [...points, { lon: 170, lat: 60 }]
    const variants: Partial<StaticMapOptions>[] = [
      { points },
      { points: far, id: 'm2', title: 'Others' },
      { values },
      { points, width: 640, height: 420 },
      { points: far, outline: grid(4, 3, 8) },
      { points },
    ]
    for (const each of variants) {
      const alone = staticMap({ ...shared, projection, ...each, shapes: structuredClone(shapes) })
      expect(staticMap({ ...shared, projection, ...each, shapes })).toEqual(alone)
    }
  },
)
