import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { insightsShownBy } from '#functions/shapes/block/index.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from '#app/server/load.server.ts'

/** A collection or page that contains an insight. */
export interface Use {
  to: string
  name: string
}

/** The uses of the place's insights that are visible to the reader, by insight: collections first, then pages. */
export async function usesOfInsights(args: LoaderFunctionArgs): Promise<Map<string, Use[]>> {
  const insights = { resource: 'insights', attributes: ['id'], limit: 100 }
  const { collections, contents, pages } = await load(args, {
    collections: { endpoint: v1.place.collection.find, options: { includes: [insights], limit: 1000 } },
    contents: {
      endpoint: v1.place.content.find,
      options: { filters: { kind: ['insight', 'map', 'text'] }, limit: 1000 },
    },
    pages: { endpoint: v1.place.page.find, options: { limit: 1000 } },
  })
  const uses = new Map<string, Use[]>()
  const add = (id: string, use: Use) => {
    const insightUses = uses.get(id) ?? []
    if (!insightUses.some(({ to }) => to === use.to)) uses.set(id, [...insightUses, use])
  }
  for (const collection of collections.results) {
    const { insights: collectionInsights = [] } = collection as { insights?: { id: string }[] }
    for (const { id } of collectionInsights)
      add(id, { to: `/collections/${collection.id}`, name: collection.name })
  }
  const byId = new Map(pages.results.map((page) => [page.id, page]))
  for (const content of contents.results) {
    const page = byId.get(content.pageId)
    if (!page) continue
    for (const insightId of insightsShownBy(content))
      add(insightId, { to: `/pages/${page.type}/${page.id}`, name: page.title })
  }
  return uses
}
