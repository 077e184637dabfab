import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { SourcePageProps } from '#app/components/hub/source-page.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'
import { frequentTexts, type FrequentTexts } from '#functions/domain/dataset/frequent-texts.ts'
import {
  indexRelated,
  relatedTo,
  type Relatable,
  type RelatedIndex,
  type RelatedTo,
} from '#functions/engine/catalogue/related.ts'
import { dependsOn } from '#functions/platform/cache/depends.ts'
import { hasNames, type Field, type FieldSchema } from '#functions/shapes/field.ts'
import { topicSlug } from '#functions/shapes/topic.ts'
import { v1 } from '#functions/v1/index.ts'
import {
  catalogueEntries,
  memoizeHubQuery,
  partsOfStories,
  getSourcePath,
  type CatalogueEntry,
} from './hub-catalogue.server.ts'
import { load } from './load.server.ts'
import { hubPathBuilder } from './page-language.server.ts'

/** Maximum number of related sources of a page, and of names in a reason. */
const [mostRelated, mostNames] = [6, 2]
/** How many of the most frequent values of a source are compared. */
const maxValues = 30

/**
 * The most similar sources, each with a reason: a shared story, domain, regions in their records, columns, or topic. Values of other
 * sources are those of the time of rendering: the page does not depend on their data.
 */
export async function relatedSources(
  args: LoaderFunctionArgs,
  sourceId: string,
  locale: string,
): Promise<SourcePageProps['related']> {
  const { ctx } = args.context
  const [entries, index, parts] = await Promise.all([
    catalogueEntries(args),
    memoizeHubQuery(args, 'related sources', indexOfHub),
    partsOfStories(args),
  ])
  const stories = [...parts].flatMap(([id, { sources }]) => (sources.includes(sourceId) ? [id] : []))
  dependsOn(ctx, { rows: { use: [sourceId, ...stories] } })
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const to = hubPathBuilder(ctx)
  return relatedTo(index, sourceId, mostRelated).flatMap((hit) => {
    const entry = byId.get(hit.id)
    return entry
      ? [{ title: entry.title, href: to(getSourcePath(entry)), note: describeRelation(hit, locale) }]
      : []
  })
}

function describeRelation({ bond, names }: RelatedTo, locale: string): string {
  const { relatedBy } = hubTexts(locale)
  if (bond === 'topic') return relatedBy.topic
  return relatedBy[bond](names.slice(0, bond === 'story' ? 1 : mostNames).join(', '))
}

/** The properties of every source of the hub that others may share. */
async function indexOfHub(args: LoaderFunctionArgs): Promise<RelatedIndex> {
  const { ctx } = args.context
  const placeId = ctx.placeId ?? ''
  const [entries, parts, texts, { dataTypes, pages }] = await Promise.all([
    catalogueEntries(args),
    partsOfStories(args),
    frequentTexts(ctx, placeId, maxValues),
    load(args, {
      dataTypes: { endpoint: v1.place.dataType.find, options: { maxVisibility: 'public', limit: '1000' } },
      pages: {
        endpoint: v1.place.page.find,
        options: { visibility: 'public', filters: { publish: 'published' }, limit: '1000' },
      },
    }),
  ])
  const titles = new Map(pages.results.map(({ id, title }) => [id, title]))
  const stories = new Map<string, Relatable['has']['story'][number][]>()
  for (const [key, { sources }] of parts)
    for (const id of sources) {
      const name = titles.get(key)
      if (name !== undefined) stories.set(id, [...(stories.get(id) ?? []), { key, name }])
    }
  const types = new Map(dataTypes.results.map((type) => [type.id, type]))
  const columns = new Map(
    dataTypes.results.map(({ id, schema, temporal }) => [id, columnsIn(schema, temporal?.primary)]),
  )
  return indexRelated(
    entries.map(({ id, domain, topic }: CatalogueEntry) => ({
      id,
      has: {
        story: stories.get(id) ?? [],
        domain: [{ key: domain.id, name: domain.name }],
        place: placesIn(types.get(domain.id)?.schema ?? {}, texts.get(id)),
        columns: columns.get(domain.id) ?? [],
        topic: topic?.trim() ? [{ key: topicSlug(topic), name: topic }] : [],
      },
    })),
  )
}

/** The columns by which records of two domains can be compared: of the same regions, or measuring or naming the same. */
const columnsIn = (schema: FieldSchema, primary: string | undefined) =>
  Object.entries(schema).flatMap(([key, field]) => {
    const kind = key === primary || field.identifier ? null : findFieldKind(field)
    return kind === null ? [] : [{ key: field.region ?? `${key.toLowerCase()} ${kind}`, name: field.name }]
  })

/** What columns of the same name must have in common; null for columns that do not describe the subject of records. */
function findFieldKind({ type, unit, measurement, values }: Field): string | null {
  if (type === 'text' || type === 'boolean') return type
  if (type !== 'number') return null
  if (measurement) return `number ${measurement.type}`
  if (unit !== undefined) return `number ${unit}`
  return values ? 'number' : null
}

/** The most frequent regions in the records, if given by name and not by number. */
function placesIn(schema: FieldSchema, texts: FrequentTexts | undefined) {
  return Object.entries(schema).flatMap(([key, field]) => {
    if (field.region === undefined) return []
    const names = new Map((field.values ?? []).map(({ value, name }) => [String(value), name]))
    return (texts?.get(key) ?? [])
      .map((code) => (hasNames(field) ? (names.get(code) ?? code) : code))
      .filter((name) => /\p{L}{3}/u.test(name))
      .map((name) => ({ key: `${field.region} ${name.toLowerCase()}`, name }))
  })
}
