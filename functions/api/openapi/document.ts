import type { GenericSchema } from 'valibot'
import type { Route } from '../routes.ts'
import { errorSchemas, buildErrorResponses } from './errors.ts'
import { buildOperation } from './operation.ts'
import { sharedParameters } from './parameters.ts'
import { toJsonSchemas } from './schema.ts'
import type { ApiDescription, Document } from './types.ts'
import { getRouteNoun } from './words.ts'

/** The ways to authenticate. */
const securitySchemes = {
  key: {
    type: 'apiKey',
    in: 'query',
    name: 'key',
    description: 'An account key, or the write key of a source.',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same keys, in a header.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-session',
    description: 'The session of a browser on our own pages.',
  },
}

/** The OpenAPI 3.1 document of some routes under a base address. */
export function buildOpenapiDocument(all: Route[], server: string, about: ApiDescription): Document {
  const shapes = all.flatMap(({ path, endpoint }) => [
    endpoint.options,
    endpoint.like ?? endpoint.data,
    endpoint.returns,
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => about.params[name ?? '']),
  ])
  // Options are expanded into parameters, so a named schema for them would never be referenced.
  const options = new Set(all.map(({ endpoint }) => endpoint.options))
  const schemas = toJsonSchemas(
    Object.fromEntries(Object.entries(about.names).filter(([, shape]) => !options.has(shape))),
    shapes.filter((shape): shape is GenericSchema => shape !== undefined),
  )
  const paths: Document['paths'] = {}
  for (const route of all) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: buildOperation(route, schemas, about) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: about.title,
      version: about.version,
      description: about.description,
      contact: { name: about.title, url: about.contact },
    },
    servers: [{ url: server }],
    tags: buildTags(all, about),
    paths,
    components: {
      schemas: { ...schemas.named, ...errorSchemas },
      parameters: sharedParameters,
      responses: buildErrorResponses(),
      securitySchemes,
    },
  }
}

/** The nouns in the order of the tree, each with its sentence. */
function buildTags(all: Route[], { nouns }: ApiDescription): Document['tags'] {
  return [...new Set(all.map(getRouteNoun))].map((name) => ({
    name,
    description: nouns[name] ?? nouns[name.split('.').at(-1) ?? ''] ?? name,
  }))
}
