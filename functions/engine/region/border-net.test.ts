import { expect, test } from 'vitest'
import { coarsePolygons } from './coarse.ts'
import { generateDistricts, toRing } from './districts.testing.ts'
import { borderAt, computeDoubleArea, NetBuilder, ringAt, type BorderNet } from './border-net.ts'

const side = 8
/** Crooked districts; one has an enclave, and one neighbour has a corner on a straight edge of another. */
function buildNet(): BorderNet {
  const builder = new NetBuilder()
  const enclave = [0.05, 0.06, 0.07].flatMap((x, i) => [[x, i === 1 ? 0.09 : 0.05]])
  const [first, ...others] = [...generateDistricts(side, 16)]
  if (!first) throw new Error('There are districts.')
  builder.add([toRing(first), toRing([...enclave].reverse(), true)])
  builder.add([toRing(enclave)])
  for (const district of others) builder.add([toRing(district)])
  const box = (west: number, south: number, east: number, north: number) =>
    toRing([
      [west, south],
      [east, south],
      [east, north],
      [west, north],
    ])
  builder.add([box(3, 0, 4, 2)])
  builder.add([box(4, 0, 5, 1)])
  builder.add([box(4, 1, 5, 2)])
  return builder.finish()
}

/** The edges that only one ring passes, of all rings at a weight; an edge with a ring on both of its sides is passed both ways. */
function openEdges(net: BorderNet, weight: number): number {
  const open = new Set<string>()
  for (let ring = 0; ring < net.ringAreas.length; ring++) {
    const at = ringAt(net, ring, weight)
    for (let i = 0; i < at.length; i += 2) {
      const j = (i + 2) % at.length
      const [from, to] = [`${at[i]} ${at[i + 1]}`, `${at[j]} ${at[j + 1]}`]
      // An enclave with less detail than any has one corner.
      if (from === to) continue
      expect(open.has(`${from} ${to}`)).toBe(false)
      if (!open.delete(`${to} ${from}`)) open.add(`${from} ${to}`)
    }
  }
  return open.size
}

test('neighbours share their vertices at every level of detail', () => {
  const net = buildNet()
  expect(net.areas).toBe(side * side + 4)
  const corners = (weight: number) =>
    Array.from({ length: net.ringAreas.length }, (_, ring) => ringAt(net, ring, weight).length / 2).reduce(
      (a, b) => a + b,
    )
  const full = corners(0)
  for (const weight of [0, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7]) {
    // Edges without a neighbour are those of the outer border: their number is that of its vertices.
    let outer = 0
    for (let border = 0; border < net.uses.length; border++)
      if (net.uses[border] === 1) outer += borderAt(net, border, weight).length / 2 - 1
    // The three boxes are no neighbours of the others: where a vertex is on an edge, that edge has two on its
    // other side.
    expect(openEdges(net, weight)).toBe(outer)
  }
  expect(corners(1e-8)).toBeLessThan(full / 8)
})

test('the total area within the outer border does not change', () => {
  const builder = new NetBuilder()
  for (const district of generateDistricts(side, 16)) builder.add([toRing(district)])
  const net = builder.finish()
  const sum = (weight: number) =>
    Array.from({ length: net.areas }, (_, ring) => computeDoubleArea(ringAt(net, ring, weight))).reduce(
      (a, b) => a + b,
    )
  // Between the junctions that are left the borders are straight; the districts at the corners of the square are triangles, as their
  // outer border has no junction.
  const cell = sum(Infinity) / (side * side - 2)
  expect(computeDoubleArea(ringAt(net, 0, Infinity))).toBeCloseTo(cell / 2, 6)
  expect(computeDoubleArea(ringAt(net, side + 1, Infinity))).toBeCloseTo(cell, 6)
})

test('rings that collapse on a grid of a centimetre are left out, with their holes', () => {
  const builder = new NetBuilder()
  const tiny = (size: number) => [
    [0, 0],
    [size, 0],
    [size, size],
  ]
  builder.add([toRing(tiny(1e-9)), toRing(tiny(1e-3), true)])
  builder.add([toRing(tiny(1e-3)), toRing(tiny(1e-9), true)])
  const net = builder.finish()
  expect([net.areas, [...net.ringAreas], [...net.holes]]).toEqual([2, [1], [0]])
})

test('a coarse picture of many areas has few vertices, every area, and borders in place', () => {
  const builder = new NetBuilder()
  const districts = [...generateDistricts(side, 200)]
  for (const district of districts) builder.add([toRing(district)])
  const net = builder.finish()
  const polygons = coarsePolygons(net, 2000)
  expect(polygons).toHaveLength(side * side)
  const corners = polygons.flat(2).reduce((sum, ring) => sum + ring.length, 0)
  expect(corners).toBeLessThan(5000)
  expect(corners).toBeGreaterThan(2000)
  // Every corner that is left is one of the area's own.
  const toKey = ([x = 0, y = 0]: number[]) => `${Math.round(x * 1e7)} ${Math.round(y * 1e7)}`
  polygons.forEach((polygon, i) => {
    const own = new Set(districts[i]?.map(toKey))
    for (const position of polygon.flat(2)) expect(own).toContain(toKey(position))
  })
  // With as good as no detail each area is there still.
  expect(coarsePolygons(net, 1).every((polygon) => polygon.length === 1)).toBe(true)
})
