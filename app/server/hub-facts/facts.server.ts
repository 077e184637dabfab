import { dependsOn } from '#functions/platform/cache/depends.ts'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { getFieldUnit } from '#functions/engine/chart/format.ts'
import { load } from '#app/server/load.server.ts'
import { getPageLanguage } from '#app/server/page-language.server.ts'
import { requireShownSource, listDownloadFiles } from '#app/server/offered-files.server.ts'
import { memoize } from '#functions/platform/cache/memo.ts'
import type { Context } from '#functions/context.ts'
import { readPeriods } from '#functions/domain/dataset/periods.ts'
import { listMetadataFields } from '#functions/domain/source/custom-fields.ts'
import { customTextsIn } from '#app/server/untranslated.server.ts'
import type { CustomField, CustomValues } from '#functions/shapes/custom-field.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { Locale } from '#functions/shapes/locale.ts'
import type {
  DatasetFacts,
  DatasetMetadata,
  DatasetTexts,
  HubFacts,
  StoryFacts,
} from '#functions/engine/catalogue/facts.ts'
import { isHidden } from '#functions/edge/hub/hub-pages.ts'
import { hostname, placeUrl } from '#functions/engine/address/urls.ts'
import { v1 } from '#functions/v1/index.ts'

/** Page size, and maximum number of pages that are read of a list. */
const page = '1000'
const maxPages = 20

/** The canonical origin of the hub, for search engines; no trailing slash. */
export function hubOrigin({ site, settings }: Context): string {
  if (site.mode !== 'hub') throw new Error('Only hubs have an address of their own.')
  return placeUrl({ id: site.placeId, domains: [site.canonicalHost] }, settings)
}

/** Metadata of the hub itself. `rows`: the listed items, for the date of the newest one. */
export async function hubFacts(
  args: LoaderFunctionArgs,
  rows: { updatedAt: string }[] = [],
): Promise<HubFacts> {
  const { ctx } = args.context
  const { place } = await load(args, { place: v1.place.findById })
  const newest = rows.reduce((last, { updatedAt }) => (updatedAt > last ? updatedAt : last), '')
  return {
    origin: hubOrigin(ctx),
    authority: `${place.id}.${hostname(ctx.settings.publicHost)}`,
    since: iso(place.createdAt).slice(0, 10),
    name: place.displayName,
    description: place.description,
    language: getPageLanguage(ctx),
    email: /<([^<>]+)>\s*$/.exec(ctx.settings.mailFrom)?.[1] ?? ctx.settings.mailFrom,
    updatedAt: newest || null,
  }
}

/** The public sources of the place by name, and its data types, in the page's language. */
export async function sourcesAndTypes(args: LoaderFunctionArgs) {
  const [{ dataTypes }, sources] = await Promise.all([
    load(args, {
      dataTypes: { endpoint: v1.place.dataType.find, options: { maxVisibility: 'public', limit: page } },
    }),
    loadAllRows(
      async (paging) =>
        (
          await load(args, {
            sources: { endpoint: v1.place.source.find, options: { maxVisibility: 'public', ...paging } },
          })
        ).sources,
    ),
  ])
  return { dataTypes: dataTypes.results, sources }
}

/**
 * All public sources that the hub shows, by name, with data type and period of their records (null: unknown). Adds no dependencies:
 * that is up to callers that show their numbers.
 */
export async function listHubSources(args: LoaderFunctionArgs) {
  const { ctx } = args.context
  const placeId = ctx.placeId ?? ''
  const { dataTypes, sources } = await sourcesAndTypes(args)
  const types = new Map(dataTypes.map((type) => [type.id, type]))
  const dates = new Map(
    dataTypes.flatMap(({ id, temporal }) => (temporal ? [[id, temporal.primary] as const] : [])),
  )
  const periods = await periodsIn(ctx, placeId, dates)
  return sources.flatMap((source) => {
    const type = types.get(source.dataTypeId)
    if (!type || isHidden(placeId, type.id)) return []
    return [{ source, type, period: periods.get(source.id) ?? null }]
  })
}

/** All public sources that the hub shows, by name. Adds the dependency on the data of each. */
export async function datasets(args: LoaderFunctionArgs): Promise<DatasetFacts[]> {
  const { ctx } = args.context
  const sources = await listHubSources(args)
  dependsOn(ctx, { rows: { source: sources.map(({ source }) => source.id) } })
  const fields = await listCustomFields(
    ctx,
    sources.map(({ source }) => source),
  )
  return Promise.all(
    sources.map(async ({ source, type, period }) =>
      buildDatasetFacts(hubOrigin(ctx), source, type, period, await customTextsIn(ctx, source, fields)),
    ),
  )
}

/** The translations of public sources into the other languages of the hub, by id; untranslated texts are left out. */
export async function translatedTexts(args: LoaderFunctionArgs): Promise<Map<string, DatasetTexts[]>> {
  const { context } = args
  const { site } = context.ctx
  const texts = new Map<string, DatasetTexts[]>()
  if (site.mode !== 'hub') return texts
  const loadInLocale = (locale: Locale) =>
    sourcesAndTypes({ ...args, context: { ...context, ctx: { ...context.ctx, site: { ...site, locale } } } })
  const [ownLanguage, ...others] = site.languages
  const own = await loadInLocale(ownLanguage)
  for (const language of others) {
    const { dataTypes, sources } = await loadInLocale(language)
    const types = new Map(dataTypes.map((type) => [type.id, type]))
    const ownTypes = new Map(own.dataTypes.map((type) => [type.id, type]))
    const ownSources = new Map(own.sources.map((source) => [source.id, source]))
    for (const source of sources) {
      const [type, before] = [types.get(source.dataTypeId), ownSources.get(source.id)]
      const typeBefore = ownTypes.get(source.dataTypeId)
      if (!type || !before || !typeBefore) continue
      const differing = textsIn(language, [source, type], [before, typeBefore])
      if (Object.keys(differing).length > 2 || differing.keywords.length > 0)
        texts.set(source.id, [...(texts.get(source.id) ?? []), differing])
    }
  }
  return texts
}

type TextRows = [
  source: { name: string; notes: string; topic: string | null; tags: string[] },
  type: { name: string; category: string | null; notes: string },
]

/** The texts of a source that differ from the hub's own language. */
function textsIn(language: Locale, [source, type]: TextRows, [before, typeBefore]: TextRows): DatasetTexts {
  const description = source.notes || type.notes
  const topic = source.topic ?? type.category
  const isTopicSaid = topic !== null && topic !== (before.topic ?? typeBefore.category)
  const tags = source.tags.filter((tag, i) => tag !== before.tags[i])
  return {
    language,
    ...(source.name !== before.name && { title: source.name }),
    ...(description !== (before.notes || typeBefore.notes) && { description }),
    ...(type.name !== typeBefore.name && { theme: type.name }),
    ...(isTopicSaid && { topic }),
    keywords: [...new Set([isTopicSaid ? topic : [], tags].flat())],
  }
}

/** The source in the path; throws the Response for the error boundary if the hub has none. */
export async function dataset(args: LoaderFunctionArgs): Promise<DatasetFacts> {
  const { ctx } = args.context
  const { source, dataType } = await load(args, {
    source: v1.place.source.findById,
    dataType: v1.place.dataType.findById,
  })
  requireShownSource(args, source, dataType)
  const dates = new Map(dataType.temporal ? [[dataType.id, dataType.temporal.primary]] : [])
  const periods = await periodsIn(ctx, source.placeId, dates)
  const fields = await listCustomFields(ctx, [source])
  const own = await customTextsIn(ctx, source, fields)
  return buildDatasetFacts(hubOrigin(ctx), source, dataType, periods.get(source.id) ?? null, own)
}

/** The public custom fields of the place, in order; no query if none of the sources has a value in one. */
async function listCustomFields(
  ctx: Context,
  sources: readonly Pick<SourceRow, 'placeId' | 'customFields'>[],
): Promise<readonly CustomField[]> {
  const saying = sources.find(({ customFields }) => Object.keys(customFields).length > 0)
  return saying ? listMetadataFields(ctx, saying.placeId) : []
}

/** The periods of a place's sources by id, from one query for all sources of a data type. */
export const periodsIn = (ctx: Context, placeId: string, dates: ReadonlyMap<string, string>) =>
  memoize(ctx, 'hub', `periods ${JSON.stringify([placeId, ...dates])}`, (asking) =>
    readPeriods(asking, placeId, dates),
  )

/** The published public stories and pages of the hub, newest first. */
export async function stories(args: LoaderFunctionArgs): Promise<StoryFacts[]> {
  const origin = hubOrigin(args.context.ctx)
  const options = {
    visibility: 'public',
    filters: { publish: 'published', type: ['blank', 'storytelling'] },
    orderings: [{ value: { field: 'updatedAt' }, direction: 'desc' }],
  }
  const rows = await loadAllRows(
    async (paging) =>
      (await load(args, { pages: { endpoint: v1.place.page.find, options: { ...options, ...paging } } }))
        .pages,
  )
  return rows.map((row) => toStoryFacts(origin, row))
}

interface PageRow {
  id: string
  type: string
  title: string
  description: string
  author: string
  publishedAt: Date | string | null
  createdAt: Date | string
  updatedAt: Date | string
}

/** The metadata of a page; a draft in a preview has its creation date. */
export function toStoryFacts(
  origin: string,
  { id, type, title, description, author, ...row }: PageRow,
): StoryFacts {
  return {
    id,
    title,
    summary: description,
    author: author || null,
    url: `${origin}/pages/${type}/${id}/preview`,
    publishedAt: iso(row.publishedAt ?? row.createdAt),
    updatedAt: iso(row.updatedAt),
  }
}

/** All rows of a list, page by page, in its order; at most `maxPages` pages. */
async function loadAllRows<Row>(
  read: (paging: {
    limit: string
    next?: string
  }) => Promise<{ results: readonly Row[]; meta: { next?: string | undefined } }>,
): Promise<Row[]> {
  const rows: Row[] = []
  let next: string | undefined
  for (let i = 0; i < maxPages; i += 1) {
    const { results, meta } = await read({ limit: page, ...(next && { next }) })
    rows.push(...results)
    next = meta.next
    if (next === undefined) break
  }
  return rows
}

interface SourceRow extends DatasetMetadata {
  id: string
  placeId: string
  dataTypeId: string
  name: string
  notes: string
  attribution: string | null
  attributionUrl: string | null
  licence: string | null
  tags: string[]
  topic: string | null
  customFields: CustomValues
  dataVersion: number
  dataUpdatedAt: Date | string | null
  createdAt: Date | string
  updatedAt: Date | string
  extent: number[] | null
  count: number
}

interface TypeRow {
  id: string
  name: string
  category: string | null
  notes: string
  schema: unknown
}

function buildDatasetFacts(
  origin: string,
  source: SourceRow,
  type: TypeRow,
  period: DatasetFacts['period'],
  own: Awaited<ReturnType<typeof customTextsIn>>,
): DatasetFacts {
  const { id, licence, attribution, attributionUrl, extent } = source
  const properties = own.map(({ key, title, value }) => ({ key, title, value }))
  return {
    id,
    title: source.name,
    description: source.notes || type.notes,
    url: `${origin}/domains/${type.id}/source/${id}`,
    dataTypeId: type.id,
    theme: type.name,
    topic: source.topic ?? type.category,
    keywords: [...new Set([source.topic ?? type.category ?? [], source.tags].flat())],
    licence,
    licenceUrl: source.licenceUrl,
    publisher: source.publisher,
    publisherUrl: source.publisherUrl,
    contactName: source.contactName,
    contact: source.contact,
    cadence: source.cadence,
    attribution,
    attributionUrl,
    version: source.dataVersion,
    count: Number(source.count),
    createdAt: iso(source.createdAt),
    updatedAt: iso(source.dataUpdatedAt ?? source.updatedAt),
    extent,
    period,
    ...(properties.length > 0 && { properties }),
    variables: Object.values(type.schema as FieldSchema).map((field) => ({
      name: field.name,
      description: field.notes ?? '',
      unit: getFieldUnit(field),
      values: (field.values ?? []).flatMap(({ value, name }) =>
        name === undefined ? [] : [{ value: String(value), name }],
      ),
    })),
    files: listDownloadFiles(source).map(({ label, extension, mediaType, path }) => ({
      label,
      extension,
      mediaType,
      url: origin + path,
    })),
  }
}

const iso = (time: Date | string) => new Date(time).toISOString()
