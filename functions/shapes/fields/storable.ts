import { isCalendarDate, isGeometryType, type Field, type FieldSchema, type GeometryType } from '../field.ts'
import { calendarDate, isoDate } from './dates.ts'
import type { Geometry } from './geometry.ts'
import { isPlainObject, jsonForm, getOwnProperty, setOwn } from './plain.ts'

/**
 * Creates a function that returns the stored form of a valid record: only the schema's keys, dates as ISO text in UTC with `Z`,
 * calendar dates as `YYYY-MM-DD`, geometries with only `type` and `coordinates`. Null members are omitted; null items of lists stay.
 * The record is not modified.
 */
export function storable(schema: FieldSchema): (data: Record<string, unknown>) => Record<string, unknown> {
  const members = Object.entries(schema).map(([key, field]) => ({ key, keep: keeper(field) }))
  return (data) => {
    const copy: Record<string, unknown> = {}
    for (const { key, keep } of members) {
      const value = jsonForm(getOwnProperty(data, key))
      if (value !== undefined && value !== null) setOwn(copy, key, keep(value))
    }
    return copy
  }
}

/**
 * As `storable`, for a record just made by an importer's mapper, which has only schema keys, no nulls, and normalized dates. Only
 * shapes, lists and maps are converted, in place.
 */
export function storableMade(
  schema: FieldSchema,
): (data: Record<string, unknown>) => Record<string, unknown> {
  const members = Object.entries(schema).flatMap(([key, field]) =>
    isGeometryType(field.type) || field.type === 'array' || field.type === 'object'
      ? [{ key, keep: keeper(field) }]
      : [],
  )
  return (data) => {
    for (const { key, keep } of members) if (Object.hasOwn(data, key)) data[key] = keep(data[key])
    return data
  }
}

function keeper(field: Field): (value: unknown) => unknown {
  if (isCalendarDate(field)) return (value) => calendarDate(value, field.precision) ?? value
  if (field.type === 'date') return (value) => (isCanonical(value) ? value : (isoDate(value) ?? value))
  if (isGeometryType(field.type)) {
    return (value) => (isPlainObject(value) ? { type: value.type, coordinates: value.coordinates } : value)
  }
  if (field.type === 'array' && field.items) {
    const keep = keeper(field.items)
    const toStoredItem = (raw: unknown) => {
      const item = jsonForm(raw)
      return item === undefined || item === null ? null : keep(item)
    }
    return (value) => (Array.isArray(value) ? value.map(toStoredItem) : value)
  }
  if (field.type === 'object' && field.schema) {
    const keep = storable(field.schema)
    return (value) => (isPlainObject(value) ? keep(value) : value)
  }
  return (value) => value
}

/** Whether a valid date is already ISO text in UTC with milliseconds, as from importers; its length is enough, as it was validated. */
function isCanonical(value: unknown): boolean {
  return typeof value === 'string' && value.length === 24 && value.endsWith('Z')
}

/** The precedence of geometry types for a record's location. */
const weights: Record<GeometryType, number> = { multipolygon: 4, polygon: 3, multiline: 3, line: 2, point: 1 }

type Finder = (value: unknown) => WeighedGeometry | null
interface WeighedGeometry {
  weight: number
  geometry: Geometry
}

/**
 * Creates a function that returns the representative geometry of a valid record for maps and filters; null if it has none: the most
 * complex of all its geometry fields, including those in lists and maps. Ties go to the first.
 */
export function primaryGeometry(schema: FieldSchema): (data: Record<string, unknown>) => Geometry | null {
  const find = membersFinder(schema)
  return (data) => find?.(data)?.geometry ?? null
}

function membersFinder(schema: FieldSchema): Finder | null {
  const members = Object.entries(schema).flatMap(([key, field]) => {
    const find = finder(field)
    return find === null ? [] : [{ key, find }]
  })
  if (members.length === 0) return null
  return (value) =>
    isPlainObject(value) ? heaviest(members.map(({ key, find }) => find(getOwnProperty(value, key)))) : null
}

function finder(field: Field): Finder | null {
  const { type } = field
  if (isGeometryType(type)) {
    const weight = weights[type]
    // Validation has ensured that the value is a geometry of this type.
    return (value) => {
      const geometry = value as Geometry
      return isPlainObject(value) ? { weight, geometry } : null
    }
  }
  if (type === 'object') return field.schema ? membersFinder(field.schema) : null
  const findItem = type === 'array' && field.items ? finder(field.items) : null
  if (findItem === null) return null
  return (value) => (Array.isArray(value) ? heaviest(value.map(findItem)) : null)
}

function heaviest(rows: (WeighedGeometry | null)[]): WeighedGeometry | null {
  let best: WeighedGeometry | null = null
  for (const one of rows) if (one !== null && (best === null || one.weight > best.weight)) best = one
  return best
}
