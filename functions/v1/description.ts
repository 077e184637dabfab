import * as v from 'valibot'
import { endpoint } from '#functions/api/endpoint.ts'

const anHour = 'public, max-age=3600'

const SwaggerDocument = v.looseObject({
  swagger: v.literal('2.0'),
  host: v.string(),
  basePath: v.string(),
  paths: v.record(v.string(), v.unknown()),
})

const OpenapiDocument = v.looseObject({
  openapi: v.literal('3.1.0'),
  paths: v.record(v.string(), v.unknown()),
  components: v.record(v.string(), v.unknown()),
})

// The documents are built from the whole tree, which these endpoints are part of: the builder is imported lazily, and most requests
// never load it.

/** The API as Swagger 2.0. */
export const swagger = endpoint({
  allow: 'api.read',
  http: { method: 'get' },
  cache: anHour,
  returns: SwaggerDocument,
  summary: 'The whole API as Swagger 2.0',
  async run(ctx) {
    const { swaggerAt } = await import('./document.ts')
    return swaggerAt(ctx)
  },
})

/** The API as OpenAPI 3.1. */
export const openapi = endpoint({
  allow: 'api.read',
  http: { method: 'get' },
  cache: anHour,
  hidden: true,
  returns: OpenapiDocument,
  summary: 'The whole API as OpenAPI 3.1',
  async run(ctx) {
    const { openapiAt } = await import('./document.ts')
    return openapiAt(ctx)
  },
})

/** The endpoints under one place, as Swagger 2.0 with its id filled in. */
export const placeSwagger = endpoint({
  allow: 'api.read',
  http: { method: 'get', one: true },
  cache: anHour,
  returns: SwaggerDocument,
  summary: 'The API of one place as Swagger 2.0',
  async run(ctx, { params }) {
    const { swaggerAt } = await import('./document.ts')
    return swaggerAt(ctx, { path: '/places/{placeId}', params: { placeId: params.placeId ?? '' } })
  },
})
