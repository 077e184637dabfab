import type { Geometry, Position } from 'geojson'

/** Projects a position to longitude and latitude; height is unchanged. */
export type Project = (position: Position) => Position

const depths: Record<string, number> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
}

/**
 * Why a GeoJSON geometry in longitude and latitude is invalid (RFC 7946): its type, a position that is malformed or out
 * of range, a line that is too short, an unclosed ring. Null: valid. Winding order is not checked.
 */
export function geometryFault(geometry: unknown): string | null {
  if (geometry === null) return null
  if (typeof geometry !== 'object' || Array.isArray(geometry)) return 'The geometry is not an object.'
  const { type, coordinates } = geometry as { type?: unknown; coordinates?: unknown }
  if (type === 'GeometryCollection') return 'Collections of geometries are not read: give one geometry a row.'
  const depth = typeof type === 'string' && Object.hasOwn(depths, type) ? depths[type] : undefined
  if (depth === undefined)
    return `The geometry is of no known type${typeof type === 'string' ? `: ${type}` : ''}.`
  const ring = type === 'Polygon' ? 1 : type === 'MultiPolygon' ? 2 : null
  const line = type === 'LineString' ? 0 : type === 'MultiLineString' ? 1 : null
  return faultIn(coordinates, depth, 0, ring, line)
}

function faultIn(
  value: unknown,
  depth: number,
  level: number,
  ring: number | null,
  line: number | null,
): string | null {
  if (!Array.isArray(value)) return 'The coordinates are not lists of numbers as deep as the type asks.'
  if (depth === level) return positionFault(value)
  if (value.length === 0 && level < depth)
    return level === 0 ? 'The geometry has no coordinates.' : 'A part is empty.'
  for (const item of value as unknown[]) {
    const fault = faultIn(item, depth, level + 1, ring, line)
    if (fault) return fault
  }
  if (level === line && value.length < 2) return 'A line has fewer than two positions.'
  if (level !== ring) return null
  const first = value[0] as Position
  const last = value.at(-1) as Position
  if (first[0] !== last[0] || first[1] !== last[1])
    return 'A ring is not closed: its last position is not its first.'
  return value.length < 4 ? 'A ring has fewer than four positions.' : null
}

const swappedWords = 'longitude and latitude seem to be swapped.'

/** Whether an issue is that latitude comes before longitude. */
export const isSwapFault = (fault: string): boolean => fault.endsWith(swappedWords)

function positionFault(position: unknown[]): string | null {
  const [x, y, z] = position
  if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y))
    return 'A position is not two numbers.'
  if (z !== undefined && typeof z !== 'number') return 'The height of a position is not a number.'
  const coordinates = `${x}, ${y}`
  if (Math.abs(y) > 90 && Math.abs(y) <= 180 && Math.abs(x) <= 90)
    return `The position ${coordinates} has no such latitude: ${swappedWords}`
  if (Math.abs(x) > 360 || Math.abs(y) > 90)
    return `The position ${coordinates} is not in degrees of longitude and latitude.`
  return null
}

/** The geometry with each position put through `project`. */
export function projectGeometry<G extends Geometry>(geometry: G, project: Project): G {
  if (geometry.type === 'GeometryCollection') return geometry
  const walk = (value: unknown): unknown =>
    Array.isArray(value) && typeof value[0] === 'number'
      ? project(value as Position)
      : (value as unknown[]).map(walk)
  return { ...geometry, coordinates: walk(geometry.coordinates) } as G
}
