import type { Route } from '../routes.ts'
import type { Schemas } from './schema.ts'
import type { ApiDescription, Example, Parameter, Reference, Schema } from './types.ts'

/** Parameters that many endpoints share, by name. */
export const sharedParameters: Record<string, Parameter> = {
  response: {
    name: 'response',
    in: 'query',
    description: 'With `false` the answer has no body.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'The version that is to be changed or deleted; 409 when there is a newer one. `version` in the body of a change does the same.',
    schema: { type: 'string' },
  },
  ifNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an answer one has; 304 when it still holds.',
    schema: { type: 'string' },
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same request sent again with the same key is done once and answered the same.',
    schema: { type: 'string', minLength: 1, maxLength: 200 },
  },
}

/** The parameters of a route: of its path, its options, and those shared by all routes of its kind. */
export function buildParameters(
  route: Route,
  schemas: Schemas,
  about: Pick<ApiDescription, 'params'>,
  example: Example | undefined,
): (Parameter | Reference)[] {
  const inPath = namesIn(route.path).map((name): Parameter => {
    const shape = about.params[name]
    const value = example?.params?.[name]
    return {
      name,
      in: 'path',
      required: true,
      schema: shape ? schemas.getSchema(shape) : { type: 'string', minLength: 1 },
      ...(value !== undefined && { example: value }),
    }
  })
  return [...inPath, ...buildOptionParameters(route, schemas, example), ...listSharedParameters(route)]
}

/** The names of the parameters of a path, in order. */
const namesIn = (path: string) => [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')

function listSharedParameters({ method, verb, endpoint }: Route): Reference[] {
  const names = ['response']
  if (method === 'get' && !endpoint.stream) names.push('ifNoneMatch')
  if (verb === 'updateById' || endpoint.versioned) names.push('ifMatch')
  if (verb === 'create' && !endpoint.shownOnce) names.push('idempotencyKey')
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
}

function buildOptionParameters(
  { endpoint }: Route,
  schemas: Schemas,
  example: Example | undefined,
): Parameter[] {
  if (!endpoint.options) return []
  const { properties = {}, required = [] } = schemas.getSchema(endpoint.options) as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = schema
    const structured = isStructured(rest)
    const text = [description, structured && notes].filter(Boolean).join(' ')
    const value = example?.options?.[name]
    return {
      name,
      in: 'query',
      ...(required.includes(name) && { required: true }),
      ...(text && { description: text }),
      style: structured ? 'deepObject' : 'form',
      explode: true,
      schema: rest,
      ...(value !== undefined && { example: value }),
    }
  })
}

const notes = 'In brackets, as `name[key][0]=…`, or as JSON.'

/** Whether an option is an object, whose keys are written in brackets. A list of texts repeats its key. */
function isStructured(schema: Schema): boolean {
  const { type, anyOf, items } = schema as { type?: unknown; anyOf?: Schema[]; items?: Schema }
  const types = Array.isArray(type) ? type : [type]
  if (types.includes('object')) return true
  if (types.includes('array')) return items ? isStructured(items) : false
  return anyOf?.some(isStructured) ?? false
}
