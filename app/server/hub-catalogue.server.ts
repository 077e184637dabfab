import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { SourceLine } from '#app/components/hub/source-lines.tsx'
import { trustTexts, hubTexts } from '#app/components/hub/texts.ts'
import { maxTopics } from '#functions/edge/hub/hub-pages.ts'
import { toSearchQuestion, type SearchSort } from '#functions/edge/search/index.ts'
import { buildSearchUrl } from '#functions/edge/search/search-page.ts'
import { storyParts, type StoryParts } from '#functions/domain/page/story-parts.ts'
import type { Context } from '#functions/context.ts'
import { dependsOn } from '#functions/platform/cache/depends.ts'
import { memoize } from '#functions/platform/cache/memo.ts'
import type { Cadence } from '#functions/shapes/metadata.ts'
import { groupByTopic, type Topic } from '#functions/shapes/topic.ts'
import { listHubSources, sourcesAndTypes } from './hub-facts/facts.server.ts'
import { isOther } from './mark-language.server.ts'
import { listDownloadFiles } from './offered-files.server.ts'
import {
  count,
  day,
  getPageLanguage,
  getSiteLanguages,
  loadReaderSettings,
  hubPathBuilder,
} from './page-language.server.ts'

/** A public source of a hub with the facts for lists, before formatting for a reader. */
export interface CatalogueEntry {
  id: string
  title: string
  domain: { id: string; name: string }
  /** Its topic, else that of its domain, in the organization's own words, as slugs are made of it. Null if neither has one. */
  topic: string | null
  /** The same, translated into the language of the page. */
  topicName: string | null
  count: number
  /** When its data last changed; null before the first import. */
  updatedAt: Date | string | null
  /** First and last year of its records; null if unknown. */
  years: readonly [string, string] | null
  cadence: Cadence | null
  /** The labels of its download formats. */
  formats: readonly string[]
}

/** All public sources that the hub shows, by name. Callers that show counts or dates must add the dependency (`listSources`). */
export async function catalogueEntries(args: LoaderFunctionArgs): Promise<CatalogueEntry[]> {
  const entries = await memoizeHubQuery(args, 'catalogue', async (own) => {
    const sources = await listHubSources(own)
    return sources.map(({ source, type, period }): CatalogueEntry => ({
      ...{ id: source.id, title: source.name },
      domain: { id: type.id, name: type.name },
      topic: source.topic ?? type.category,
      topicName: source.topic ?? type.category,
      count: Number(source.count),
      updatedAt: source.dataUpdatedAt,
      years: period ? [period.start.slice(0, 4), period.end.slice(0, 4)] : null,
      cadence: source.cadence,
      formats: listDownloadFiles(source).map(({ label }) => label),
    }))
  })
  return isOther(args.context.ctx.site) ? translateEntries(args, entries) : entries
}

/** Translated entries by language: pages of one language share them. */
const spokenEntries = new WeakMap<readonly CatalogueEntry[], Map<string, CatalogueEntry[]>>()

/** Translates entries into the language of the page; untranslated names are noted for each page. */
async function translateEntries(
  args: LoaderFunctionArgs,
  entries: CatalogueEntry[],
): Promise<CatalogueEntry[]> {
  const { dataTypes, sources } = await sourcesAndTypes(args)
  const locale = getPageLanguage(args.context.ctx)
  const entriesByLocale = spokenEntries.get(entries) ?? new Map<string, CatalogueEntry[]>()
  spokenEntries.set(entries, entriesByLocale)
  const before = entriesByLocale.get(locale)
  if (before) return before
  const types = new Map(dataTypes.map((type) => [type.id, type]))
  const names = new Map(sources.map((source) => [source.id, source]))
  const translations = entries.map((entry): CatalogueEntry => {
    const [source, type] = [names.get(entry.id), types.get(entry.domain.id)]
    return {
      ...entry,
      title: source?.name ?? entry.title,
      domain: { id: entry.domain.id, name: type?.name ?? entry.domain.name },
      topicName: source?.topic ?? type?.category ?? entry.topicName,
    }
  })
  entriesByLocale.set(locale, translations)
  return translations
}

/** Entries by the id of their domain, in their order; the sources included with a data type would be limited to a hundred. */
export function entriesByDomain(entries: readonly CatalogueEntry[]): Map<string, CatalogueEntry[]> {
  const byDomain = new Map<string, CatalogueEntry[]>()
  for (const entry of entries) {
    const of = byDomain.get(entry.domain.id)
    if (of) of.push(entry)
    else byDomain.set(entry.domain.id, [entry])
  }
  return byDomain
}

/** The topics of the hub that have a page, those with the most sources first. */
export const hubTopics = async (args: LoaderFunctionArgs): Promise<Topic<CatalogueEntry>[]> =>
  groupEntriesByTopic(await catalogueEntries(args)).slice(0, maxTopics)

/** The topics of entries with translated names; their slugs are made of the organization's own words. */
export const groupEntriesByTopic = (entries: readonly CatalogueEntry[]): Topic<CatalogueEntry>[] =>
  groupByTopic(entries, ({ topic }) => topic).map((topic) => ({
    ...topic,
    // Of several spellings the most frequent one, as in the hub's own language.
    name: groupByTopic(topic.rows, ({ topicName }) => topicName)[0]?.name ?? topic.name,
  }))

/** The parts of the hub's stories by story id. Callers that show them must add the dependency on the stories or sources (`use`). */
export const partsOfStories = (args: LoaderFunctionArgs): Promise<Map<string, StoryParts>> =>
  memoizeHubQuery(args, 'parts of stories', ({ context: { ctx } }) => storyParts(ctx, ctx.placeId ?? ''))

/** Memoizes a query for all pages rendered in one run, in the hub's own language whichever page comes first. */
export function memoizeHubQuery<Answer>(
  args: LoaderFunctionArgs,
  name: string,
  ask: (args: LoaderFunctionArgs) => Promise<Answer>,
): Promise<Answer> {
  const { context } = args
  return memoize(context.ctx, 'hub', `${name} of ${context.ctx.placeId}`, (ctx) =>
    ask({ ...args, context: { ...context, ctx: { ...ctx, site: withOwnLanguage(ctx.site) } } }),
  )
}

const withOwnLanguage = (site: Context['site']): Context['site'] =>
  site.mode === 'hub' ? { ...site, locale: site.languages[0] } : site

/** The path of a source's page, without a language prefix. */
export const getSourcePath = ({ id, domain }: Pick<CatalogueEntry, 'id' | 'domain'>) =>
  `/domains/${domain.id}/source/${id}`

/** Sources as list items: link and facts, in the given order. Adds the dependency on their data. */
export async function listSources(
  args: LoaderFunctionArgs,
  entries: readonly CatalogueEntry[],
  { hasFormats = true }: { hasFormats?: boolean } = {},
): Promise<SourceLine[]> {
  const { ctx } = args.context
  dependsOn(ctx, { rows: { source: entries.map(({ id }) => id) } })
  const reading = await loadReaderSettings(args)
  const [w, { cadence, cadences }] = [hubTexts(reading.locale), trustTexts(reading.locale)]
  const to = hubPathBuilder(ctx)
  return entries.map((entry) => ({
    ...{ id: entry.id, title: entry.title, href: to(getSourcePath(entry)) },
    facts: [
      ...(entry.years ? [[...new Set(entry.years)].join('–')] : []),
      w.records(entry.count),
      ...(entry.updatedAt ? [w.dataDate(day(entry.updatedAt, reading))] : []),
      ...(entry.cadence ? [`${cadence}: ${cadences[entry.cadence]}`] : []),
      ...(hasFormats && entry.count > 0 && entry.formats.length > 0 ? [entry.formats.join(', ')] : []),
    ],
  }))
}

/** The filters of a search list. */
interface ListFilters {
  topic?: string
  domain?: string
  sort?: SearchSort
}

/** The link to the list of sources in the search, where it can be sorted and filtered. */
export function listAddress(ctx: Pick<Context, 'site'>, { topic, domain, sort }: ListFilters = {}): string {
  return buildSearchUrl({
    ...toSearchQuestion(''),
    ...{ kind: 'indicator', topic: topic ?? null, domain: domain ?? null },
    ...{ sort: sort ?? 'relevance', page: 1, locale: getPageLanguage(ctx), languages: getSiteLanguages(ctx) },
  })
}

/** The sort orders of a list, each a link to the search. */
export async function buildSortOrders(args: LoaderFunctionArgs, of: ListFilters, total: number) {
  const { ctx } = args.context
  const reading = await loadReaderSettings(args)
  const { search } = hubTexts(reading.locale)
  const link = (label: string, sort: SearchSort) => ({ label, href: listAddress(ctx, { ...of, sort }) })
  return {
    orders:
      total < 2
        ? []
        : [link(search.name, 'name'), link(search.updated, 'updated'), link(search.mostRecords, 'records')],
    allHref: listAddress(ctx, of),
    total: count(total, reading),
  }
}
