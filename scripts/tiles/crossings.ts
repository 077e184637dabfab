import type { Position } from 'geojson'
import type { Ring } from './rings.ts'

type Point = [number, number]
interface Edge {
  a: Point
  b: Point
  index: number
  maxX: number
}

/**
 * Returns the ring with a vertex at each point where two of its edges cross or touch, so that it can be split
 * at its vertices. New vertices are rounded to `decimals`; a ring without crossings is returned unchanged.
 */
export function markCrossings(ring: Ring, decimals: number): Ring {
  const edges: Edge[] = []
  for (let i = 1; i < ring.length; i++) {
    const [a, b] = [ring[i - 1] as Point, ring[i] as Point]
    edges.push({ a, b, index: i - 1, maxX: Math.max(a[0], b[0]) })
  }
  const crossings = new Map<number, Point[]>()
  const add = (edge: Edge, point: Point) => {
    if (areEqual(point, edge.a) || areEqual(point, edge.b)) return
    const points = crossings.get(edge.index)
    if (points) points.push(point)
    else crossings.set(edge.index, [point])
  }
  const sorted = [...edges].sort((p, q) => minX(p) - minX(q))
  sorted.forEach((edge, i) => {
    for (let j = i + 1; j < sorted.length; j++) {
      const other = sorted[j] as Edge
      if (minX(other) > edge.maxX) break
      for (const point of meetings(edge, other, decimals)) {
        add(edge, point)
        add(other, point)
      }
    }
  })
  if (crossings.size === 0) return ring
  const result: Position[] = []
  for (const { a, index } of edges) {
    const along = (crossings.get(index) ?? []).sort((p, q) => distance(a, p) - distance(a, q))
    result.push(a, ...along)
  }
  return [...result, ring[0] as Position]
}

const minX = (edge: Edge) => Math.min(edge.a[0], edge.b[0])
const areEqual = (p: Point, q: Point) => p[0] === q[0] && p[1] === q[1]
const distance = (p: Point, q: Point) => Math.hypot(q[0] - p[0], q[1] - p[1])

/**
 * Returns on which side of the line from p to q the point r is: the sign, and 0 when it is within a rounding
 * error of the line.
 */
function side(p: Point, q: Point, r: Point): number {
  const cross = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
  return Math.abs(cross) < 1e-12 ? 0 : cross
}

/** Returns the points two edges have in common, including an end of one on the other and a shared end. */
function meetings(one: Edge, two: Edge, decimals: number): Point[] {
  if (Math.max(one.a[1], one.b[1]) < Math.min(two.a[1], two.b[1])) return []
  if (Math.max(two.a[1], two.b[1]) < Math.min(one.a[1], one.b[1])) return []
  const [s1, s2] = [side(one.a, one.b, two.a), side(one.a, one.b, two.b)]
  const [s3, s4] = [side(two.a, two.b, one.a), side(two.a, two.b, one.b)]
  const touching: Point[] = []
  if (s1 === 0 && isBetween(one, two.a)) touching.push(two.a)
  if (s2 === 0 && isBetween(one, two.b)) touching.push(two.b)
  if (s3 === 0 && isBetween(two, one.a)) touching.push(one.a)
  if (s4 === 0 && isBetween(two, one.b)) touching.push(one.b)
  if (touching.length > 0 || s1 * s2 >= 0 || s3 * s4 >= 0) return touching
  const t = s3 / (s3 - s4)
  const scale = 10 ** decimals
  const computeCoordinate = (k: 0 | 1) => Math.round((one.a[k] + t * (one.b[k] - one.a[k])) * scale) / scale
  return [[computeCoordinate(0), computeCoordinate(1)]]
}

function isBetween({ a, b }: Edge, p: Point): boolean {
  return (
    p[0] >= Math.min(a[0], b[0]) &&
    p[0] <= Math.max(a[0], b[0]) &&
    p[1] >= Math.min(a[1], b[1]) &&
    p[1] <= Math.max(a[1], b[1])
  )
}
