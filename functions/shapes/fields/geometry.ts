import type {
  Geometry as GeoJsonGeometry,
  LineString,
  MultiLineString,
  MultiPolygon,
  Point,
  Polygon,
  Position,
} from 'geojson'
import type { GeometryType } from '../field.ts'
import { isPlainObject } from './plain.ts'
import { positionsFault } from './positions.ts'

/** A geometry of a record, in longitude and latitude (WGS 84); an optional third number is the elevation. */
export type Geometry = Point | LineString | MultiLineString | Polygon | MultiPolygon

/** The GeoJSON type of each geometry field type. */
export const geoJsonTypes: Record<GeometryType, Geometry['type']> = {
  point: 'Point',
  line: 'LineString',
  multiline: 'MultiLineString',
  polygon: 'Polygon',
  multipolygon: 'MultiPolygon',
}

/** Maximum number of positions per geometry. */
export const maxPositions = 100_000

/**
 * Why a value is no valid geometry of a type; null if it is. Reports the first problem, in this order: the object, its type, its
 * coordinates (numbers in range), its structure. Self-intersections are not checked here, as that requires the database.
 */
export function geometryFault(value: unknown, type: GeometryType): string | null {
  if (!isPlainObject(value)) return 'Not a valid object'
  const expectedType = geoJsonTypes[type]
  if (value.type !== expectedType) {
    return `Not a valid type value (Expected ${expectedType} not ${describeValue(value.type)})`
  }
  const coordinates = coordinatesFault(value.coordinates)
  if (coordinates !== null) return `Invalid coordinates - ${coordinates}`
  return membersFault(value, type) ?? positionsFault(value.coordinates, type)
}

/** Depth first with an explicit stack, so that no nesting overflows the call stack. */
function coordinatesFault(coordinates: unknown): string | null {
  const parents: { list: unknown[]; next: number }[] = []
  let node = coordinates
  for (let positions = 0; ;) {
    if (!Array.isArray(node)) return 'Coordinates not an array'
    if (node.length === 0) return 'Coordinates array is empty'
    if (Array.isArray(node[0])) {
      parents.push({ list: node, next: 0 })
    } else {
      const fault = positionFault(node[0], node[1])
      if (fault !== null) return fault
      positions += 1
      if (positions > maxPositions) return `More than ${maxPositions} positions`
    }
    let parent = parents.at(-1)
    while (parent !== undefined && parent.next === parent.list.length) {
      parents.pop()
      parent = parents.at(-1)
    }
    if (parent === undefined) return null
    node = parent.list[parent.next]
    parent.next += 1
  }
}

function positionFault(longitude: unknown, latitude: unknown): string | null {
  if (!isNumber(latitude)) return `Latitude not a number, got ${getTypeName(latitude)}`
  if (latitude > 90) return 'Latitude greater than 90'
  if (latitude < -90) return 'Latitude less than -90'
  if (!isNumber(longitude)) return `Longitude not a number, got ${getTypeName(longitude)}`
  if (longitude < -180) return 'Longitude less than -180'
  if (longitude > 180) return 'Longitude greater than 180'
  return longitude === 0 && latitude === 0 ? 'Longitude and latitude were both 0' : null
}

function membersFault(value: Record<string, unknown>, type: GeometryType): string | null {
  const { crs, bbox } = value
  if (crs) return crsFault(crs)
  if (bbox) {
    if (!Array.isArray(bbox)) return `bbox member must be an array of numbers, but is a ${typeof bbox}`
    if (!bbox.every((edge) => Number.isFinite(edge))) return 'each element in a bbox member must be a number'
    if (bbox.length !== 4 && bbox.length !== 6) {
      return 'bbox must contain 4 elements (for 2D) or 6 elements (for 3D)'
    }
  }
  if (type !== 'point') return null
  const alien = ['geometry', 'features'].find((name) => Object.hasOwn(value, name))
  return alien === undefined ? null : `geometry object cannot contain a "${alien}" member`
}

/** Coordinates are always WGS 84: with another system they would be stored wrong. */
function crsFault(crs: unknown): string {
  const properties = isPlainObject(crs) && isPlainObject(crs.properties) ? crs.properties : {}
  return properties.name === 'urn:ogc:def:crs:OGC:1.3:CRS84'
    ? 'old-style crs member is not recommended, this object is equivalent to the default and should be removed'
    : 'old-style crs member is not recommended'
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value)
}

function getTypeName(value: unknown): string {
  return Number.isNaN(value) ? 'NaN' : typeof value
}

/** The value for a message: short, and without calling its own `toString`. */
function describeValue(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Object.prototype.toString.call(value)
  return String(value).slice(0, 64)
}

/** The polygons of an area, each as outer ring and holes; empty for other geometries. */
export function listPolygons(geometry: GeoJsonGeometry): Position[][][] {
  if (geometry.type === 'Polygon') return [geometry.coordinates]
  return geometry.type === 'MultiPolygon' ? geometry.coordinates : []
}
