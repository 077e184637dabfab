import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { ReferenceEndpoint, ReferenceField, ReferenceHead, ReferenceNoun } from './endpoint.ts'
import { table } from '#functions/domain/access/roles.ts'
import type { Document, Operation, Schema } from '#functions/api/openapi/types.ts'
import { routes, type Route } from '#functions/api/routes.ts'
import { v1 } from '#functions/v1/index.ts'
import { formatCurlCommand, formatClientCall } from './reference-examples.server.ts'

/** Up to so many endpoints are shown in full, more as a list. */
const maxWhole = 20

/** The scope of a reference page: what is public or for source keys, or the whole API. */
export type Part = 'public' | 'whole'

/** The data of a reference page: the nouns; the endpoints of the selected noun or of a search, in full. */
export async function reference(args: LoaderFunctionArgs, part: Part) {
  const { openapiAt } = await import('#functions/v1/document.ts')
  const { examples } = await import('#functions/v1/examples/index.ts')
  const { ctx } = args.context
  const document = openapiAt(ctx)
  const { searchParams } = new URL(args.request.url)
  const search = (searchParams.get('search') ?? '').trim().slice(0, 100)
  const noun = searchParams.get('noun')
  const partRoutes = routes(v1).filter((route) => part === 'whole' || isPublic(route))
  const heads = partRoutes.map((route) => buildReferenceHead(route, document))
  const hits = heads.filter((head) => matches(head, search))
  const nouns = groupByNoun(search ? hits : heads, document)
  const selectedNoun = nouns.find(({ name }) => name === noun)?.name ?? null
  const wholeHeads = selectedNoun
    ? (nouns.find(({ name }) => name === selectedNoun)?.endpoints ?? [])
    : search && hits.length <= maxWhole
      ? hits
      : []
  const whole = wholeHeads.flatMap(({ name }): ReferenceEndpoint[] => {
    const route = partRoutes.find((each) => each.name === name)
    return route
      ? [buildReferenceEndpoint(route, document, examples[name] ?? {}, `${ctx.site.origin}/v1`)]
      : []
  })
  return { part, search, chosen: selectedNoun, nouns, whole, count: hits.length }
}

/** Whether an endpoint is useful to programs outside of the team. */
function isPublic({ name, endpoint }: Route): boolean {
  const who: readonly string[] = table[endpoint.allow]
  const isOpen = who.includes('anyone') && !name.startsWith('core.')
  return isOpen || who.includes('sourceKey')
}

function getOperation({ path, method }: Route, { paths }: Document): Operation {
  return paths[path.replace(/:(\w+)/g, '{$1}')]?.[method] as Operation
}

function buildReferenceHead(route: Route, document: Document): ReferenceHead {
  const { summary, tags } = getOperation(route, document)
  const path = `/v1${route.path.replace(/:(\w+)/g, '{$1}')}`
  return { name: route.name, noun: tags[0] ?? '', method: route.method.toUpperCase(), path, summary }
}

function matches({ name, path, summary }: ReferenceHead, search: string): boolean {
  const text = `${name} ${path} ${summary}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function groupByNoun(heads: ReferenceHead[], { tags }: Document): ReferenceNoun[] {
  return tags.flatMap(({ name, description }) => {
    const endpoints = heads.filter(({ noun }) => noun === name)
    return endpoints.length ? [{ name, sentence: description, endpoints }] : []
  })
}

function buildReferenceEndpoint(
  route: Route,
  document: Document,
  example: { params?: Record<string, string>; options?: Record<string, unknown>; data?: unknown },
  base: string,
): ReferenceEndpoint {
  const operation = getOperation(route, document)
  const body = operation.requestBody?.content['application/json']?.schema
  const answers = Object.values(operation.responses).find((answer) => 'content' in answer)
  const content = answers && 'content' in answers ? Object.entries(answers.content ?? {}) : []
  const [type, media] = content[0] ?? ['', undefined]
  const isJson = type === 'application/json'
  const fields = body ? bodyFields(body, document) : []
  return {
    ...buildReferenceHead(route, document),
    description: operation.description,
    parameters: listParameters(operation, document),
    body: fields,
    bodyType: body && !fields.length ? describeSchemaType(body) : '',
    answerType: isJson ? describeSchemaType(media?.schema ?? {}) : content.map(([each]) => each).join(', '),
    curl: formatCurlCommand(route, example, base, table[route.endpoint.allow].includes('anyone')),
    sdk: formatClientCall(route, example),
    answer: media?.example === undefined ? null : JSON.stringify(media.example, null, 2),
    refusals: Object.entries(operation.responses).flatMap(([status, answer]) =>
      '$ref' in answer ? [{ status, meaning: getResponseMeaning(answer.$ref, document) }] : [],
    ),
  }
}

function getResponseMeaning(ref: string, { components }: Document): string {
  return components.responses[ref.split('/').at(-1) ?? '']?.description ?? ''
}

function listParameters({ parameters }: Operation, { components }: Document): ReferenceField[] {
  return parameters.flatMap((each) => {
    const parameter = '$ref' in each ? components.parameters[each.$ref.split('/').at(-1) ?? ''] : each
    if (!parameter) return []
    const { name, in: where, required = false, description: notes = '', schema } = parameter
    return [{ name, where, type: describeSchemaType(schema), isRequired: required, notes }]
  })
}

function bodyFields(schema: Schema, document: Document): ReferenceField[] {
  const { $ref } = schema
  if (typeof $ref === 'string')
    return bodyFields(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}, document)
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, part]) => ({
    name,
    where: '',
    type: describeSchemaType(part),
    isRequired: required.includes(name),
    notes: typeof part.description === 'string' ? part.description : '',
  }))
}

/** A schema in a few words: its type, without details. */
export function describeSchemaType(schema: Schema): string {
  const {
    $ref,
    type,
    anyOf,
    enum: values,
    items,
    format,
  } = schema as Schema & {
    anyOf?: Schema[]
    enum?: unknown[]
    items?: Schema
  }
  if (typeof $ref === 'string') return $ref.split('/').at(-1) ?? ''
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (anyOf) return [...new Set(anyOf.map(describeSchemaType))].join(' | ')
  if (type === 'array') return `list of ${items ? describeSchemaType(items) : 'anything'}`
  if (Array.isArray(type)) return (type as string[]).join(' | ')
  if (typeof type === 'string') return typeof format === 'string' ? `${type} (${format})` : type
  return 'anything'
}
