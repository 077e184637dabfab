import type { Issue } from '../issue.ts'
import { schemaIssues } from './documentField.ts'
import { cleanKnowledge } from './documentKnowledge.ts'
import { measurementValue } from './measurements.ts'
import { isPlainObject, isText, maxDepth } from './plain.ts'

/** The most issues told of one document. */
const maxIssues = 1000

/**
 * The issues of a data type's document ([] = good), in the document's order, at most 1,000. `full` looks at all of
 * it; `schema` leaves id, name, notes and official alone, for a document that is not yet named.
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

/** The issues of the fields of a data type, as `validateDataType` gives them but with paths from the schema on. */
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

/** What is wrong with the field that a data type's records are ordered by; it must be a date of the schema. */
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

/** The labels that maps show are given by field: each key must be one of the schema. */
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
 * The document as it is stored: name, notes and field keys trimmed; of each field only what a field has, nulls left
 * out; the measurement alias `nanosecond` under its true name. Unknown members at the top stay. Whatever has the
 * wrong shape is left for `validateDataType` to tell, so cleaning comes first; the given document is not changed.
 */
export function cleanDataType(doc: Record<string, unknown>): Record<string, unknown> {
  const document: Record<string, unknown> = { ...doc }
  for (const key of ['name', 'notes']) if (Object.hasOwn(doc, key)) document[key] = trim(doc[key])
  if (isPlainObject(doc.schema)) document.schema = cleanSchema(doc.schema, 0)
  return document
}

function cleanSchema(schema: Record<string, unknown>, depth: number): Record<string, unknown> {
  const entries = Object.entries(schema).map(([key, field]): [string, unknown] => {
    // Two keys that differ by blanks only must not swallow each other: the one with blanks is told as not good.
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
    // To the second is what is meant where nothing is said.
    precision: field.precision === 'second' ? null : field.precision,
    items: cleanField(field.items, depth + 1),
    schema: isPlainObject(schema) ? cleanSchema(schema, depth + 1) : schema,
    validation: field.validation,
    // Said only where it is true.
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
