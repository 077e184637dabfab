import { geoJsonTypes, geometryFault, type Geometry } from '#functions/shapes/fields/geometry.ts'
import type { GeometryType } from '#functions/shapes/field.ts'
import { isPlainObject } from '#functions/shapes/fields/plain.ts'
import { Refusal } from './reading.ts'
import { readWkt } from '../wkt.ts'

const memberTypeByMultiType: Record<string, string> = {
  MultiLineString: 'LineString',
  MultiPolygon: 'Polygon',
}

/** Parses a value (GeoJSON, its text, or WKT) as a geometry of a type; null for an empty one. */
export function readGeometry(value: unknown, type: GeometryType): Geometry | Refusal | null {
  const shape = parseShape(value)
  if (shape === null || shape instanceof Refusal) return shape
  const checked = checkGeometry(shape, type)
  return typeof checked === 'string' ? new Refusal(sentence(shape, type, checked), value) : checked
}

/** Validates an object as a geometry of a type; returns a message where it is invalid. */
export function checkGeometry(shape: Record<string, unknown>, type: GeometryType): Geometry | string {
  // Valid if there is no fault: the compiler cannot follow the check.
  return geometryFault(shape, type) ?? (shape as unknown as Geometry)
}

/** Parses a value to an object that may be a geometry; null for an empty one. A feature is accepted only if `isOpen`. */
export function parseShape(value: unknown, isOpen = false): Record<string, unknown> | Refusal | null {
  if (typeof value === 'string') {
    const text = value.trim()
    if (text.startsWith('{')) return shapeOfJson(text, isOpen)
    const shape = readWkt(text)
    return typeof shape === 'string' ? new Refusal(shape, value) : shape && { ...shape }
  }
  if (!isPlainObject(value)) return new Refusal('Not a shape.', value)
  if (value.type !== 'Feature') return value
  if (isOpen) return isPlainObject(value.geometry) ? value.geometry : null
  return new Refusal('A feature, not a shape: map its member "geometry".', value)
}

function shapeOfJson(text: string, isOpen: boolean): Record<string, unknown> | Refusal | null {
  try {
    return parseShape(JSON.parse(text) as unknown, isOpen)
  } catch {
    return new Refusal('Not GeoJSON: the text is no JSON.', text)
  }
}

function sentence(shape: Record<string, unknown>, type: GeometryType, fault: string): string {
  const targetType = geoJsonTypes[type]
  if (shape.type === memberTypeByMultiType[targetType])
    return `A ${shape.type}, not a ${targetType}: the transform "ensureMulti" makes one of it.`
  return swap(shape.coordinates, fault) ?? `Not a shape of this field: ${fault}.`
}

/** A message that shows the first position out of range. */
function swap(coordinates: unknown, fault: string): string | null {
  if (!/Latitude (greater|less)|Longitude (greater|less)/.test(fault)) return null
  const [x = 0, y = 0] = outside(coordinates) ?? []
  if (Math.abs(x) > 180 && Math.abs(y) > 90)
    return `${x}, ${y} are no degrees: the shape is in another coordinate system.`
  if (Math.abs(x) <= 90 && Math.abs(y) > 90 && Math.abs(y) <= 180)
    return `Latitude ${y} is beyond 90: longitude comes first, and the two look swapped.`
  return null
}

function outside(coordinates: unknown): [number, number] | null {
  let level: unknown[] = Array.isArray(coordinates) ? [coordinates] : []
  while (level.length > 0) {
    const next: unknown[] = []
    for (const item of level as unknown[][]) {
      const [x, y] = item
      if (typeof x === 'number' && typeof y === 'number') {
        if (Math.abs(x) > 180 || Math.abs(y) > 90) return [x, y]
      } else for (const child of item) if (Array.isArray(child)) next.push(child)
    }
    level = next
  }
  return null
}
