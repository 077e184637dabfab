import type { Position } from 'geojson'
import { closeOverPole, unrollLine, type Plane } from '#functions/engine/region/antimeridian.ts'

/** A closed ring: its last position equals its first. */
export type Ring = Position[]

/** Returns twice the signed area of a ring: negative is clockwise when y grows upward, 0 is a flat ring. */
export function doubleArea(ring: Ring): number {
  let sum = 0
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1] as [number, number]
    const [bx, by] = ring[i] as [number, number]
    sum += ax * by - bx * ay
  }
  return sum
}

/**
 * Converts the rings of one polygon of a spherical atlas to rings of the plane. A ring that runs once around
 * the world (Antarctica) is closed along its pole and becomes the outer ring; the flat ring that represents
 * the pole is left out.
 */
function unrollPolygon(rings: Ring[], plane: Plane): Ring[] {
  const flat = (ring: Ring) => ring.every((position) => position[1] === ring[0]?.[1])
  const result: Ring[] = []
  for (const ring of rings) {
    if (flat(ring)) continue
    const line = unrollLine(ring, plane)
    const first = line[0] as Position
    const last = line[line.length - 1] as Position
    if (Math.abs((last[0] ?? 0) - (first[0] ?? 0)) < plane.period / 2) {
      // a few rings of us-atlas end one grid step beside their start
      result.push(first[0] === last[0] && first[1] === last[1] ? line : [...line, first])
      continue
    }
    result.unshift(closeOverPole(line, plane))
  }
  return result
}

/**
 * Returns all polygons of a region as rings of the plane, outer ring first, without polygons that have no
 * area. A region that the atlas has squeezed to a line (Falls Church, Virginia) becomes its bounding box, so
 * that each region has an area.
 */
export function unroll(polygons: Ring[][], plane: Plane): Ring[][] {
  const unrolled = polygons.map((rings) => unrollPolygon(rings, plane)).filter((rings) => rings.length > 0)
  const solid = unrolled.filter(([outer]) => outer && doubleArea(outer) !== 0)
  const [first] = unrolled
  return solid.length > 0 || !first?.[0] ? solid : [[boxRing(first[0])]]
}

/** Returns whether the position is inside the ring (even-odd rule; a position on the edge may be either). */
function isInside([x = 0, y = 0]: Position, ring: Ring): boolean {
  let inside = false
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1] as [number, number]
    const [bx, by] = ring[i] as [number, number]
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}

/**
 * Builds polygons from loose rings that do not cross: a ring inside an odd number of others is a hole of the
 * smallest ring around it. Outer rings become counter-clockwise and holes clockwise (y upward), largest
 * first.
 */
export function groupRings(rings: Ring[]): Ring[][] {
  const sorted = rings
    .map((ring) => ({ ring, area: doubleArea(ring) }))
    .filter((entry) => entry.area !== 0)
    .sort((a, b) => Math.abs(b.area) - Math.abs(a.area))
  const polygons: { outer: Ring; rings: Ring[] }[] = []
  const isHole: boolean[] = []
  sorted.forEach(({ ring, area }, index) => {
    const within = sorted.slice(0, index).flatMap((entry, at) => (contains(entry.ring, ring) ? [at] : []))
    const parent = within[within.length - 1]
    const hole = parent !== undefined && !isHole[parent]
    isHole.push(hole)
    const oriented = area > 0 === !hole ? ring : [...ring].reverse()
    const owner = hole ? polygons.find((polygon) => polygon.outer === sorted[parent]?.ring) : undefined
    if (owner) owner.rings.push(oriented)
    else polygons.push({ outer: ring, rings: [oriented] })
  })
  return polygons.map((polygon) => polygon.rings)
}

/**
 * Rings may share a vertex, so the middle of an edge decides: the first one that is no vertex of the other
 * ring's edge.
 */
function contains(outer: Ring, inner: Ring): boolean {
  if (!boxContains(outer, inner)) return false
  let votes = 0
  const step = Math.max(1, Math.floor((inner.length - 1) / 5))
  for (let i = 1; i < inner.length; i += step) {
    const [ax, ay] = inner[i - 1] as [number, number]
    const [bx, by] = inner[i] as [number, number]
    votes += isInside([(ax + bx) / 2, (ay + by) / 2], outer) ? 1 : -1
  }
  return votes > 0
}

function boxContains(outer: Ring, inner: Ring): boolean {
  const [a, b] = [box(outer), box(inner)]
  return a[0] <= b[0] && a[1] <= b[1] && a[2] >= b[2] && a[3] >= b[3]
}

function boxRing(ring: Ring): Ring {
  const [x0, y0, x1, y1] = box(ring)
  return [
    [x0, y0],
    [x0, y1],
    [x1, y1],
    [x1, y0],
    [x0, y0],
  ]
}

const boxes = new WeakMap<Ring, [number, number, number, number]>()

/** Returns [min x, min y, max x, max y] of a ring; cached, because one ring is compared with many others. */
export function box(ring: Ring): [number, number, number, number] {
  const cachedBox = boxes.get(ring)
  if (cachedBox) return cachedBox
  const result: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x = 0, y = 0] of ring) {
    result[0] = Math.min(result[0], x)
    result[1] = Math.min(result[1], y)
    result[2] = Math.max(result[2], x)
    result[3] = Math.max(result[3], y)
  }
  boxes.set(ring, result)
  return result
}
