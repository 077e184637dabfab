import { isCalendarDate, isGeometryType, type Field, type FieldSchema, type GeometryType } from '../field.ts'
import { calendarDate, isoDate } from './dates.ts'
import type { Geometry } from './geometry.ts'
import { isPlainObject, jsonForm, own, setOwn } from './plain.ts'

/**
 * Gives the function that gives what is stored of a record that the checker found good: only the schema's keys, dates
 * as ISO text in UTC with `Z`, calendar dates as `YYYY-MM-DD`, geometries as `type` and `coordinates` alone. A null counts as missing and is left
 * out; a null item of a list stays. The record itself is not changed.
 */
export function storable(schema: FieldSchema): (data: Record<string, unknown>) => Record<string, unknown> {
  const members = Object.entries(schema).map(([key, field]) => ({ key, keep: keeper(field) }))
  return (data) => {
    const copy: Record<string, unknown> = {}
    for (const { key, keep } of members) {
      const value = jsonForm(own(data, key))
      if (value !== undefined && value !== null) setOwn(copy, key, keep(value))
    }
    return copy
  }
}

/**
 * As `storable`, of a record that the mapper of an importer has just made: it has only keys of the schema, no nulls, and
 * dates as they are kept. Of shapes, lists and maps the record then has what is stored; it is the same record.
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
    const keepItem = (raw: unknown) => {
      const item = jsonForm(raw)
      return item === undefined || item === null ? null : keep(item)
    }
    return (value) => (Array.isArray(value) ? value.map(keepItem) : value)
  }
  if (field.type === 'object' && field.schema) {
    const keep = storable(field.schema)
    return (value) => (isPlainObject(value) ? keep(value) : value)
  }
  return (value) => value
}

/** Whether a good date is ISO text in UTC with milliseconds already, as importers give it: by its length, for it was looked at. */
function isCanonical(value: unknown): boolean {
  return typeof value === 'string' && value.length === 24 && value.endsWith('Z')
}

/** How much a geometry says about where a record is. */
const weights: Record<GeometryType, number> = { multipolygon: 4, polygon: 3, multiline: 3, line: 2, point: 1 }

type Finder = (value: unknown) => WeighedGeometry | null
interface WeighedGeometry {
  weight: number
  geometry: Geometry
}

/**
 * Gives the function that gives the one geometry that stands for a good record on maps and in filters, or null if it
 * has none: the most complex of all its geometry fields, those in lists and maps included. Of equals the first wins.
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
    isPlainObject(value) ? heaviest(members.map(({ key, find }) => find(own(value, key)))) : null
}

function finder(field: Field): Finder | null {
  const { type } = field
  if (isGeometryType(type)) {
    const weight = weights[type]
    // The checker has seen that the value is a geometry of this type.
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
