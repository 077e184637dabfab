import { toJsonSchemaDefs, type ConversionConfig } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { anyCase } from './case-insensitive.ts'
import { findReachable } from './reach.ts'
import type { Schema } from './types.ts'

/** JSON Schemas of shapes, and those of them that have a name. */
export interface Schemas {
  /** The JSON Schema of a schema: a reference where it has a name. */
  getSchema(shape: GenericSchema): Schema
  /** Those that have a name and are used by something, by name. */
  named: Record<string, Schema>
}

const place = '#/components/schemas/'

/** The parts that are read of an action in a pipe; which ones it has depends on its type. */
interface ReadAction {
  type: string
  metadata?: { like?: Schema }
  requirement?: RegExp
}

/**
 * Converts schemas to JSON Schema (2020-12), describing the input before any transformation. Named schemas become
 * references wherever they occur. `shapes`: all schemas that will be converted.
 */
export function toJsonSchemas(names: Record<string, GenericSchema>, shapes: GenericSchema[]): Schemas {
  const keys = new Map<GenericSchema, string>()
  for (const [name, shape] of Object.entries(names)) if (isWorthAName(shape)) keys.set(shape, name)
  const givenNames = new Set(keys.values())
  for (const shape of shapes) if (!keys.has(shape)) keys.set(shape, `Part${keys.size}`)
  const definitions = Object.fromEntries([...keys].map(([shape, key]) => [key, shape]))
  const converted = toJsonSchemaDefs(definitions, config) as Record<string, Schema>
  for (const [key, schema] of Object.entries(converted)) converted[key] = pointReferences(schema) as Schema
  const getSchema = (shape: GenericSchema) => {
    const key = keys.get(shape) ?? ''
    return givenNames.has(key) ? { $ref: `${place}${key}` } : (converted[key] ?? {})
  }
  const reachable = findReachable(shapes.map(getSchema), converted, place)
  const entries = Object.entries(converted).filter(([key]) => reachable.has(key))
  return { getSchema, named: Object.fromEntries(entries) }
}

/** Texts and numbers are described in place; only objects get a name. */
function isWorthAName({ type }: GenericSchema): boolean {
  return ['strict_object', 'object', 'loose_object', 'lazy', 'union', 'variant'].includes(type)
}

const config: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  // Constraints that JSON Schema cannot express are only reported by validation.
  errorMode: 'ignore',
  overrideSchema({ valibotSchema, jsonSchema, errors }) {
    const { type, expects } = valibotSchema as { type: string; expects: string }
    if (type === 'date') return { type: 'string', format: 'date-time' }
    if (type === 'file' || type === 'blob' || type === 'instance')
      return { type: 'string', contentMediaType: 'application/octet-stream' }
    if (type === 'record') return jsonSchema
    if (type === 'loose_object') return { ...jsonSchema, additionalProperties: true }
    return errors ? { description: expects } : undefined
  },
  overrideAction({ valibotAction, jsonSchema }) {
    const { type, metadata, requirement } = valibotAction as ReadAction
    if (type === 'metadata' && metadata?.like) return metadata.like
    if (type === 'regex' && requirement?.flags.includes('i'))
      return { ...jsonSchema, pattern: anyCase(requirement.source) }
    return undefined
  },
}

/** Rewrites references for OpenAPI, removes empty members, and gives every array `items`, which tools for 3.0 expect. */
function pointReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(pointReferences)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    if (key === '$ref') return [[key, String(value).replace('#/$defs/', place)]]
    if (key === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}') return []
    if (key === 'required' && Array.isArray(value) && value.length === 0) return []
    return [[key, pointReferences(value)]]
  })
  const pointedTo = Object.fromEntries(entries) as Schema
  const isList = [pointedTo.type].flat().includes('array')
  return isList && !('items' in pointedTo) ? { ...pointedTo, items: {} } : pointedTo
}
