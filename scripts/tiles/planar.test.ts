import { expect, test } from 'vitest'
import { planarGeometry } from './planar.ts'

// outer rings of a spherical atlas run clockwise
const square = (x: number, y: number, size: number) => [
  [x, y],
  [x, y + size],
  [x + size, y + size],
  [x + size, y],
  [x, y],
]

test('cuts a ring across the antimeridian in two and winds it counter-clockwise', () => {
  const ring = [
    [170, 0],
    [170, 10],
    [-170, 10],
    [-170, 0],
    [170, 0],
  ]
  const geometry = planarGeometry([[ring]])
  expect(geometry?.type).toBe('MultiPolygon')
  const longitudes = geometry?.coordinates.map((rings) =>
    rings.flat().map((position) => (position as number[])[0]),
  )
  expect(
    longitudes?.map((list) => [Math.min(...(list as number[])), Math.max(...(list as number[]))]),
  ).toEqual([
    [170, 180],
    [-180, -170],
  ])
})

test('cuts a hole across the antimeridian with its polygon', () => {
  const outer = [
    [160, -20],
    [160, 20],
    [-160, 20],
    [-160, -20],
    [160, -20],
  ]
  const hole = [
    [170, -10],
    [-170, -10],
    [-170, 10],
    [170, 10],
    [170, -10],
  ]
  const geometry = planarGeometry([[outer, hole]])
  expect(geometry?.coordinates).toHaveLength(2)
  // the hole opens onto the cut, so each half is one C-shaped ring
  expect(geometry?.coordinates.map((rings) => rings.length)).toEqual([1, 1])
})

test('closes a ring around a pole along it', () => {
  const coast = [
    [-180, -70],
    [-90, -75],
    [0, -70],
    [90, -75],
    [179, -70],
    [-180, -70],
  ]
  const pole = [
    [-180, -89.999],
    [180, -89.999],
    [0, -89.999],
    [-180, -89.999],
  ]
  const geometry = planarGeometry([[pole, coast]])
  expect(geometry?.type).toBe('Polygon')
  const positions = geometry?.coordinates.flat() as number[][]
  expect(Math.min(...positions.map(([, y = 0]) => y))).toBe(-90)
  expect(Math.max(...positions.map(([, y = 0]) => y))).toBe(-70)
  expect([...new Set(positions.filter(([, y]) => y === -90).map(([x]) => x))].sort()).toEqual([-180, 180])
})

test('removes spikes, splits a figure of eight into two polygons, and keeps islands in lakes', () => {
  const spike = [
    [0, 0],
    [0, 10],
    [10, 10],
    [20, 10],
    [10, 10],
    [10, 0],
    [0, 0],
  ]
  expect(planarGeometry([[spike]])?.coordinates.flat()).toHaveLength(5)
  const eight = [
    [0, 0],
    [10, 10],
    [10, 0],
    [0, 12],
    [0, 0],
  ]
  const loops = planarGeometry([[eight]])
  expect(loops?.type).toBe('MultiPolygon')
  expect(loops?.coordinates.map((rings) => (rings[0] as number[][]).length)).toEqual([4, 4])
  const nested = planarGeometry([[square(0, 0, 30), [...square(5, 5, 20)].reverse()], [square(10, 10, 5)]])
  expect(nested?.coordinates.map((rings) => rings.length)).toEqual([2, 1])
})

test('gives null for what has no area, or its box when the atlas squeezed it to a line', () => {
  expect(planarGeometry([])).toBeNull()
  expect(
    planarGeometry([
      [
        [
          [0, 0],
          [4, 2],
          [0, 0],
          [0, 0],
        ],
      ],
    ]),
  ).toEqual({
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [4, 0],
        [4, 2],
        [0, 2],
        [0, 0],
      ],
    ],
  })
})
