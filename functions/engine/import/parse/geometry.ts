import type { Geometry, Position } from 'geojson'
import { deepestCollection, tooDeepCollection } from './caps.ts'

/** Projects a position to longitude and latitude; height is unchanged. */
export type Project = (position: Position) => Position

/** Swaps the axes of a position whose latitude stands before its longitude. */
export const swapAxes: Project = ([lat = NaN, lon = NaN, ...rest]) => [lon, lat, ...rest]

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
 * of range, a line that is too short, an unclosed ring. Null: valid. Winding order is not checked. With `isLoose` rings
 * may be open or too short, and collections are valid if their polygons are: whoever reads areas repairs them.
 */
export function geometryFault(geometry: unknown, isLoose = false, level = 0): string | null {
  if (geometry === null) return null
  if (typeof geometry !== 'object' || Array.isArray(geometry)) return 'The geometry is not an object.'
  const { type, coordinates, geometries } = geometry as Record<string, unknown>
  if (type === 'GeometryCollection') {
    if (!isLoose) return 'Collections of geometries are not read: give one geometry a row.'
    if (level >= deepestCollection) return tooDeepCollection
    if (!Array.isArray(geometries)) return 'The collection has no list of geometries.'
    return findFirstFault(geometries, (part) =>
      isOfAreas(part) ? geometryFault(part, true, level + 1) : null,
    )
  }
  const depth = typeof type === 'string' && Object.hasOwn(depths, type) ? depths[type] : undefined
  if (depth === undefined)
    return `The geometry is of no known type${typeof type === 'string' ? `: ${type}` : ''}.`
  const ring = type === 'Polygon' ? 1 : type === 'MultiPolygon' ? 2 : null
  const line = type === 'LineString' ? 0 : type === 'MultiLineString' ? 1 : null
  return faultIn(coordinates, 0, { depth, ring, line, isLoose })
}

const typesOfAreas: unknown[] = ['Polygon', 'MultiPolygon', 'GeometryCollection']
const isOfAreas = (part: unknown) =>
  typeof part === 'object' && part !== null && 'type' in part && typesOfAreas.includes(part.type)

function findFirstFault(items: unknown[], findFault: (item: unknown) => string | null): string | null {
  for (const item of items) {
    const fault = findFault(item)
    if (fault) return fault
  }
  return null
}

/** The levels of the coordinates of a geometry: of its positions, and of its rings or lines, null if it has none. */
interface Levels {
  depth: number
  ring: number | null
  line: number | null
  isLoose: boolean
}

function faultIn(value: unknown, level: number, levels: Levels): string | null {
  const { depth, ring, line, isLoose } = levels
  if (!Array.isArray(value)) return 'The coordinates are not lists of numbers as deep as the type asks.'
  if (depth === level) return positionFault(value)
  if (value.length === 0 && level === 0) return 'The geometry has no coordinates.'
  if (value.length === 0 && !(isLoose && ring !== null)) return 'A part is empty.'
  const fault = findFirstFault(value, (item) => faultIn(item, level + 1, levels))
  if (fault) return fault
  if (level === line && value.length < 2) return 'A line has fewer than two positions.'
  if (level !== ring || isLoose) return null
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

/** The geometry with each position put through `project`; of a collection those of its polygons. */
export function projectGeometry<G extends Geometry>(geometry: G, project: Project): G {
  if (geometry.type === 'GeometryCollection')
    return {
      ...geometry,
      geometries: geometry.geometries.map((part) =>
        isOfAreas(part) ? projectGeometry(part, project) : part,
      ),
    }
  const walk = (value: unknown): unknown =>
    Array.isArray(value) && typeof value[0] === 'number'
      ? project(value as Position)
      : (value as unknown[]).map(walk)
  return { ...geometry, coordinates: walk(geometry.coordinates) } as G
}
