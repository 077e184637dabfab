import type { Route } from '../routes.ts'
import { refusalName, refusals } from './errors.ts'
import { buildParameters } from './parameters.ts'
import type { Schemas } from './schema.ts'
import type { ApiDescription, Answer, Media, Operation, Reference } from './types.ts'
import { describeRoute, getRouteNoun, summarizeRoute } from './words.ts'
import { table } from '#functions/domain/access/roles.ts'

/** The OpenAPI operation of an endpoint. */
export function buildOperation(route: Route, schemas: Schemas, about: ApiDescription): Operation {
  const example = about.examples[route.name]
  const { endpoint } = route
  const body = buildRequestBody(route, schemas, example?.data)
  return {
    operationId: route.name,
    tags: [getRouteNoun(route)],
    summary: summarizeRoute(route),
    description: describeRoute(route),
    parameters: buildParameters(route, schemas, about, example),
    ...(body && { requestBody: body }),
    responses: { ...buildAnswers(route, schemas, example?.answer), ...buildRefusals(route) },
    security: [
      ...(table[endpoint.allow].includes('anyone') ? [{}] : []),
      { key: [] },
      { bearer: [] },
      { session: [] },
    ],
  }
}

function buildRequestBody({ endpoint }: Route, schemas: Schemas, example: unknown): Operation['requestBody'] {
  const { data, like = data, multipart } = endpoint
  if (!data || !like) return undefined
  const isOptional = data.type === 'optional' || data.type === 'nullish'
  const schema = schemas.getSchema(like)
  const media: Media = { schema, ...(example !== undefined && { example }) }
  return {
    required: !isOptional,
    content: { 'application/json': media, ...(multipart && { 'multipart/form-data': { schema } }) },
  }
}

function buildAnswers(route: Route, schemas: Schemas, example: unknown): Record<string, Answer> {
  const { endpoint, verb, method } = route
  const schema = endpoint.returns ? schemas.getSchema(endpoint.returns) : {}
  const json = { 'application/json': { schema, ...(example !== undefined && { example }) } }
  const file = Object.fromEntries(
    (endpoint.media ?? ['application/octet-stream']).map((type) => [type, { schema: {} }]),
  )
  const content = endpoint.stream ? { ...(endpoint.returns && json), ...file } : json
  const statuses = new Set([verb === 'create' ? 201 : 200, ...(endpoint.statuses ?? [])])
  const answers: Record<string, Answer> = {}
  for (const status of [...statuses].sort())
    answers[status] = { description: meanings[status] ?? 'Done.', ...(status !== 204 && { content }) }
  answers[204] = { description: meanings[204] ?? '' }
  if (method === 'get') answers[304] = { description: meanings[304] ?? '' }
  return answers
}

const meanings: Record<number, string> = {
  200: 'What was asked for.',
  201: 'It was made. Without a body where `response=false`.',
  202: 'It was taken on and goes on by itself.',
  204: 'Done; without a body, because `response=false`.',
  304: 'What the asker has is still so.',
}

function buildRefusals(route: Route): Record<string, Reference> {
  return Object.fromEntries(
    refusals(route).map((status) => [status, { $ref: `#/components/responses/${refusalName(status)}` }]),
  )
}
