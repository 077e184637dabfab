import type { Position } from 'geojson'
import type { Geometry } from '#functions/shapes/fields/geometry.ts'

/** Metres of a degree of latitude, and of one of longitude at the equator (mean radius of the earth). */
const metres = 111_195
const decimals = 1e6

/**
 * Simplifies a geometry within a tolerance in metres (Douglas and Peucker, 1973). Rounds to six decimals, some 0.1 m.
 * Rings stay closed with at least four positions; smaller holes and polygons are dropped. A geometry that would vanish
 * is only rounded.
 */
export function simplifyGeometry(shape: Geometry, tolerance: number): Geometry {
  switch (shape.type) {
    case 'Point':
      return { type: 'Point', coordinates: round(shape.coordinates) }
    case 'LineString':
      return { type: 'LineString', coordinates: line(shape.coordinates, tolerance) }
    case 'MultiLineString':
      return { type: 'MultiLineString', coordinates: shape.coordinates.map((part) => line(part, tolerance)) }
    case 'Polygon': {
      const [rings = shape.coordinates.map(roundedAll)] = polygons([shape.coordinates], tolerance)
      return { type: 'Polygon', coordinates: rings }
    }
    case 'MultiPolygon': {
      const simplified = polygons(shape.coordinates, tolerance)
      const all = simplified.length > 0 ? simplified : shape.coordinates.map((rings) => rings.map(roundedAll))
      return { type: 'MultiPolygon', coordinates: all }
    }
  }
}

function round([x = 0, y = 0, ...rest]: Position): Position {
  return [Math.round(x * decimals) / decimals, Math.round(y * decimals) / decimals, ...rest]
}

const roundedAll = (positions: Position[]) => positions.map(round)

/** Polygons whose outer ring remains. */
function polygons(all: Position[][][], tolerance: number): Position[][][] {
  return all.flatMap((rings) => {
    const [outer, ...holes] = rings.map((ring) => line(ring, tolerance))
    return outer && outer.length >= 4 ? [[outer, ...holes.filter((hole) => hole.length >= 4)]] : []
  })
}

/** The first and the last position always stay; for a ring, where they are equal, also the furthest one. */
function line(values: Position[], tolerance: number): Position[] {
  const positions = roundedAll(values)
  const isKept = new Uint8Array(positions.length)
  isKept[0] = 1
  isKept[positions.length - 1] = 1
  // A work list instead of recursion: a line of 100,000 positions would overflow the stack.
  const ranges: [number, number][] = [[0, positions.length - 1]]
  for (let next = ranges.pop(); next; next = ranges.pop()) {
    const [from, to] = next
    const { at, distance } = furthest(positions, from, to)
    if (distance <= tolerance) continue
    isKept[at] = 1
    ranges.push([from, at], [at, to])
  }
  const positionsKept = positions.filter((_, index) => isKept[index] === 1)
  return positionsKept.filter(
    (position, index) =>
      index === 0 || !isSame(position, positionsKept[index - 1]!) || positionsKept.length <= 2,
  )
}

const isSame = (a: Position, b: Position) => a[0] === b[0] && a[1] === b[1]

function furthest(positions: Position[], from: number, to: number): { at: number; distance: number } {
  const [x0 = 0, y0 = 0] = positions[from] ?? []
  const [x1 = 0, y1 = 0] = positions[to] ?? []
  const east = metres * Math.cos((((y0 + y1) / 2) * Math.PI) / 180)
  const [dx, dy] = [(x1 - x0) * east, (y1 - y0) * metres]
  const length = dx * dx + dy * dy
  let match = { at: from, distance: -1 }
  for (let at = from + 1; at < to; at += 1) {
    const [px, py] = [(positions[at]![0]! - x0) * east, (positions[at]![1]! - y0) * metres]
    const along = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length))
    const distance = Math.hypot(px - along * dx, py - along * dy)
    if (distance > match.distance) match = { at, distance }
  }
  return match
}
