import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { StorySummary } from '#app/components/hub/story-card.tsx'
import { dependsOn } from '#functions/platform/cache/depends.ts'
import { picturePath, pictureSize } from '#functions/shapes/hub-picture.ts'
import { slugPath } from '#functions/shapes/topic.ts'
import { v1 } from '#functions/v1/index.ts'
import {
  catalogueEntries,
  partsOfStories,
  getSourcePath,
  groupEntriesByTopic,
  type CatalogueEntry,
} from './hub-catalogue.server.ts'
import { load } from './load.server.ts'
import { day, loadReaderSettings, hubPathBuilder } from './page-language.server.ts'
import { getStoryAuthor } from './story.server.ts'

/** Maximum number of listed stories. */
const most = 200
/** Maximum numbers of topics and sources on the card of a story. */
const [mostTopics, mostSources] = [3, 3]

/**
 * The published public stories of the place, newest first, with topics and sources; at most `limit`, and with `using` only those that
 * use one of these sources.
 */
export async function storySummaries(
  args: LoaderFunctionArgs,
  limit: number,
  using?: ReadonlySet<string>,
): Promise<StorySummary[]> {
  const { ctx } = args.context
  const [{ pages, place }, parts, entries, reading] = await Promise.all([
    load(args, {
      place: v1.place.findById,
      pages: {
        endpoint: v1.place.page.find,
        options: {
          visibility: 'public',
          filters: { publish: 'published', type: ['blank', 'storytelling'] },
          // Stories before plain pages ('storytelling' after 'blank'), the newest first.
          orderings: [
            { value: { field: 'type' }, direction: 'desc' },
            { value: { field: 'updatedAt' }, direction: 'desc' },
          ],
          limit: String(most),
        },
      },
    }),
    partsOfStories(args),
    catalogueEntries(args),
    loadReaderSettings(args),
  ])
  const rows = pages.results
    .filter(({ id }) => using === undefined || parts.get(id)?.sources.some((source) => using.has(source)))
    .slice(0, limit)
  // Which stories use a source depends on more than the listed ones.
  dependsOn(ctx, { rows: { use: [...rows.map(({ id }) => id), ...(using ?? [])] } })
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const to = hubPathBuilder(ctx)
  return rows.map((page) => {
    const { sources = [], picture = null } = parts.get(page.id) ?? {}
    const path = `/pages/${page.type}/${page.id}/preview`
    const entries = sources.flatMap((id) => byId.get(id) ?? [])
    return {
      ...{ id: page.id, title: page.title, href: to(path) },
      author: getStoryAuthor(page, place),
      ...(page.description ? { summary: page.description } : {}),
      ...(page.publishedAt
        ? { date: day(page.publishedAt, reading), dateTime: new Date(page.publishedAt).toISOString() }
        : {}),
      image: picture
        ? { ...picture, width: 1200, height: 800 }
        : { ...{ src: picturePath(path, to('')), alt: '', isDrawn: true }, ...pictureSize },
      topics: topicLinks(entries, to),
      sources: entries
        .slice(0, mostSources)
        .map((entry) => ({ title: entry.title, href: to(getSourcePath(entry)) })),
    }
  })
}

/** The topics of sources, each once. */
const topicLinks = (entries: readonly CatalogueEntry[], to: (path: string) => string) =>
  groupEntriesByTopic(entries)
    .slice(0, mostTopics)
    .map(({ name, slug }) => ({ title: name, href: to(slugPath(slug)) }))
