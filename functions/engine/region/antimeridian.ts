import type { Position } from 'geojson'

/**
 * The plane of a map projection. `period` is the width of the world, `west` its left edge; `north` and `south` are the y
 * at which a ring around a pole is closed.
 */
export interface Plane {
  period: number
  west: number
  north: number
  south: number
}

/** Longitude and latitude in degrees. */
export const degrees: Plane = { period: 360, west: -180, north: 90, south: -90 }

/** The web mercator square: 0–1, y down. Closed a little outside, so that no tile shows the closing edge. */
export const unitSquare: Plane = { period: 1, west: 0, north: -0.02, south: 1.02 }

/** Projects degrees to the unit square of web mercator. Positions beyond its edges are clamped a little outside. */
export function toUnitSquare(longitude: number, latitude: number): [x: number, y: number] {
  const sine = Math.sin((latitude * Math.PI) / 180)
  const y = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
  return [longitude / 360 + 0.5, Math.min(unitSquare.south, Math.max(unitSquare.north, y))]
}

/** A position of the web mercator square in degrees. */
export function fromUnitSquare(x: number, y: number): [longitude: number, latitude: number] {
  return [x * 360 - 180, (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI]
}

/**
 * Unrolls a line at the antimeridian: a step of more than half the world is taken for a crossing. `onSeam`: the meaning
 * of a step of the whole world, from edge to edge: a crossing as well, or (`stays`) an edge that only closes a ring.
 */
export function unrollLine(
  line: Position[],
  { period }: Plane,
  onSeam: 'crosses' | 'stays' = 'crosses',
): Position[] {
  let shift = 0
  let before: number | undefined
  return line.map(([x = 0, y = 0]) => {
    const step = before === undefined ? 0 : x - before
    const isSeam = onSeam === 'stays' && Math.abs(step) >= period
    if (Math.abs(step) > period / 2 && !isSeam) shift -= Math.sign(step) * period
    before = x
    return [x + shift, y]
  })
}

/** Closes an unrolled ring that has come around the earth along the pole that it is nearer to. */
export function closeOverPole(line: Position[], { north, south }: Plane): Position[] {
  const middle = line.reduce((sum, [, y = 0]) => sum + y, 0) / line.length
  const pole = Math.abs(middle - south) < Math.abs(middle - north) ? south : north
  const [first, last] = [line[0] as Position, line.at(-1) as Position]
  return [...line, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first]
}

/**
 * Unrolls a ring: after an edge of more than half the earth the rest is shifted by 360 degrees, so that it may reach
 * beyond ±180. A ring around a pole is closed over that pole. Unchanged are rings that would become wider, and edges
 * from -180 to 180 that only close a ring. `crosses`: it was shifted.
 */
export function unrollRing(ring: Position[]): { ring: Position[]; crosses: boolean } {
  const unrolled = unrollLine(ring, degrees, 'stays')
  if (unrolled.every(([x], i) => x === ring[i]?.[0])) return { ring, crosses: false }
  if (unrolled.at(-1)?.[0] !== ring.at(-1)?.[0])
    return { ring: closeOverPole(unrolled, degrees), crosses: true }
  return measureRingWidth(unrolled) < measureRingWidth(ring)
    ? { ring: unrolled, crosses: true }
    : { ring, crosses: false }
}

function measureRingWidth(ring: Position[]): number {
  let [west, east] = [Infinity, -Infinity]
  for (const [lon = 0] of ring) {
    west = Math.min(west, lon)
    east = Math.max(east, lon)
  }
  return east - west
}
