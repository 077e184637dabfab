import { expect, test } from 'vitest'
import { computeOutline } from './outline.ts'

const square = [
  [
    [0, 0],
    [10, 0],
    [10, 10],
    [0, 10],
    [0, 0],
  ],
]

test('fills its box and keeps its aspect ratio', () => {
  expect(computeOutline({ type: 'Polygon', coordinates: square })).toEqual({
    path: 'M0 220L219 220L219 0L0 0L0 220Z',
    width: 219,
    height: 220,
  })
})

test('a shape across the antimeridian stays in one piece', () => {
  const east = [
    [170, 0],
    [180, 0],
    [180, 10],
    [170, 10],
    [170, 0],
  ]
  const west = east.map(([x = 0, y]) => [x - 350, y])
  const outline = computeOutline({ type: 'MultiPolygon', coordinates: [[east], [west]] })
  expect(outline?.width).toBeGreaterThan(outline?.height ?? 0)
  expect(outline?.height).toBeGreaterThan(100)
})

test.each([[null], [{ type: 'Point', coordinates: [1, 2] }], [{ type: 'MultiPolygon', coordinates: [] }]])(
  '%j gives no drawing',
  (area) => expect(computeOutline(area)).toBeNull(),
)

test('draws an area of many points', () => {
  const ring = Array.from({ length: 300_000 }, (_, i) => {
    const angle = (i / 300_000) * 2 * Math.PI
    return [Math.cos(angle), Math.sin(angle)]
  })
  expect(computeOutline({ type: 'Polygon', coordinates: [ring] })?.path.length).toBeLessThan(30_000)
})
