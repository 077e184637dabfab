import { describe, expect, test } from 'vitest'
import { canonical, contentId, findOwnId } from '#functions/domain/records/identity.ts'
import { computeCentroid } from '#functions/shapes/fields/centroid.ts'
import { computeExtent } from '#functions/shapes/fields/extent.ts'
import {
  toCell,
  deinterleave,
  interleave,
  keyLevel,
  positionAt,
  prefix,
  computeKeyRanges,
  touches,
  type Cell,
} from './morton.ts'

const side = 2 ** keyLevel
const cells: Cell[] = [
  { x: 0, y: 0 },
  { x: side - 1, y: side - 1 },
  { x: side - 1, y: 0 },
  { x: 0b1011_0011_0101_1100_1010_0110, y: 0b0110_0101_1110_0011_0001_1101_1 },
  { x: 1 << 13, y: (1 << 13) - 1 },
]

/** Bit by bit, as the definition has it. */
function slowly({ x, y }: Cell): number {
  let key = 0n
  for (let bit = 0n; bit < 26n; bit++) {
    key |= ((BigInt(x) >> bit) & 1n) << (2n * bit)
    key |= ((BigInt(y) >> bit) & 1n) << (2n * bit + 1n)
  }
  return Number(key)
}

describe('the key', () => {
  test.each(cells)('interleaves and deinterleaves: %j', (cell) => {
    const key = interleave(cell)
    expect(key).toBe(slowly(cell))
    expect(deinterleave(key)).toEqual(cell)
    expect(deinterleave(prefix(key, 20))).toEqual({
      x: Math.floor(cell.x / 2 ** 20),
      y: Math.floor(cell.y / 2 ** 20),
    })
  })

  test('round-trips a position within a metre; the poles are at the edge', () => {
    const [longitude, latitude] = positionAt(toCell(-73.9857, 40.7484))
    expect(longitude).toBeCloseTo(-73.9857, 5)
    expect(latitude).toBeCloseTo(40.7484, 5)
    expect(toCell(180, -90)).toEqual({ x: side - 1, y: side - 1 })
    expect(toCell(-180, 90)).toEqual({ x: 0, y: 0 })
  })

  test('the ranges of a bounding box include every cell that touches it', () => {
    const box = { xmin: -74.05, ymin: 40.68, xmax: -73.9, ymax: 40.88 }
    const ranges = computeKeyRanges(box, 13)
    expect(ranges.length).toBeLessThanOrEqual(64)
    const isInside = touches(box, 13)
    for (let i = 0; i <= 20; i++) {
      for (let j = 0; j <= 20; j++) {
        const key = interleave(toCell(box.xmin + (0.15 * i) / 20, box.ymin + (0.2 * j) / 20))
        expect(ranges.some(([low, high]) => key >= low && key < high)).toBe(true)
        expect(isInside(deinterleave(prefix(key, keyLevel - 13)))).toBe(true)
      }
    }
    const far = interleave(toCell(10, 50))
    expect(ranges.some(([low, high]) => far >= low && far < high)).toBe(false)
  })
})

describe('the position of a geometry', () => {
  const ring = [
    [0, 0],
    [4, 0],
    [4, 4],
    [0, 4],
    [0, 0],
  ]
  const hole = [
    [2, 0],
    [2, 4],
    [4, 4],
    [4, 0],
    [2, 0],
  ]

  test('the centre of a line is weighted by length, of an area by area without its holes', () => {
    const line = {
      type: 'LineString' as const,
      coordinates: [
        [0, 0],
        [8, 0],
        [8, 2],
      ],
    }
    expect(computeCentroid(line)).toEqual([4.8, 0.2])
    expect(computeCentroid({ type: 'Polygon', coordinates: [ring] })).toEqual([2, 2])
    expect(computeCentroid({ type: 'Polygon', coordinates: [[...ring].reverse()] })).toEqual([2, 2])
    expect(computeCentroid({ type: 'Polygon', coordinates: [ring, hole] })).toEqual([1, 2])
    expect(computeExtent({ type: 'MultiPolygon', coordinates: [[ring]] })).toEqual([0, 0, 4, 4])
  })

  test('an area without size still has a centre', () => {
    const flat = [
      [0, 0],
      [2, 0],
      [4, 0],
      [0, 0],
    ]
    expect(computeCentroid({ type: 'Polygon', coordinates: [flat] })).toEqual([2, 0])
  })
})

describe('the id of a record', () => {
  const schema = { id: { name: 'Id', type: 'text' }, n: { name: 'N', type: 'number' } }

  test('is its own id as text; null in a data type without an id', async () => {
    expect(findOwnId({ id: 'a' }, schema)).toBe('a')
    expect(findOwnId({ id: 7 }, schema)).toBe('7')
    expect(findOwnId({ id: 'a' }, { n: {} })).toBeNull()
    expect(findOwnId('text', schema)).toBeNull()
  })

  test('is the same for the same content, with any order of keys', async () => {
    const [a, b] = [
      await contentId({ n: 1, t: { a: 1, b: [2] } }),
      await contentId({ t: { b: [2], a: 1 }, n: 1 }),
    ]
    expect(a).toBe(b)
    expect(a).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(await contentId({ n: 2 })).not.toBe(await contentId({ n: '2' }))
    expect(canonical({ b: undefined, a: null })).toBe('{"a":null}')
  })
})
