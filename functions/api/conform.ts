import * as v from 'valibot'
import type { Route } from './routes.ts'
import type { Issue } from '#functions/shapes/issue.ts'

/**
 * Validates a JSON response against its declared schema; empty when it conforms. Keys that the schema does not name are
 * issues at every level, unless it is a `looseObject` or `record`; dates are ISO text, as in JSON.
 */
export function conforms(schema: v.GenericSchema, json: unknown): Issue[] {
  const answer = v.safeParse(strict(schema), json)
  if (answer.success) return []
  return answer.issues.map((issue) => ({
    path: issue.path?.map((part) => part.key as string | number) ?? [],
    message: issue.expected === 'never' ? 'Unknown field.' : issue.message,
  }))
}

/** Throws when the result of a route does not conform to its `returns`. Takes the result before it is serialised. */
export function requireConforming(
  { name, endpoint }: Pick<Route, 'name' | 'endpoint'>,
  result: unknown,
): void {
  if (!endpoint.returns || result === null || result === undefined) return
  const issues = conforms(endpoint.returns, JSON.parse(JSON.stringify(result)))
  if (!issues.length) return
  const parts = issues.map(({ path, message }) => `${path.join('.') || '(all of it)'}: ${message}`)
  throw new Error(`${name} does not answer as it declares. ${parts.join(' ')}`)
}

/** The parts a schema may have; which ones depends on its type. */
type Parts = v.GenericSchema & {
  entries: Record<string, v.GenericSchema>
  item: v.GenericSchema
  items: v.GenericSchema[]
  key: v.GenericSchema
  value: v.GenericSchema
  wrapped: v.GenericSchema
  default: undefined
  options: v.GenericSchema[]
  rest: v.GenericSchema
  getter: (input: unknown) => v.GenericSchema
  pipe?: [v.GenericSchema, ...v.PipeItem<unknown, unknown, v.BaseIssue<unknown>>[]]
}

const derivedSchemas = new WeakMap<v.GenericSchema, v.GenericSchema>()
const isoText = v.pipe(v.string(), v.isoTimestamp())

function strict(schema: v.GenericSchema): v.GenericSchema {
  const derived = derivedSchemas.get(schema)
  if (derived) return derived
  const match = strictly(schema as Parts)
  derivedSchemas.set(schema, match)
  return match
}

function strictly(schema: Parts): v.GenericSchema {
  if (schema.pipe) {
    const [first, ...rest] = schema.pipe
    // The first item is the schema itself, without its pipe.
    const items = rest.map((item) => (item.kind === 'schema' ? strict(item as v.GenericSchema) : item))
    return v.pipe(strict(first), ...(items as [v.PipeAction<unknown, unknown, v.BaseIssue<unknown>>]))
  }
  switch (schema.type) {
    case 'date':
      return isoText
    case 'object':
    case 'strict_object':
      return v.strictObject(makeEntriesStrict(schema.entries))
    case 'loose_object':
      return v.looseObject(makeEntriesStrict(schema.entries))
    case 'object_with_rest':
      return v.objectWithRest(makeEntriesStrict(schema.entries), strict(schema.rest))
    case 'array':
      return v.array(strict(schema.item))
    case 'tuple':
    case 'strict_tuple':
      return v.strictTuple(schema.items.map(strict))
    case 'record':
      return v.record(schema.key as v.GenericSchema<string>, strict(schema.value))
    case 'nullable':
      return v.nullable(strict(schema.wrapped))
    case 'nullish':
      return v.nullish(strict(schema.wrapped))
    case 'optional':
    case 'exact_optional':
      return v.optional(strict(schema.wrapped))
    case 'union':
    case 'variant':
      return v.union(schema.options.map(strict))
    case 'lazy':
      return v.lazy((input) => strict(schema.getter(input)))
    default:
      return schema
  }
}

function makeEntriesStrict(entries: Record<string, v.GenericSchema>): Record<string, v.GenericSchema> {
  return Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, strict(entry)]))
}
