import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { dependsOn } from '#functions/platform/cache/depends.ts'
import type { SearchRows } from '#functions/edge/search/index.ts'
import { slots } from '#functions/edge/search/search-page.ts'
import { writeIndex, type SearchDocument } from '#functions/edge/search/write.ts'
import { isHidden } from '#functions/edge/hub/hub-pages.ts'
import { languages } from '#functions/shapes/language/index.ts'
import { slugPath } from '#functions/shapes/topic.ts'
import { wallTime } from '#functions/shapes/wall-time.ts'
import { frequentTexts, type FrequentTexts } from '#functions/domain/dataset/frequent-texts.ts'
import { findManifest } from '#functions/edge/files/manifests.ts'
import { forEachConcurrently } from '#functions/platform/concurrency.ts'
import { stateName } from '#functions/engine/export/prepared/manifest.ts'
import { listReadableTexts, type BlockKind, type BlockSettings } from '#functions/shapes/block/index.ts'
import { hasNames, type FieldSchema } from '#functions/shapes/field.ts'
import { v1 } from '#functions/v1/index.ts'
import { periodsIn } from '#app/server/hub-facts/facts.server.ts'
import { publicSources, getIncludedSources } from '#app/server/hub-frame.server.ts'
import { hubTopics } from '#app/server/hub-catalogue.server.ts'
import { load } from '#app/server/load.server.ts'
import { listDownloadFiles } from '#app/server/offered-files.server.ts'
import { getPageLanguage, loadReaderSettings } from '#app/server/page-language.server.ts'
import { untranslatedIn } from '#app/server/untranslated.server.ts'
import type { Context } from '#functions/context.ts'

/** Maximum number of entries per noun, as the index is a single file. */
const maxOfEach = 10_000
/** Maximum number of indexed values of all sources together. */
const maxValues = 60_000
/** With more sources than this it is not looked up which have a table, as each is a read of the bucket at first. */
const maxTables = 500
/** How many of them are read at once. */
const readsAtOnce = 20
/** Maximum number of indexed regions per source. */
const maxPlaces = 10

/**
 * The results page with its placeholders, and attached the search index, and the rows for `/v1` searches. The index is shared by all
 * languages.
 */
export async function hubSearch(args: LoaderFunctionArgs) {
  const { ctx } = args.context
  const placeId = ctx.placeId ?? ''
  const [{ locale, timeZone }, { place }, allTypes, sources, pages] = await readHub(args, placeId)
  const dataTypes = allTypes.filter(({ id }) => !isHidden(placeId, id))
  const types = new Map(dataTypes.map((dataType) => [dataType.id, dataType]))
  const visibleSources = sources.filter(({ dataTypeId }) => types.has(dataTypeId))
  const dates = new Map(
    dataTypes.flatMap(({ id, temporal }) => (temporal ? [[id, temporal.primary] as const] : [])),
  )
  const valuesPerSource = Math.min(50, Math.floor(maxValues / Math.max(1, visibleSources.length)))
  const [periods, texts] = await Promise.all([
    periodsIn(ctx, placeId, dates),
    frequentTexts(ctx, placeId, valuesPerSource),
  ])
  const ids = visibleSources.map(({ id }) => id)
  // The files of a source are prepared after its values are known.
  dependsOn(ctx, { rows: { source: ids, files: ids } })
  const states = visibleSources.map(({ id, dataTypeId, dataVersion }) => ({
    id,
    state: stateName(dataVersion, types.get(dataTypeId)?.version ?? 0, timeZone),
  }))
  const isFew = visibleSources.length <= maxTables
  const tables = await findTables(ctx, isFew ? states.filter(({ id }) => texts.has(id)) : [])
  const findTopic = (source: (typeof visibleSources)[number]) =>
    source.topic ?? types.get(source.dataTypeId)?.category ?? null
  const documents: SearchDocument[] = [
    ...topicDocuments(await hubTopics(args)),
    ...dataTypes.map(domainDocument),
    ...visibleSources.map((source): SearchDocument => {
      const { id, name, notes, dataTypeId, cadence, dataUpdatedAt } = source
      const type = types.get(dataTypeId)
      const schema = (type?.schema ?? {}) as FieldSchema
      const columns = listIndexedColumns(schema, texts.get(id) ?? new Map())
      const places = listRegionNames(schema, columns)
      const period = periods.get(id)
      return {
        ...{ kind: 'indicator', title: name, note: shortenNote(notes), domain: dataTypeId },
        href: `/domains/${dataTypeId}/source/${id}`,
        names: [type?.name ?? '', findTopic(source) ?? ''],
        ...(findTopic(source) !== null && { topic: findTopic(source) ?? '' }),
        count: Number(source.count),
        ...(dataUpdatedAt && { updated: dayIn(dataUpdatedAt, timeZone) }),
        ...(cadence && { cadence }),
        formats: listDownloadFiles(source).map(({ label }) => label),
        ...(period && { years: [parseYear(period.start), parseYear(period.end)] }),
        ...(places.length > 0 && { places }),
        ...(columns.length > 0 && { columns }),
        ...(tables.has(id) && { hasTable: true as const }),
        columnTexts: Object.values(schema).flatMap((field) => [field.name, field.notes ?? '']),
      }
    }),
    ...pages.map((page): SearchDocument => {
      const { id, type, title, description, publishedAt } = page
      return {
        ...{ kind: 'story', title, href: `/pages/${type}/${id}/preview`, note: description, domain: null },
        ...(publishedAt && { updated: dayIn(publishedAt, timeZone) }),
        text: textIn(page),
      }
    }),
    ...(place.hasMap
      ? [{ kind: 'map' as const, title: place.displayName, href: '/map', note: '', domain: null }]
      : []),
  ]
  const rows: SearchRows = {
    dataTypes: toJsonById(dataTypes),
    sources: toJsonById(visibleSources),
    pages: toJsonById(pages.map(({ contents: _found, ...row }) => row)),
  }
  const file = writeIndex(withOriginals(ctx, documents), {
    domains: Object.fromEntries(dataTypes.map(({ id, name }) => [id, name])),
    rows: await ctx.attach('application/json', JSON.stringify(rows)),
  })
  const description = languages[getPageLanguage(ctx)].frame.openSearch.replace(
    '{name}',
    () => place.displayName,
  )
  return { slots, locale, description, index: await ctx.attach('application/json', JSON.stringify(file)) }
}

/** Rows as JSON by their ids, as the index keeps them for `/v1`. */
const toJsonById = (rows: { id: string }[]) =>
  Object.fromEntries(rows.map((row) => [row.id, JSON.stringify(row)]))

/** The ids of the sources whose prepared files include a table. */
async function findTables(
  { files }: Pick<Context, 'files'>,
  states: readonly { id: string; state: string }[],
): Promise<Set<string>> {
  const ids = new Set<string>()
  await forEachConcurrently(states, readsAtOnce, async ({ id, state }) => {
    if ((await findManifest(files, id, state))?.columnFile) ids.add(id)
  })
  return ids
}

/** Adds which texts are in the hub's own language, on pages in another. */
function withOriginals(ctx: Context, documents: readonly SearchDocument[]): SearchDocument[] {
  const originals = new Set(untranslatedIn(ctx).flatMap((texts) => [...texts].map(shortenNote)))
  return documents.map((document) => {
    const original = (['title', 'note'] as const).filter((name) => originals.has(shortenNote(document[name])))
    return original.length === 0 ? document : { ...document, original }
  })
}

/** The topics with a page. */
const topicDocuments = (topics: { name: string; slug: string }[]): SearchDocument[] =>
  topics.map(({ name, slug }) => {
    return { kind: 'topic', title: name, href: slugPath(slug), note: '', domain: null, topic: name }
  })

function domainDocument(dataType: {
  id: string
  name: string
  category: string | null
  notes: string
}): SearchDocument {
  const { id, name, category, notes } = dataType
  const [first] = getIncludedSources(dataType)
  return {
    ...{ kind: 'domain', title: name, note: shortenNote(notes), domain: id },
    href: first ? `/domains/${id}/source/${first.id}` : '/domains',
    ...(category && { topic: category, names: [category] }),
  }
}

/** The settings of the page, and everything on the hub that can be found. */
function readHub(args: LoaderFunctionArgs, placeId: string) {
  return Promise.all([
    loadReaderSettings(args),
    load(args, { place: v1.place.findById }),
    loadAllPages(async (cut) => {
      const options = { ...publicSources(placeId), ...cut }
      return (await load(args, { list: { endpoint: v1.place.dataType.find, options } })).list
    }),
    loadAllPages(async (cut) => {
      const includes = [{ resource: 'dataType', attributes: ['id', 'name', 'category'] }]
      const options = { maxVisibility: 'public', includes, ...cut }
      return (await load(args, { list: { endpoint: v1.place.source.find, options } })).list
    }),
    loadAllPages(async (cut) => {
      const filters = { publish: 'published', type: ['blank', 'storytelling'] }
      const options = { visibility: 'public', filters, includes: 'contents', ...cut }
      return (await load(args, { list: { endpoint: v1.place.page.find, options } })).list
    }, '100'),
  ])
}

/** The beginning of a description, cut at a word. */
function shortenNote(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  return plain.length <= 240 ? plain : `${plain.slice(0, 240).replace(/\s+\S*$/, '')} …`
}

/** The date of a moment in the hub's time zone, `YYYY-MM-DD`. */
const dayIn = (time: Date | string, timeZone: string) =>
  new Date(wallTime(new Date(time).getTime(), timeZone)).toISOString().slice(0, 10)

const parseYear = (time: string) => Number(time.slice(0, 4))

/** Columns with their indexed values; codes with their names. */
function listIndexedColumns(
  schema: FieldSchema,
  texts: FrequentTexts,
): NonNullable<SearchDocument['columns']> {
  return Object.entries(schema).flatMap(([key, field]): NonNullable<SearchDocument['columns']> => {
    const codes = texts.get(key) ?? []
    // Identifiers have no meaningful frequencies.
    if (codes.length === 0 || field.identifier) return []
    if (!hasNames(field)) return [[key, field.name, [...codes]]]
    const names = new Map((field.values ?? []).map(({ value, name }) => [String(value), name]))
    return [[key, field.name, codes.map((code) => names.get(code) ?? code), [...codes]]]
  })
}

/** The regions in records, if given by name and not by number. */
const listRegionNames = (schema: FieldSchema, columns: NonNullable<SearchDocument['columns']>): string[] =>
  columns
    .filter(([key]) => schema[key]?.region !== undefined)
    .flatMap(([, , values]) => values)
    .filter((value) => /\p{L}{3}/u.test(value))
    .slice(0, maxPlaces)

/** The text of a story, including descriptions of its pictures. */
function textIn(page: object): string {
  const { contents = [] } = page as { contents?: { kind: BlockKind; settings: BlockSettings }[] }
  return contents.flatMap(listReadableTexts).join(' ')
}

interface PageOptions {
  limit: string
  next?: string
}

/** All rows of a list, page by page. */
async function loadAllPages<Row>(
  ask: (cut: PageOptions) => Promise<{ results: Row[]; meta: { next?: string | undefined } }>,
  limit = '1000',
): Promise<Row[]> {
  const rows: Row[] = []
  let next: string | undefined
  do {
    const page = await ask({ limit, ...(next === undefined ? {} : { next }) })
    rows.push(...page.results)
    next = page.meta.next
  } while (next !== undefined && rows.length < maxOfEach)
  return rows
}
