import type { GeoJson, Position } from './cells.testing.ts'

/** The parts of a geometry: single points, line segments, and polygons as rings, the shell first. */
interface Parts {
  points: Position[]
  segments: [Position, Position][]
  polygons: Position[][][]
}

const pairs = (line: Position[]) =>
  line.slice(1).map((to, i): [Position, Position] => [line[i] as Position, to])

function splitGeometry(geo: GeoJson): Parts {
  const none: Parts = { points: [], segments: [], polygons: [] }
  const at = geo.coordinates
  switch (geo.type) {
    case 'Point':
      return { ...none, points: [at as Position] }
    case 'MultiPoint':
      return { ...none, points: at as Position[] }
    case 'LineString':
      return { ...none, segments: pairs(at as Position[]) }
    case 'MultiLineString':
      return { ...none, segments: (at as Position[][]).flatMap(pairs) }
    case 'Polygon':
      return { ...none, polygons: [at as Position[][]] }
    case 'MultiPolygon':
      return { ...none, polygons: at as Position[][][] }
  }
  const members = (geo.geometries ?? []).map(splitGeometry)
  return {
    points: members.flatMap(({ points }) => points),
    segments: members.flatMap(({ segments }) => segments),
    polygons: members.flatMap(({ polygons }) => polygons),
  }
}

/** Twice the signed area of a triangle: the side of pq that r is on. Exact for the short coordinates of the tests. */
const side = ([px = 0, py = 0]: Position, [qx = 0, qy = 0]: Position, [rx = 0, ry = 0]: Position) =>
  (qx - px) * (ry - py) - (qy - py) * (rx - px)

function isOn([x = 0, y = 0]: Position, p: Position, q: Position): boolean {
  const [[px = 0, py = 0], [qx = 0, qy = 0]] = [p, q]
  const isBetween =
    x >= Math.min(px, qx) && x <= Math.max(px, qx) && y >= Math.min(py, qy) && y <= Math.max(py, qy)
  return isBetween && side(p, q, [x, y]) === 0
}

function doCross([p, q]: [Position, Position], [r, s]: [Position, Position]): boolean {
  if (isOn(p, r, s) || isOn(q, r, s) || isOn(r, p, q) || isOn(s, p, q)) return true
  return side(p, q, r) * side(p, q, s) < 0 && side(r, s, p) * side(r, s, q) < 0
}

/** Whether a point is in a polygon or on its boundary. */
function isIn(point: Position, rings: Position[][]): boolean {
  if (rings.some((ring) => pairs(ring).some(([p, q]) => isOn(point, p, q)))) return true
  const [x = 0, y = 0] = point
  const crossings = rings.flatMap(pairs).filter(([[px = 0, py = 0], [qx = 0, qy = 0]]) => {
    if (py > y === qy > y) return false
    const cross = side([px, py], [qx, qy], [x, y])
    return qy > py ? cross > 0 : cross < 0
  })
  return crossings.length % 2 === 1
}

/** Whether two geometries share a point, on the plane of longitude and latitude. */
export function doIntersect(a: GeoJson, b: GeoJson): boolean {
  const [one, two] = [splitGeometry(a), splitGeometry(b)]
  return meets(one, two) || meets(two, one)
}

function meets(one: Parts, two: Parts): boolean {
  const isPointThere = one.points.some(
    (point) =>
      two.points.some((other) => other[0] === point[0] && other[1] === point[1]) ||
      two.segments.some(([p, q]) => isOn(point, p, q)) ||
      two.polygons.some((polygon) => isIn(point, polygon)),
  )
  if (isPointThere) return true
  const edges = (parts: Parts) => [
    ...parts.segments,
    ...parts.polygons.flatMap((rings) => rings.flatMap(pairs)),
  ]
  const others = edges(two)
  if (edges(one).some((edge) => others.some((other) => doCross(edge, other)))) return true
  // No edges cross: one contains the other, or they are disjoint.
  const starts = [...one.segments.map(([p]) => p), ...one.polygons.map((rings) => rings[0]?.[0] as Position)]
  return starts.some((start) => two.polygons.some((polygon) => isIn(start, polygon)))
}
