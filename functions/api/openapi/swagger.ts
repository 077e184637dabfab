import { mapValues } from '#functions/platform/map-values.ts'
import { olderSchema } from './older-schema.ts'
import { findReachable } from './reach.ts'
import type { Answer, Document, Operation, Parameter, Reference, Schema } from './types.ts'

/** The URL of the API in a Swagger document, and (optionally) the part of the API that is described. */
export interface ApiLocation {
  /** The origin of the API, as https://hub.example. */
  origin: string
  base: string
  /** Only what is under this path, with its parameters filled in: `/places/{placeId}` and `{ placeId: 'oakton' }`. */
  under?: { path: string; params: Record<string, string> }
}

/** Converts an OpenAPI 3.1 document to Swagger 2.0, as far as 2.0 can express it. */
export function toSwagger(document: Document, at: ApiLocation) {
  const { protocol, host } = new URL(at.origin)
  const { info, components } = document
  const paths = Object.entries(document.paths).flatMap(([path, operations]): [string, Schema][] => {
    const displayPath = findDisplayPath(path, at)
    if (displayPath === null) return []
    const entries = Object.entries(operations).map(([method, operation]) => [
      method,
      operationIn2(operation, document, at),
    ])
    return [[displayPath, Object.fromEntries(entries) as Schema]]
  })
  const usedTags = new Set(paths.flatMap(([, operations]) => Object.values(operations).flatMap(getTags)))
  const definitions = mapValues(components.schemas, olderSchema)
  const responses = mapValues(components.responses, answerIn2)
  const reachable = findReachable([paths, responses], definitions, '#/definitions/')
  return {
    swagger: '2.0' as const,
    info,
    host,
    basePath: at.base,
    schemes: [protocol.replace(':', '')],
    consumes: ['application/json'],
    produces: ['application/json'],
    tags: document.tags.filter(({ name }) => usedTags.has(name)),
    securityDefinitions: {
      key: components.securitySchemes.key,
      bearer: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: '`Bearer` and a key. The session of a browser, a cookie, cannot be said in this format.',
      },
    },
    paths: Object.fromEntries(paths),
    responses,
    definitions: Object.fromEntries(Object.entries(definitions).filter(([name]) => reachable.has(name))),
  }
}

/** A path as the document shows it; null when it is not in the part that is described. */
function findDisplayPath(path: string, { under }: ApiLocation): string | null {
  if (!under) return path
  if (path !== under.path && !path.startsWith(`${under.path}/`)) return null
  return path.replace(/\{(\w+)\}/g, (match, name: string) => under.params[name] ?? match)
}

function operationIn2(operation: Operation, document: Document, { under }: ApiLocation): Schema {
  const { operationId, tags, summary, description, requestBody, responses, security } = operation
  const parameters = operation.parameters
    .map((parameter) => resolve(parameter, document))
    .filter((parameter) => !(parameter.in === 'path' && Object.hasOwn(under?.params ?? {}, parameter.name)))
    .map(parameterIn2)
  const body = requestBody && {
    name: 'body',
    in: 'body',
    required: requestBody.required,
    schema: olderSchema(requestBody.content['application/json']?.schema ?? {}),
  }
  const types = Object.values(responses).flatMap((answer) =>
    'content' in answer ? Object.keys(answer.content ?? {}) : [],
  )
  return {
    operationId,
    tags,
    summary,
    description,
    ...(types.some((type) => type !== 'application/json') && { produces: [...new Set(types)] }),
    parameters: body ? [...parameters, body] : parameters,
    responses: mapValues(responses, (answer) =>
      '$ref' in answer ? { $ref: answer.$ref.replace('#/components/', '#/') } : answerIn2(answer),
    ),
    security: security.filter((each) => !('session' in each)),
  }
}

function resolve(parameter: Parameter | Reference, { components }: Document): Parameter {
  if (!('$ref' in parameter)) return parameter
  return components.parameters[parameter.$ref.split('/').at(-1) ?? ''] as Parameter
}

/** Outside of bodies 2.0 has only texts, numbers and lists of them: anything else is JSON text. */
function parameterIn2({ name, in: where, required, description, schema, style }: Parameter): Schema {
  const base = { name, in: where, ...(required && { required }), ...(description && { description }) }
  if (style === 'deepObject') return { ...base, type: 'string', format: 'json' }
  const older = toParameterSchema(olderSchema(schema))
  return { ...base, ...older }
}

/** The part of a schema that a parameter may have. */
function toParameterSchema(schema: Schema): Schema {
  const {
    $ref: _ref,
    description: _said,
    'x-anyOf': any,
    'x-nullable': _null,
    items,
    allOf: _all,
    ...rest
  } = schema
  const parts = Array.isArray(any) ? (any as Schema[]) : []
  if (rest.type === 'array' || parts.some(({ type }) => type === 'array')) {
    const inner = (items ?? parts.find(({ type }) => type === 'array')?.items ?? {}) as Schema
    return {
      ...rest,
      type: 'array',
      collectionFormat: 'multi',
      items: { type: 'string', ...toParameterSchema(inner) },
    }
  }
  return { ...rest, type: typeof rest.type === 'string' && rest.type !== 'object' ? rest.type : 'string' }
}

function answerIn2({ description, content }: Answer): Schema {
  const [type, media] = Object.entries(content ?? {})[0] ?? []
  if (!media || !type) return { description }
  const isJson = type === 'application/json' && Object.keys(media.schema).length > 0
  return {
    description,
    schema: isJson ? olderSchema(media.schema) : { type: 'file' },
    ...(media.example !== undefined && { examples: { [type]: media.example } }),
  }
}

function getTags(operation: unknown): string[] {
  return (operation as Operation).tags
}
