import type { Geometry, Position } from 'geojson'
import { createPointLimitIssue, type ReadLimits } from './caps.ts'

/** The geometry of a record, or its issue; `loose`: its rings have the wrong winding order. */
type Shape = { geometry: Geometry | null; loose?: boolean } | { fault: string; points?: number }

/**
 * Decodes the geometry of a record of a `.shp` (ESRI Shapefile Technical Description, 1998): points,
 * multipoints, lines and polygons with or without heights; measures are left out. A null shape is null.
 */
export function decodeShape(content: Uint8Array, caps: Pick<ReadLimits, 'points' | 'parts'>): Shape {
  const view = new DataView(content.buffer, content.byteOffset, content.length)
  try {
    const type = view.getInt32(0, true)
    if (type === 0) return { geometry: null }
    const kind = type % 10
    const hasHeights = type > 10 && type < 20
    if (type === 31) return { fault: 'Surfaces in space (multipatch) are not read.' }
    if (type < 0 || type > 28 || ![1, 3, 5, 8].includes(kind))
      return { fault: `The shape is of no known type: ${type}.` }
    if (kind === 1) {
      const point = { type: 'Point' as const, coordinates: pointAt(view, 4, hasHeights ? 20 : null) }
      return { geometry: point }
    }
    const isMulti = kind === 8
    const parts = isMulti ? 0 : view.getUint32(36, true)
    const points = view.getUint32(isMulti ? 36 : 40, true)
    if (parts > caps.parts) return { fault: `The shape has more than ${caps.parts} parts.` }
    const start = isMulti ? 40 : 44 + parts * 4
    const heights = hasHeights ? start + points * 16 + 16 : null
    if (start + points * 16 > content.length) return { fault: 'The shape is cut off.' }
    if (points > caps.points) {
      const { message: fault, points: pointCount } = createPointLimitIssue(points, caps.points)
      return { fault, points: pointCount }
    }
    const positions = Array.from({ length: points }, (_, i) =>
      pointAt(view, start + i * 16, heights === null ? null : heights + i * 8),
    )
    if (isMulti) return { geometry: { type: 'MultiPoint', coordinates: positions } }
    const starts = Array.from({ length: parts }, (_, i) => view.getUint32(44 + i * 4, true))
    // Overlapping parts would repeat the same points.
    if (starts.some((from, i) => from > (starts[i + 1] ?? points)))
      return { fault: 'The parts of the shape are not in their order.' }
    const lines = starts.map((from, i) => positions.slice(from, starts[i + 1] ?? points))
    if (kind === 5) return buildPolygon(lines)
    const [line = []] = lines
    return {
      geometry:
        lines.length === 1
          ? { type: 'LineString', coordinates: line }
          : { type: 'MultiLineString', coordinates: lines },
    }
  } catch (error) {
    if (error instanceof RangeError) return { fault: 'The shape is cut off.' }
    throw error
  }
}

function pointAt(view: DataView, at: number, height: number | null): Position {
  const position = [view.getFloat64(at, true), view.getFloat64(at + 8, true)]
  return height === null ? position : [...position, view.getFloat64(height, true)]
}

/** Clockwise rings are outer ones; the others are holes in the smallest outer ring around them. */
function buildPolygon(rings: Position[][]): Shape {
  const shells = rings.map((ring) => ({ ring, area: computeArea(ring), holes: [] as Position[][] }))
  const outer = shells.filter(({ area }) => area >= 0)
  let loose = false
  for (const { ring, area } of shells) {
    if (area >= 0) continue
    const around = outer
      .filter((one) => one.area > -area && ring.every((position, i) => i > 3 || contains(one.ring, position)))
      .sort((a, b) => a.area - b.area)[0]
    if (around) around.holes.push(ring)
    else {
      loose = true
      outer.push({ ring, area: -area, holes: [] })
    }
  }
  const polygons = outer.map(({ ring, holes }) => [ring, ...holes])
  const [first = []] = polygons
  const geometry: Geometry =
    polygons.length === 1
      ? { type: 'Polygon', coordinates: first }
      : { type: 'MultiPolygon', coordinates: polygons }
  return { geometry, ...(loose && { loose }) }
}

/** Twice the area of a ring: positive if it is clockwise. */
function computeArea(ring: Position[]): number {
  let sum = 0
  for (let i = 1; i < ring.length; i++) {
    const [ax = 0, ay = 0] = ring[i - 1] ?? []
    const [bx = 0, by = 0] = ring[i] ?? []
    sum += (bx - ax) * (by + ay)
  }
  return sum
}

/** Whether a position is inside a ring or on its line. */
function contains(ring: Position[], [x = 0, y = 0]: Position): boolean {
  let isIn = false
  for (let i = 1; i < ring.length; i++) {
    const [ax = 0, ay = 0] = ring[i - 1] ?? []
    const [bx = 0, by = 0] = ring[i] ?? []
    const cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    const isBetween =
      x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by)
    if (cross === 0 && isBetween) return true
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isIn = !isIn
  }
  return isIn
}
