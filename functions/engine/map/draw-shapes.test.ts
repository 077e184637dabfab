import type { Geometry, Position } from 'geojson'
import { describe, expect, test } from 'vitest'
import { placeMap, type PlaceMapOptions } from './place-map.ts'

const box = (west: number, south: number, side: number): Position[] => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
]
const area = (...rings: Position[][]): Geometry => ({ type: 'Polygon', coordinates: rings })
const none = { type: 'FeatureCollection' as const, features: [] }
const size = { width: 640, height: 420, locale: 'en' }

function drawMap(shapes: Geometry[], changes: Partial<PlaceMapOptions> = {}) {
  const points = shapes.map(() => ({ lon: -100, lat: 40, value: 1 }))
  return placeMap({
    ...{ regions: none, boundary: none, isOnPoints: true, ...size, projection: 'mercator' },
    layers: [{ points, fill: 'var(--cat-1)', shapes }],
    ...{ title: 'Parks', description: '', id: 'm' },
    ...changes,
  })
}
const countElements = (svg: string, name: string) => svg.match(new RegExp(`<${name} `, 'g'))?.length ?? 0

describe('lines and areas', () => {
  test('are drawn as such: an area with its hole, a line, and a dot if too small to see', () => {
    const shapes: Geometry[] = [
      area(box(-100, 40, 4), box(-99, 41, 2).toReversed()),
      { type: 'LineString', coordinates: box(-95, 40, 1).slice(0, 3) },
      area(box(-94, 43, 0.0001)),
      { type: 'Point', coordinates: [-93, 42] },
    ]
    const { svg, layers } = drawMap(shapes)
    expect(layers).toMatchObject([{ areShapes: true, circles: 4, amount: 4, outside: 0, classes: [] }])
    const [first = '', second = ''] = [...svg.matchAll(/<path d="([^"]*)"/g)].map(([, path]) => path)
    expect(first.match(/z/g)).toHaveLength(2)
    expect(second).not.toContain('z')
    expect(countElements(svg, 'circle')).toBe(2)
    expect(svg).toContain('fill-rule="evenodd"')
  })

  test('fit into the picture at their positions', () => {
    const { svg, layers } = drawMap([area(box(-100, 40, 1)), area(box(-90, 40, 1))])
    expect(layers[0]).toMatchObject({ amount: 2, outside: 0 })
    const starts = [...svg.matchAll(/transform="scale\(([^)]*)\)"|<path d="M(\d+) (\d+)/g)]
    const xs = starts.flatMap(([, , x]) => (x === undefined ? [] : [Number(x) * 0.5]))
    expect(xs).toHaveLength(2)
    for (const x of xs) expect(x >= 0 && x <= size.width).toBe(true)
    expect(Math.abs((xs[1] ?? 0) - (xs[0] ?? 0))).toBeGreaterThan(size.width / 2)
  })

  test('that overlap are both visible, each as a path of its own', () => {
    const { svg } = drawMap([area(box(-100, 40, 4)), area(box(-99, 41, 2))])
    expect(svg.match(/<path d="M/g)).toHaveLength(2)
  })

  test('outside of the picture are counted and not drawn', () => {
    const boundary = {
      type: 'FeatureCollection' as const,
      features: [
        { type: 'Feature' as const, properties: { gid: 'b' }, geometry: area(box(-100, 40, 1)) as never },
      ],
    }
    const { layers } = drawMap([area(box(-100, 40, 1)), area(box(20, 50, 1))], { boundary })
    expect(layers[0]).toMatchObject({ areShapes: true, amount: 1, outside: 1 })
  })

  test('with more vertices than a page has room for are drawn as circles', () => {
    const wild = (at: number): Geometry =>
      area(
        Array.from({ length: 400 }, (_none, n): Position => {
          const far = n % 2 ? 1 : 0.4
          return [-100 + at + far * Math.cos(n / 63.7), 40 + far * Math.sin(n / 63.7)]
        }),
      )
    const { svg, layers } = drawMap(Array.from({ length: 60 }, (_none, at) => wild(at)))
    expect(layers[0]).toMatchObject({ areShapes: false, amount: 60 })
    expect(countElements(svg, 'circle')).toBeGreaterThan(0)
    expect(svg.length).toBeLessThan(40_000)
  })
})
