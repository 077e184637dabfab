import { extent, type TilePoint } from './mvt.ts'
import type { TilePlace } from './features.ts'
import type { Position, Shape } from './twkb.ts'

/** Shapes go on for so far outside of their tile: the line around a polygon must not be seen at the tile's edge. */
const buffer = 64
/** Half a pixel of a tile drawn 512 pixels wide: positions are moved to a grid of this. */
const step = 4
/** The area of a pixel in a tile's units: a smaller ring is not seen. */
const pixel = (extent / 512) ** 2

/**
 * A shape as a tile shows it, cut to the tile and its surroundings, no more detailed than half a pixel: a position that
 * two shapes share stays shared, so neighbours keep touching. Empty where nothing of it can be seen.
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
    if (!outer || Math.abs(areaOf(outer)) < pixel) return []
    const visibleHoles = holes.filter((ring) => Math.abs(areaOf(ring)) >= pixel)
    return [wound(outer, 1), ...visibleHoles.map((ring) => wound(ring, -1))]
  })
}

/** Twice the signed area halved: positive is clockwise where y goes down, as MVT has outer rings. */
export function areaOf(ring: TilePoint[]): number {
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
/** What is kept has `sign * (position - bound) >= 0` on every side. */
const sides: Side[] = [
  { axis: 0, bound: -buffer, sign: 1 },
  { axis: 0, bound: extent + buffer, sign: -1 },
  { axis: 1, bound: -buffer, sign: 1 },
  { axis: 1, bound: extent + buffer, sign: -1 },
]

const isInside = (point: TilePoint, { axis, bound, sign }: Side) => sign * (point[axis] - bound) >= 0

/** Where the way from a to b meets a side. From the smaller end, so that both neighbours find the same point. */
function crossing(a: TilePoint, b: TilePoint, { axis, bound }: Side): TilePoint {
  const [from, to] = a[axis] < b[axis] ? [a, b] : [b, a]
  const share = (bound - from[axis]) / (to[axis] - from[axis])
  const other = (1 - axis) as 0 | 1
  const along = from[other] + share * (to[other] - from[other])
  return axis === 0 ? [bound, along] : [along, bound]
}

/** The part of a ring inside all sides (Sutherland and Hodgman, 1974). Parts that come apart stay joined along the cut. */
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

/** Moves positions to the grid, and leaves out those that say nothing then: repeated, or straight between two others. */
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

/** Whether the way from a over b to c is straight and goes on. */
function isBetween([ax, ay]: TilePoint, [bx, by]: TilePoint, [cx, cy]: TilePoint): boolean {
  const cross = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
  return cross === 0 && (bx - ax) * (cx - bx) + (by - ay) * (cy - by) > 0
}

/** A ring without its first position at the end again: the format closes rings itself. */
function openRing(ring: TilePoint[]): TilePoint[] {
  const [first, last] = [ring[0], ring.at(-1)]
  const isClosed = ring.length > 1 && first && last && first[0] === last[0] && first[1] === last[1]
  return isClosed ? ring.slice(0, -1) : ring
}

function wound(ring: TilePoint[], sign: 1 | -1): TilePoint[] {
  return Math.sign(areaOf(ring)) === sign ? ring : ring.toReversed()
}
