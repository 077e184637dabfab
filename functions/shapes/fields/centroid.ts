import type { Position } from 'geojson'
import { computeExtent } from './extent.ts'
import type { Geometry } from './geometry.ts'

/** The centroid of a geometry, on a plane of degrees. Areas are weighted by area, lines by length. */
export function computeCentroid(geometry: Geometry): [longitude: number, latitude: number] {
  if (geometry.type === 'Point') return [geometry.coordinates[0] ?? 0, geometry.coordinates[1] ?? 0]
  const pieces = toPieces(geometry)
  const weight = pieces.reduce((sum, piece) => sum + piece.weight, 0)
  if (!(weight > 0)) {
    const [west, south, east, north] = computeExtent(geometry)
    return [(west + east) / 2, (south + north) / 2]
  }
  const x = pieces.reduce((sum, piece) => sum + piece.x * piece.weight, 0) / weight
  const y = pieces.reduce((sum, piece) => sum + piece.y * piece.weight, 0) / weight
  return [x, y]
}

interface Piece {
  x: number
  y: number
  weight: number
}

function toPieces(geometry: Exclude<Geometry, { type: 'Point' }>): Piece[] {
  if (geometry.type === 'LineString') return toSegments(geometry.coordinates)
  if (geometry.type === 'MultiLineString') return geometry.coordinates.flatMap(toSegments)
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  return polygons.flatMap((rings) =>
    rings.map((ring, i) => {
      const piece = ringPiece(ring)
      return i === 0 ? piece : { ...piece, weight: -piece.weight }
    }),
  )
}

function toSegments(line: Position[]): Piece[] {
  return line.slice(1).map((to, i) => {
    const [x0, y0] = toCoordinates(line[i])
    const [x1, y1] = toCoordinates(to)
    return { x: (x0 + x1) / 2, y: (y0 + y1) / 2, weight: Math.hypot(x1 - x0, y1 - y0) }
  })
}

/** Centroid and area of a ring, in either winding order. */
export function ringPiece(ring: readonly Position[]): Piece {
  // Relative to the ring's first corner, products lose fewer digits.
  const [ox, oy] = toCoordinates(ring[0])
  let [twice, x, y] = [0, 0, 0]
  for (let i = 1; i < ring.length; i++) {
    const [x0, y0] = [toCoordinates(ring[i - 1])[0] - ox, toCoordinates(ring[i - 1])[1] - oy]
    const [x1, y1] = [toCoordinates(ring[i])[0] - ox, toCoordinates(ring[i])[1] - oy]
    const cross = x0 * y1 - x1 * y0
    twice += cross
    x += (x0 + x1) * cross
    y += (y0 + y1) * cross
  }
  if (twice === 0) return { x: ox, y: oy, weight: 0 }
  return { x: ox + x / (3 * twice), y: oy + y / (3 * twice), weight: Math.abs(twice) / 2 }
}

function toCoordinates(position: Position | undefined): [number, number] {
  return [position?.[0] ?? 0, position?.[1] ?? 0]
}
