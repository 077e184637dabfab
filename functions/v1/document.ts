import answers from './examples/answers.json'
import { examples } from './examples/index.ts'
import { v1 } from './index.ts'
import { nouns } from './nouns.ts'
import { names } from './shape-names.ts'
import { buildOpenapiDocument } from '#functions/api/openapi/document.ts'
import { toSwagger, type ApiLocation } from '#functions/api/openapi/swagger.ts'
import type { ApiDescription, Document } from '#functions/api/openapi/types.ts'
import { routes } from '#functions/api/routes.ts'
import type { Context } from '#functions/context.ts'
import { Id, Slug } from '#functions/shapes/options.ts'

const base = '/v1'

const about: Omit<ApiDescription, 'contact'> = {
  title: 'Commonplace',
  version: '1.0.0',
  description:
    'Open data of places: what they publish, and what their people work with. Options stand in brackets, ' +
    '`filters[0][data.type]=Noise`; one that is too long for an address is sent as POST with ' +
    '`X-HTTP-Method-Override: GET` and a JSON body. Lists are `{ results, meta: { results, total } }`. Times are ISO 8601 ' +
    'in UTC. `GET /v1` is the same as a map of names, for clients.',
  nouns,
  names,
  params: {
    placeId: Slug,
    dataTypeId: Slug,
    sourceId: Id,
    insightId: Id,
    pageId: Id,
    contentId: Id,
    collectionId: Id,
  },
  examples: Object.fromEntries(
    Object.entries(examples).map(([name, { params, options, data }]) => [
      name,
      { params, options, data, answer: (answers as Record<string, unknown>)[name] },
    ]),
  ),
}

let memoizedDocument: Document | undefined

/** The OpenAPI 3.1 document of `/v1` for the requested origin. Built once, except the origin. */
export function openapiAt({ site, settings }: Pick<Context, 'site' | 'settings'>): Document {
  memoizedDocument ??= buildOpenapiDocument(routes(v1), base, { ...about, contact: settings.supportUrl })
  return { ...memoizedDocument, servers: [{ url: `${site.origin}${base}` }] }
}

/** The Swagger 2.0 document of `/v1`, or of the endpoints under one path. */
export function swaggerAt(
  ctx: Pick<Context, 'site' | 'settings'>,
  under?: ApiLocation['under'],
): ReturnType<typeof toSwagger> {
  return toSwagger(openapiAt(ctx), { origin: ctx.site.origin, base, under })
}
