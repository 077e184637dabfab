import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { isObject } from '#app/components/builder/json.ts'
import type { TypeDocument } from '#app/components/schema/draft.ts'
import { usableAmong } from '#functions/domain/data-type/visibility.ts'
import { knowledgeKeys, type FieldSchema } from '#functions/shapes/field.ts'
import { isBuiltInSet } from '#functions/shapes/region-sets.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from './load.server.ts'
import { guard, hasPermission } from './session.server.ts'
import { compareNames } from '#functions/shapes/compare-names.ts'

/** Maximum number of named uses of a data type per kind; the rest are counted. */
const maxNamed = 10

interface SourceRow {
  id: string
  name: string
  placeId: string
  visibility: 'public' | 'place' | 'private'
  count: number
}

/** The frame of a data type's screens: name, tabs, and permissions. */
export function typeRights(args: LoaderFunctionArgs, dataType: { ownerPlaceId: string | null }) {
  const { ctx } = args.context
  const isOwn = dataType.ownerPlaceId !== null && dataType.ownerPlaceId === ctx.placeId
  return {
    isOwn,
    mayObserve: hasPermission(ctx, 'observer.read'),
    // Official data types, and those of other places, are changed only by super admins.
    mayModify: ctx.actor.user?.role === 'super_admin' || (isOwn && hasPermission(ctx, 'dataType.update')),
  }
}

/** The data type of the screen with the place's sources of it. */
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

/** The most sets of organizations whose names are loaded for one data type; others are shown by their id. */
const maxSetNames = 20

/** The names of the organizations' sets whose regions fields name, by id; without sets that are no longer there. */
export async function loadSetNames(args: LoaderFunctionArgs, schema: FieldSchema) {
  const ids = Object.values(schema).flatMap(({ region }) =>
    region !== undefined && !isBuiltInSet(region) ? region : [],
  )
  const lists = await Promise.all(
    [...new Set(ids)]
      .slice(0, maxSetNames)
      .map((id) => load(args, { sets: { endpoint: v1.place.boundarySet.offered, options: { id } } })),
  )
  return Object.fromEntries(lists.flatMap(({ sets }) => sets.results.map(({ id, name }) => [id, name])))
}

/** Those of some data types that the place may create sources of; others are private to another place. */
export function usableTypes(args: LoaderFunctionArgs, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { ctx } = args.context
  return usableAmong(ctx, ctx.placeId, ids)
}

/** The insights and observers of the place that use a data type, with totals. */
export async function typeUses(args: LoaderFunctionArgs, dataTypeId: string) {
  const options = { filters: { dataTypeId }, limit: maxNamed }
  const [{ insights }, observers] = await Promise.all([
    load(args, { insights: { endpoint: v1.place.insight.find, options } }),
    hasPermission(args.context.ctx, 'observer.read')
      ? load(args, { found: { endpoint: v1.place.observer.find, options } }).then(({ found: list }) => list)
      : null,
  ])
  const toListSummary = (
    list: { results: { id: string; name: string }[]; meta: { total: number } } | null,
  ) => ({
    some: list?.results.map(({ id, name }) => ({ id, name })) ?? [],
    total: list?.meta.total ?? 0,
  })
  return { insights: toListSummary(insights), observers: toListSummary(observers) }
}

/** The categories in use, sorted by name. */
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

/** The document in a form. Text that is not a JSON object is passed on as the schema, for the endpoint to reject. */
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

/** Adds null for members that the editor left out of a field: omitted members would be kept, null removes them. */
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
