import { expect, test } from 'vitest'
import { rows } from '../index.ts'
import { callTable } from '../examples/fields.ts'
import { QueryError } from '../error.ts'
import type { Geometry } from './geojson.ts'
import { findComplexityProblem, findPairCountProblem } from './intricate.ts'

const turns = (count: number, at: (i: number) => number[]) => {
  const ring = Array.from({ length: count }, (_none, i) => at(i))
  return [...ring, ring[0] ?? []]
}
const toCartesian = (angle: number, radius: number) => [Math.cos(angle) * radius, Math.sin(angle) * radius]
/** Each corner is joined with the one opposite: nearly every edge crosses every other. */
const star = (corners: number) =>
  turns(corners, (i) => toCartesian((2 * Math.PI * ((i * (corners >> 1)) % corners)) / corners, 50))
const circle = (corners: number, depth: number) =>
  turns(corners, (i) => toCartesian((2 * Math.PI * i) / corners, i % 2 ? 50 : 50 - depth))
const polygon = (...coordinates: number[][][]): Geometry => ({ type: 'Polygon', coordinates })

/** Vertical and horizontal bars, each group valid by itself. */
const lattice = (count: number): Geometry => ({
  type: 'MultiPolygon',
  coordinates: Array.from({ length: count }, (_none, i) => {
    const at = (60 * i) / count
    const bar = (isTransposed: boolean) =>
      [
        [at, -1],
        [at + 0.001, -1],
        [at + 0.001, 61],
        [at, 61],
        [at, -1],
      ].map((each) => (isTransposed ? each.reverse() : each))
    return [[bar(false)], [bar(true)]]
  }).flat(),
})

test.each<[string, Geometry]>([
  ['a star of 101 corners', polygon(star(101))],
  ['a star of 100,001 corners', polygon(star(100_001))],
  ['a circle of 100,000 spikes that lie side by side', polygon(circle(100_000, 1))],
  ['a lattice', lattice(5000)],
  ['a star among other shapes', { type: 'GeometryCollection', geometries: [polygon(star(101))] }],
  [
    'many lines to be united',
    {
      type: 'GeometryCollection',
      geometries: [{ type: 'LineString', coordinates: star(1001) }],
    },
  ],
])('%s is too intricate, which is detected in less than two seconds', (_name, geometry) => {
  // CPU time: on a busy machine the clock also counts waiting for other processes.
  const before = process.cpuUsage()
  expect(findComplexityProblem(geometry)).toMatch(/too many places/)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(2000)
})

test.each<[string, Geometry]>([
  ['a star of 31 corners', polygon(star(31))],
  ['a jagged circle of 100,000 corners', polygon(circle(100_000, 0.001))],
  ['a line that crosses itself, as a walk does', { type: 'LineString', coordinates: star(1001) }],
  [
    '200 squares that share their borders',
    {
      type: 'GeometryCollection',
      geometries: Array.from({ length: 200 }, (_none, i) =>
        polygon(
          [
            [i % 20, 0],
            [(i % 20) + 1, 0],
            [(i % 20) + 1, 1],
            [i % 20, 1],
            [i % 20, 0],
          ].map(([x = 0, y = 0]) => [x, y + Math.floor(i / 20)]),
        ),
      ),
    },
  ],
])('%s is not too intricate', (_name, geometry) => {
  expect(findComplexityProblem(geometry)).toBeUndefined()
})

test('a query with such a geometry is rejected with its path', () => {
  const text = JSON.stringify(polygon(star(101)))
  const shape = { function: 'geojson', arguments: [text] }
  const filters = { function: 'intersects', arguments: [shape, shape] }
  let caughtError: unknown
  try {
    rows({ filters }, callTable.env)
  } catch (error) {
    caughtError = error
  }
  expect(caughtError).toBeInstanceOf(QueryError)
  expect((caughtError as QueryError).issues[0]).toMatchObject({
    path: ['filters', 'arguments', 0],
    message: expect.stringContaining('too many places') as string,
  })
})

test('the distance of two geometries is limited by their pairs of vertices', () => {
  const line = (corners: number): Geometry => ({ type: 'LineString', coordinates: circle(corners - 1, 0) })
  const inPieces: Geometry = { type: 'GeometryCollection', geometries: [polygon(circle(499, 0)), line(1)] }
  expect(findPairCountProblem(line(500), line(500))).toBeUndefined()
  expect(findPairCountProblem({ type: 'Point', coordinates: [0, 0] }, line(100_000))).toBeUndefined()
  expect(findPairCountProblem(line(500), line(501))).toMatch(/too many pairs/)
  expect(findPairCountProblem(inPieces, line(500))).toMatch(/too many pairs/)
})
