import type { Schema } from './types.ts'

/** Keywords with the same meaning in Swagger 2.0. */
const sameKeywords = [
  'description',
  'title',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'required',
  'enum',
  'default',
]

/**
 * Converts a JSON Schema to Swagger 2.0, which has no unions and no null: null becomes `x-nullable`; a union becomes its
 * only other member, or else what its members have in common, with all of them under `x-anyOf`.
 */
export function olderSchema(schema: Schema): Schema {
  const { $ref, type, anyOf, oneOf, properties, items, additionalProperties, example } = schema
  if (typeof $ref === 'string') return { $ref: $ref.replace('#/components/schemas/', '#/definitions/') }
  const common: Schema = Object.fromEntries(
    sameKeywords.flatMap((key) => (key in schema ? [[key, schema[key]]] : [])),
  )
  if (example !== undefined) common.example = example
  if ('const' in schema) common.enum = [schema.const]
  const parts = (anyOf ?? oneOf) as Schema[] | undefined
  if (parts) return { ...common, ...union(parts) }
  Object.assign(common, toSingleType(type, schema))
  if (isSchema(properties))
    common.properties = Object.fromEntries(
      Object.entries(properties).map(([key, part]) => [key, olderSchema(part as Schema)]),
    )
  if (common.type === 'array') common.items = isSchema(items) ? olderSchema(items) : {}
  if (typeof additionalProperties === 'boolean') common.additionalProperties = additionalProperties
  if (isSchema(additionalProperties)) common.additionalProperties = olderSchema(additionalProperties)
  return common
}

function union(parts: Schema[]): Schema {
  const others = parts.filter((part) => part.type !== 'null')
  const nullable = others.length < parts.length && { 'x-nullable': true }
  const [only] = others
  if (only && others.length === 1) {
    const older = olderSchema(only)
    // Siblings of `$ref` are ignored.
    return '$ref' in older && nullable ? { allOf: [older], ...nullable } : { ...older, ...nullable }
  }
  const types = [...new Set(others.map((part) => part.type))]
  return {
    ...(types.length === 1 && typeof types[0] === 'string' && { type: types[0] }),
    ...(types.length === 1 && types[0] === 'array' && { items: {} }),
    'x-anyOf': others.map(olderSchema),
    ...nullable,
  }
}

/** The single type; no type where several are allowed. */
function toSingleType(type: unknown, { items }: Schema): Schema {
  if (typeof type === 'string') return { type }
  if (!Array.isArray(type)) return items === undefined ? {} : { type: 'array' }
  const others = (type as string[]).filter((each) => each !== 'null')
  const nullable = others.length < type.length && { 'x-nullable': true }
  return { ...(others.length === 1 && { type: others[0] }), ...nullable }
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
