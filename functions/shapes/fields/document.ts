import type { Issue } from '../issue.ts'
import { schemaIssues } from './document-field.ts'
import { cleanKnowledge } from './document-knowledge.ts'
import { measurementValue } from './measurements.ts'
import { isPlainObject, isText, maxDepth } from './plain.ts'

/** Maximum number of issues reported for a document. */
const maxIssues = 1000

/**
 * The issues of a data type's document ([] if valid), in document order, at most 1,000. `full` checks all of it; `schema` ignores id,
 * name, notes and official, for a document without a name yet.
 */
export function validateDataType(doc: unknown, mode: 'full' | 'schema'): Issue[] {
  if (!isPlainObject(doc)) return [{ path: [], value: doc, message: 'Not a valid top-level object' }]
  const issues = [
    ...(mode === 'full' ? namingIssues(doc) : []),
    ...topSchemaIssues(doc.schema),
    ...temporalIssues(doc.temporal, doc.schema),
    ...labelIssues(doc.mappingLabelSchema, doc.schema),
  ]
  return issues.slice(0, maxIssues)
}

/** The issues of a data type's fields, as by `validateDataType` but with paths relative to the schema. */
export function validateSchema(schema: Record<string, unknown>): Issue[] {
  return schemaIssues([], cleanSchema(schema, 0)).slice(0, maxIssues)
}

function namingIssues(doc: Record<string, unknown>): Issue[] {
  const issues = ['id', 'name', 'notes'].flatMap((key): Issue[] => {
    const value = doc[key]
    if (!value) return [{ path: [key], value, message: 'This field is required' }]
    return isText(value) ? [] : [{ path: [key], value, message: 'Not a valid text value' }]
  })
  const value = doc.official
  if (value !== undefined && value !== null && typeof value !== 'boolean') {
    issues.push({ path: ['official'], value, message: 'Not a valid boolean value' })
  }
  return issues
}

function topSchemaIssues(value: unknown): Issue[] {
  const path = ['schema']
  if (!value) return [{ path, value, message: 'This field is required' }]
  return isPlainObject(value)
    ? schemaIssues(path, value)
    : [{ path, value, message: 'Not a valid object value' }]
}

/** The issues of the temporal field, which must be a date of the schema. */
export function temporalIssues(temporal: unknown, schema: unknown): Issue[] {
  if (!temporal) return []
  if (!isPlainObject(temporal)) {
    return [{ path: ['temporal'], value: temporal, message: 'Not a valid object value' }]
  }
  const value = temporal.primary
  const messages: string[] = []
  if (!value) messages.push('This field is required')
  if (typeof value !== 'string') messages.push('Not a valid string value')
  if (!isDateField(schema, value)) messages.push('Not a valid date field')
  return messages.map((message) => ({ path: ['temporal', 'primary'], value, message }))
}

function isDateField(schema: unknown, key: unknown): boolean {
  if (typeof key !== 'string' || !isPlainObject(schema) || !Object.hasOwn(schema, key)) return false
  const field = schema[key]
  return isPlainObject(field) && field.type === 'date'
}

/** The issues of map labels by field: each key must be in the schema. */
export function labelIssues(labels: unknown, schema: unknown): Issue[] {
  const path = ['mappingLabelSchema']
  if (!labels) return []
  if (!isPlainObject(labels)) return [{ path, value: labels, message: 'Not a valid object value' }]
  const isField = (key: string) => isPlainObject(schema) && Object.hasOwn(schema, key)
  return Object.keys(labels)
    .filter((key) => !isField(key))
    .map((key) => ({ path: [...path, key], value: key, message: 'Not a valid field' }))
}

/**
 * Normalizes a document for storage: name, notes and field keys trimmed; unknown members of fields and nulls removed; the measurement
 * alias `nanosecond` replaced. Unknown members at the top stay. Invalid parts are left for `validateDataType` to report, so this runs
 * first; the input is not modified.
 */
export function cleanDataType(doc: Record<string, unknown>): Record<string, unknown> {
  const document: Record<string, unknown> = { ...doc }
  for (const key of ['name', 'notes']) if (Object.hasOwn(doc, key)) document[key] = trim(doc[key])
  if (isPlainObject(doc.schema)) document.schema = cleanSchema(doc.schema, 0)
  return document
}

function cleanSchema(schema: Record<string, unknown>, depth: number): Record<string, unknown> {
  const entries = Object.entries(schema).map(([key, field]): [string, unknown] => {
    // Two keys that differ only by whitespace must not overwrite each other: the one with whitespace is reported.
    const isTaken = key !== key.trim() && Object.hasOwn(schema, key.trim())
    return [isTaken ? key : key.trim(), cleanField(field, depth)]
  })
  return Object.fromEntries(entries)
}

function cleanField(field: unknown, depth: number): unknown {
  if (!isPlainObject(field) || depth >= maxDepth) return field
  const { measurement, schema } = field
  const members = {
    name: trim(field.name),
    notes: trim(field.notes),
    type: field.type,
    measurement: isPlainObject(measurement) ? cleanMeasurement(measurement) : measurement,
    // To the second is the default.
    precision: field.precision === 'second' ? null : field.precision,
    items: cleanField(field.items, depth + 1),
    schema: isPlainObject(schema) ? cleanSchema(schema, depth + 1) : schema,
    validation: field.validation,
    // Stored only if true.
    search: field.search === false ? null : field.search,
    regionOf: field.regionOf,
    ...cleanKnowledge(field),
  }
  return withoutNulls(members)
}

function cleanMeasurement({ type, value }: Record<string, unknown>): Record<string, unknown> {
  return withoutNulls({ type, value: measurementValue(type, value) })
}

function withoutNulls(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null),
  )
}

function trim(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value
}
