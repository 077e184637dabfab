import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/cloudflare'
import { unpack } from '#app/components/builder/address.ts'
import type { BuilderDataType } from '#app/components/builder/data-clause.tsx'
import { draftIn, firstQuery, visualizationIn, type Draft } from '#app/components/builder/draft.ts'
import { parseJoinItem } from '#app/components/builder/join-target.ts'
import { isObject } from '#app/components/builder/json.ts'
import { fillTemplate } from '#app/components/builder/template-fill.ts'
import type { Preview } from '#app/components/builder/preview.tsx'
import type { BuilderField } from '#app/components/builder/values.ts'
import { languageOperators } from '#functions/domain/dataset/language.ts'
import { isAmount, type FieldSchema } from '#functions/shapes/field.ts'
import { v1 } from '#functions/v1/index.ts'
import { loadPreview } from './builder-preview.server.ts'
import { parseFormTags } from './form-values.server.ts'
import { load } from './load.server.ts'
import { requirePermission } from './require-permission.server.ts'
import { loadUses } from './uses.server.ts'

type DataType = BuilderDataType & { schema: FieldSchema }

/** Number of sources of a data type that are offered by name; more are reached from the list of sources. */
export const sourcesOffered = 99

/**
 * The data types of the place with the sources visible to its members, at most `sourcesOffered` of each by name, and always the
 * `named` ones; those without sources are left out, as there is nothing to query. `hasMore`: some sources are not offered.
 */
async function listDataTypes(
  args: LoaderFunctionArgs,
  placeId: string,
  namedIds: readonly string[],
): Promise<DataType[]> {
  const limit = sourcesOffered + 1
  const sources = { resource: 'sources', attributes: ['id', 'name'], filters: { placeId }, limit }
  const [{ dataTypes }, namedSources] = await Promise.all([
    load(args, {
      dataTypes: { endpoint: v1.place.dataType.find, options: { includes: [sources], limit: 1000 } },
    }),
    sourcesNamed(args, namedIds),
  ])
  return dataTypes.results.map((each) => {
    const all = (each as { sources?: { id: string; name: string }[] }).sources ?? []
    const firstSources = all.slice(0, sourcesOffered)
    const ids = new Set(firstSources.map(({ id }) => id))
    const others = namedSources.filter(({ id, dataTypeId }) => dataTypeId === each.id && !ids.has(id))
    return {
      ...{ id: each.id, name: each.name, category: each.category, schema: each.schema },
      sources: [...firstSources, ...others].map(({ id, name }) => ({ id, name })),
      hasMore: all.length > sourcesOffered,
    }
  })
}

/** The sources of the place with these ids; empty without ids. */
async function sourcesNamed(args: LoaderFunctionArgs, ids: readonly string[]) {
  if (ids.length === 0) return []
  const { sources } = await load(args, {
    sources: {
      endpoint: v1.place.source.find,
      options: { filters: { id: { $in: ids } }, limit: ids.length },
    },
  })
  return sources.results
}

/** The ids of the sources that a draft is about: its own, and those of its joins. */
function sourcesIn(draft: Pick<Draft, 'sourceId' | 'query'> | null): string[] {
  const joins = draft && Array.isArray(draft.query.joins) ? (draft.query.joins as unknown[]) : []
  const ids = [draft?.sourceId, ...joins.map((join) => parseJoinItem(join)?.sourceId)]
  return [...new Set(ids.filter((id): id is string => typeof id === 'string'))]
}

/** The operators of filters, as the query language defines them. */
export const listOperators = languageOperators

/** The functions of the query language and the fields of a data type, for the builder. */
export async function loadQueryLanguage(args: LoaderFunctionArgs, dataTypeId: string) {
  const { functions, fields } = await load(args, {
    functions: v1.insight.functions,
    fields: { endpoint: v1.place.dataType.fields, params: { dataTypeId } },
  })
  return {
    functions,
    fields: fields.results.map((entry): BuilderField => {
      const { field, name, type, precision, items } = entry
      return {
        precision,
        field,
        name,
        type,
        ...(items ? { items: { type: items.type } } : {}),
        ...(type === 'number' ? { isAmount: isAmount(entry) } : {}),
      }
    }),
    operators: listOperators(),
  }
}

/** The draft in the URL; null without one. */
async function linkedDraft(args: LoaderFunctionArgs): Promise<Draft | null> {
  const q = new URL(args.request.url).searchParams.get('q')
  return q ? draftIn(await unpack(q)) : null
}

/** The builder for a draft: the language, and a preview of its current result. */
async function withDraft(args: LoaderFunctionArgs, start: Draft) {
  const [language, preview] = await Promise.all([
    loadQueryLanguage(args, start.dataTypeId),
    loadPreview(args, start),
  ])
  return { start, language, preview }
}

/** The screen that creates an insight: from the query in the URL, from a template, or with the choice of data and template. */
export async function createScreen(args: LoaderFunctionArgs) {
  const { placeId } = await requirePermission(args, 'insight.create', '/collections/inventory')
  const { origin } = args.context.ctx.site
  const { searchParams } = new URL(args.request.url)
  const draft = await linkedDraft(args)
  const sourceId = searchParams.get('source')
  const all = await listDataTypes(args, placeId, draft ? sourcesIn(draft) : sourceId ? [sourceId] : [])
  const about = { placeId, origin, dataTypes: all.map(({ schema: _schema, ...each }) => each) }
  if (draft) return { ...about, step: 'build' as const, ...(await withDraft(args, draft)), name: '' }
  const dataType =
    all.find(({ sources }) => sources.some(({ id }) => id === sourceId)) ??
    all.find(({ id }) => id === searchParams.get('dataType'))
  if (!dataType) return { ...about, step: 'data' as const }
  const { templates } = await load(args, { templates: v1.insight.templates })
  const offers = templates.flatMap((template) => {
    if (template.category !== dataType.category) return []
    const query = fillTemplate(template, dataType.schema)
    return query ? [{ ...template, query }] : []
  })
  const templateId = searchParams.get('template')
  if (templateId === null && offers.length) {
    const templatesOffered = offers.map(({ id, name, notes, visualization }) => ({
      ...{ id, name, notes },
      type: String(visualization.type),
    }))
    return { ...about, step: 'template' as const, dataType: dataType.name, templates: templatesOffered }
  }
  const template = offers.find(({ id }) => id === templateId)
  const start: Draft = {
    dataTypeId: dataType.id,
    sourceId: dataType.sources.some(({ id }) => id === sourceId) ? sourceId : null,
    query: template?.query ?? firstQuery,
    visualization: template ? visualizationIn(template.visualization) : null,
  }
  return { ...about, step: 'build' as const, ...(await withDraft(args, start)), name: template?.name ?? '' }
}

/** The screen that edits an insight: as saved, or with the unsaved changes in the URL. */
export async function modifyScreen(args: LoaderFunctionArgs) {
  const { placeId } = await requirePermission(args, 'insight.update', `/insights/${args.params.insightId}`)
  const [{ insight }, draft] = await Promise.all([
    load(args, { insight: v1.place.insight.findById }),
    linkedDraft(args),
  ])
  const { dataTypeId, sourceId, query } = insight
  const savedDraft: Draft = {
    dataTypeId,
    sourceId,
    query,
    visualization: visualizationIn(insight.visualization),
  }
  const start = draft?.dataTypeId === dataTypeId ? { ...draft, sourceId } : savedDraft
  const [dataTypes, uses] = await Promise.all([
    listDataTypes(args, placeId, sourcesIn(start)),
    loadUses(args, 'insight', [insight.id]),
  ])
  return {
    insight,
    uses: uses[insight.id] ?? [],
    placeId,
    origin: args.context.ctx.site.origin,
    dataTypes: dataTypes.map(({ schema: _schema, ...each }) => each),
    ...(await withDraft(args, start)),
  }
}

/** Reads an insight from a form of the builder. Texts that are not JSON are passed on as they are, for the endpoint to reject. */
export function insightIn(form: FormData) {
  const visualization = visualizationIn(jsonIn(form.get('visualization')))
  const type = form.get('type')
  return {
    name: form.get('name'),
    notes: form.get('notes') ?? '',
    visibility: form.get('visibility'),
    tags: parseFormTags(form),
    query: jsonIn(form.get('query')),
    visualization: typeof type === 'string' && type !== visualization?.type ? { type } : visualization,
  }
}

/** Handles the preview intent of a builder form: the preview, and the submitted values; null for other intents. */
export async function previewIn(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData()
  if (form.get('intent') !== 'preview') return null
  await requirePermission(args, 'insight.update')
  const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const formValues: Record<string, string> = Object.fromEntries(texts)
  return { ok: true as const, intent: 'preview' as const, result: await answerIn(args, form), formValues }
}

async function answerIn(args: ActionFunctionArgs, form: FormData): Promise<Preview> {
  const { query, visualization } = insightIn(form)
  if (!isObject(query)) return { ok: false, message: 'The question is not valid JSON.', issues: [] }
  return loadPreview(args, {
    dataTypeId: String(form.get('dataTypeId')),
    sourceId: String(form.get('sourceId') ?? '') || null,
    query,
    visualization: visualizationIn(visualization),
  })
}

function jsonIn(text: FormDataEntryValue | null): unknown {
  if (typeof text !== 'string' || text === '') return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
