import type { ValueType } from '../types.ts'

/** A GeoJSON geometry with coordinates that PostGIS accepts. */
export interface Geometry {
  type: string
  coordinates?: unknown
  geometries?: Geometry[]
}

const typeByGeometry: Record<string, ValueType> = {
  Point: 'point',
  LineString: 'line',
  MultiLineString: 'multiline',
  Polygon: 'polygon',
  MultiPolygon: 'multipolygon',
}

type Check = (coordinates: unknown) => boolean
const isPosition: Check = (at) =>
  Array.isArray(at) && (at.length === 2 || at.length === 3) && at.every((number) => Number.isFinite(number))
const buildListCheck =
  (check: Check, atLeast = 1): Check =>
  (list) =>
    Array.isArray(list) && list.length >= atLeast && list.every(check)
const isLine = buildListCheck(isPosition, 2)
const isRing: Check = (ring) =>
  buildListCheck(isPosition, 4)(ring) &&
  Array.isArray(ring) &&
  String(ring[0]) === String(ring[ring.length - 1])
const checks: Record<string, Check> = {
  Point: isPosition,
  MultiPoint: buildListCheck(isPosition),
  LineString: isLine,
  MultiLineString: buildListCheck(isLine),
  Polygon: buildListCheck(isRing),
  MultiPolygon: buildListCheck(buildListCheck(isRing)),
}

/**
 * Parses a GeoJSON text: the geometry of a Feature, all geometries of a FeatureCollection. Returns the error message for
 * anything else.
 */
export function parseGeoJson(text: unknown): { geometry: Geometry; type: ValueType } | string {
  let parsed: unknown
  try {
    parsed = JSON.parse(typeof text === 'string' ? text : '')
  } catch {
    return 'Not a valid JSON string!'
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return 'Not a valid object!'
  const geometry = readGeometry(parsed)
  return geometry
    ? { geometry, type: typeByGeometry[geometry.type] ?? 'geometry' }
    : 'Not a valid GeoJSON object!'
}

function readGeometry(input: unknown, depth = 0): Geometry | undefined {
  if (typeof input !== 'object' || input === null || depth > 4) return undefined
  const { type, coordinates, geometry, geometries, features } = input as Record<string, unknown>
  if (typeof type !== 'string') return undefined
  if (type === 'Feature') return readGeometry(geometry, depth + 1)
  if (type === 'FeatureCollection') return readAll(features, depth)
  if (type === 'GeometryCollection') return readAll(geometries, depth)
  const isRight = Object.hasOwn(checks, type) ? checks[type] : undefined
  return isRight?.(coordinates) ? { type, coordinates } : undefined
}

function readAll(input: unknown, depth: number): Geometry | undefined {
  if (!Array.isArray(input) || input.length === 0) return undefined
  const geometries = input.map((each) => readGeometry(each, depth + 1))
  const valid = geometries.filter((each) => each !== undefined)
  return valid.length === input.length ? { type: 'GeometryCollection', geometries: valid } : undefined
}
