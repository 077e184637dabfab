import { extent, type TilePoint } from './mvt.ts'
import type { TilePlace } from './features.ts'
import type { Position, Shape } from './twkb.ts'

/** The margin around a tile: the outline of a polygon must not be visible at the tile's edge. */
const buffer = 64
/** Half a pixel of a tile drawn 512 pixels wide: positions are moved to a grid of this. */
const step = 4
/** The area of a pixel in a tile's units: a smaller ring is not seen. */
const pixel = (extent / 512) ** 2

/**
 * A shape for a tile, clipped to the tile with its margin and simplified to half a pixel: shared positions stay shared,
 * so that neighbours touch. Empty where nothing is visible.
 */
export function drawShape(shape: Shape, tile: TilePlace): TilePoint[][] {
  const project = projection(tile)
  if (shape.type === 'point') return []
  if (shape.type === 'line') {
    return shape.lines
      .flatMap((line) => cutLine(line.map(project)).map(snap))
      .filter((line) => line.length > 1)
  }
  return shape.polygons.flatMap((rings) => {
    const [outer, ...holes] = rings.map((ring) => openRing(snap(cutRing(ring.map(project)))))
    if (!outer || Math.abs(computeSignedArea(outer)) < pixel) return []
    const visibleHoles = holes.filter((ring) => Math.abs(computeSignedArea(ring)) >= pixel)
    return [wound(outer, 1), ...visibleHoles.map((ring) => wound(ring, -1))]
  })
}

/** The signed area: positive is clockwise with y pointing down, like outer rings of MVT. */
export function computeSignedArea(ring: TilePoint[]): number {
  let twice = 0
  for (let i = 0; i < ring.length; i++) {
    const [x0, y0] = ring[i] as TilePoint
    const [x1, y1] = ring[(i + 1) % ring.length] as TilePoint
    twice += x0 * y1 - x1 * y0
  }
  return twice / 2
}

/** Web mercator in the units of one tile. Beyond 89 degrees it would not end; the tiles do at 85. */
function projection({ z, x, y }: TilePlace): (position: Position) => TilePoint {
  const size = extent * 2 ** z
  return ([longitude, latitude]) => {
    const phi = (Math.max(-89, Math.min(89, latitude)) * Math.PI) / 180
    const down = (1 - Math.log(Math.tan(phi) + 1 / Math.cos(phi)) / Math.PI) / 2
    return [((longitude + 180) / 360) * size - x * extent, down * size - y * extent]
  }
}

type Side = { axis: 0 | 1; bound: number; sign: 1 | -1 }
/** A position is inside where `sign * (position - bound) >= 0` on every side. */
const sides: Side[] = [
  { axis: 0, bound: -buffer, sign: 1 },
  { axis: 0, bound: extent + buffer, sign: -1 },
  { axis: 1, bound: -buffer, sign: 1 },
  { axis: 1, bound: extent + buffer, sign: -1 },
]

const isInside = (point: TilePoint, { axis, bound, sign }: Side) => sign * (point[axis] - bound) >= 0

/** The intersection of a segment with a side. Computed from the smaller end, so that neighbours get the same. */
function crossing(a: TilePoint, b: TilePoint, { axis, bound }: Side): TilePoint {
  const [from, to] = a[axis] < b[axis] ? [a, b] : [b, a]
  const share = (bound - from[axis]) / (to[axis] - from[axis])
  const other = (1 - axis) as 0 | 1
  const along = from[other] + share * (to[other] - from[other])
  return axis === 0 ? [bound, along] : [along, bound]
}

/** Clips a ring to all sides (Sutherland and Hodgman, 1974). Separated parts stay joined along the cut. */
function cutRing(ring: TilePoint[]): TilePoint[] {
  let points = ring
  for (const side of sides) {
    const outPoints: TilePoint[] = []
    points.forEach((point, i) => {
      const before = points[(i + points.length - 1) % points.length] as TilePoint
      const isIn = isInside(point, side)
      if (isIn !== isInside(before, side)) outPoints.push(crossing(before, point, side))
      if (isIn) outPoints.push(point)
    })
    points = outPoints
  }
  return points
}

/** The parts of a line inside all sides. */
function cutLine(line: TilePoint[]): TilePoint[][] {
  let parts = [line]
  for (const side of sides) {
    parts = parts.flatMap((points) => {
      const rows: TilePoint[][] = []
      let part: TilePoint[] = []
      points.forEach((point, i) => {
        const before = points[i - 1]
        const isIn = isInside(point, side)
        if (before && isIn !== isInside(before, side)) part.push(crossing(before, point, side))
        if (isIn) part.push(point)
        else if (part.length > 0) {
          rows.push(part)
          part = []
        }
      })
      return part.length > 0 ? [...rows, part] : rows
    })
  }
  return parts
}

/** Snaps positions to the grid and removes repeated and collinear ones. */
function snap(points: TilePoint[]): TilePoint[] {
  const outPoints: TilePoint[] = []
  for (const [px, py] of points) {
    const point: TilePoint = [Math.round(px / step) * step, Math.round(py / step) * step]
    const last = outPoints.at(-1)
    if (last && last[0] === point[0] && last[1] === point[1]) continue
    const before = outPoints.at(-2)
    if (before && last && isBetween(before, last, point)) outPoints.pop()
    outPoints.push(point)
  }
  return outPoints
}

/** Whether the path from a over b to c is straight without turning back. */
export function isBetween([ax, ay]: TilePoint, [bx, by]: TilePoint, [cx, cy]: TilePoint): boolean {
  const cross = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
  return cross === 0 && (bx - ax) * (cx - bx) + (by - ay) * (cy - by) > 0
}

/** A ring without its repeated first position: the format closes rings itself. */
function openRing(ring: TilePoint[]): TilePoint[] {
  const [first, last] = [ring[0], ring.at(-1)]
  const isClosed = ring.length > 1 && first && last && first[0] === last[0] && first[1] === last[1]
  return isClosed ? ring.slice(0, -1) : ring
}

function wound(ring: TilePoint[], sign: 1 | -1): TilePoint[] {
  return Math.sign(computeSignedArea(ring)) === sign ? ring : ring.toReversed()
}
