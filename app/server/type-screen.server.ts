import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { isObject } from '#app/components/builder/json.ts'
import type { TypeDocument } from '#app/components/schema/draft.ts'
import { usableAmong } from '#functions/domain/dataType/visibility.ts'
import { knowledgeKeys } from '#functions/shapes/field.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from './load.server.ts'
import { guard, may } from './session.server.ts'
import { compareNames } from '#functions/shapes/compareNames.ts'

/** So many things of a kind are named where a data type is used; the rest are counted. */
const mostNamed = 10

interface SourceRow {
  id: string
  name: string
  placeId: string
  visibility: 'public' | 'place' | 'private'
  count: number
}

/** What every screen of a data type shows around it: its name, its tabs, and what the person may do. */
export function typeRights(args: LoaderFunctionArgs, dataType: { ownerPlaceId: string | null }) {
  const { ctx } = args.context
  const isOwn = dataType.ownerPlaceId !== null && dataType.ownerPlaceId === ctx.placeId
  return {
    isOwn,
    mayObserve: may(ctx, 'observer.read'),
    // Official ones, and those of other places, are changed by super admins only.
    mayModify: ctx.actor.user?.role === 'super_admin' || (isOwn && may(ctx, 'dataType.update')),
  }
}

/** The data type of the screen with the sources that the place has of it. */
export async function typeWithSources(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'withPlace')
  const sourcesHere = { resource: 'sources', filters: { placeId }, limit: 100 }
  const { dataType } = await load(args, {
    dataType: { endpoint: v1.dataType.findById, options: { includes: [sourcesHere] } },
  })
  return {
    dataType,
    schema: dataType.schema,
    sources: (dataType as { sources?: SourceRow[] }).sources ?? [],
  }
}

/** Which of some data types the place may make sources of: others are of another place, which shows them to its people only. */
export function usableTypes(args: LoaderFunctionArgs, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { ctx } = args.context
  return usableAmong(ctx, ctx.placeId, ids)
}

/** What of the place names a data type: insights and observers, each with their number in all. */
export async function typeUses(args: LoaderFunctionArgs, dataTypeId: string) {
  const options = { filters: { dataTypeId }, limit: mostNamed }
  const [{ insights }, observers] = await Promise.all([
    load(args, { insights: { endpoint: v1.place.insight.find, options } }),
    may(args.context.ctx, 'observer.read')
      ? load(args, { found: { endpoint: v1.place.observer.find, options } }).then(({ found: list }) => list)
      : null,
  ])
  const firstOf = (list: { results: { id: string; name: string }[]; meta: { total: number } } | null) => ({
    some: list?.results.map(({ id, name }) => ({ id, name })) ?? [],
    total: list?.meta.total ?? 0,
  })
  return { insights: firstOf(insights), observers: firstOf(observers) }
}

/** The categories in use, by name. */
export async function categoriesInUse(args: LoaderFunctionArgs): Promise<string[]> {
  const { all } = await load(args, { all: { endpoint: v1.dataType.find, options: { limit: 1000 } } })
  return [...new Set(all.results.flatMap(({ category }) => category ?? []))].sort((a, b) =>
    compareNames(a, b),
  )
}

/** The parts of a data type that its editor changes. */
export function documentOfType(dataType: TypeDocument | { schema: unknown }): TypeDocument {
  const { schema, temporal = null, mappingLabelSchema = null } = dataType as Partial<TypeDocument>
  return { schema: schema ?? {}, temporal, mappingLabelSchema }
}

/** The document in a form. A text that is no JSON object is given on as the schema, to be refused as one. */
export function documentIn(form: FormData): {
  schema: unknown
  temporal?: unknown
  mappingLabelSchema?: unknown
  renames?: unknown
} {
  const text = form.get('document')
  try {
    const json: unknown = JSON.parse(typeof text === 'string' ? text : '')
    if (!isObject(json)) return { schema: json }
    const { schema, temporal, mappingLabelSchema, renames } = json
    return {
      schema: isObject(schema) ? withRemovals(schema) : schema,
      ...(temporal === undefined ? {} : { temporal }),
      ...(mappingLabelSchema === undefined ? {} : { mappingLabelSchema }),
      ...(renames === undefined ? {} : { renames }),
    }
  } catch {
    return { schema: text }
  }
}

/** What a field does not know in the editor it is not to know: a member that is left out would be kept, null removes it. */
function withRemovals(schema: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).map(([key, field]) => [key, fieldWithRemovals(field)]))
}

function fieldWithRemovals(field: unknown): unknown {
  if (!isObject(field)) return field
  const { items, schema } = field
  return {
    precision: null,
    regionOf: null,
    ...Object.fromEntries(knowledgeKeys.map((key) => [key, null])),
    ...field,
    ...(items !== undefined && { items: fieldWithRemovals(items) }),
    ...(isObject(schema) && { schema: withRemovals(schema) }),
  }
}
