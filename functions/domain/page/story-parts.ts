import { sql } from 'kysely'
import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import { insightsShownBy, getSettingText } from '#functions/shapes/block/index.ts'

/** Parts of stories that are read at most: an order of magnitude more than any hub has. */
const maxParts = 50_000

/** The sources and the picture of a story, for lists of stories. */
export interface StoryParts {
  /** The public sources that its figures and the numbers in its texts use, in the order of the page. */
  sources: string[]
  /** Its first picture; null where it has none. */
  picture: { src: string; alt: string } | null
}

/**
 * The parts of published public stories, by their ids; stories with neither a source nor a picture are left out. `only`:
 * of these stories.
 */
export async function storyParts(
  ctx: Context,
  placeId: string,
  only?: readonly string[],
): Promise<Map<string, StoryParts>> {
  const parts = await ctx.db
    .selectFrom('content')
    .innerJoin('page', 'page.id', 'content.pageId')
    .select(['content.pageId', 'content.kind', 'content.settings'])
    .where('page.placeId', '=', placeId)
    .where('page.type', '!=', 'dashboard')
    .where('content.deletedAt', 'is', null)
    .where(whereRowsVisible(ctx, 'page', 'public'))
    .where(
      sql<boolean>`(content.kind = 'image' or content.settings ? 'insightId' or content.settings ->> 'html' like '%<data value="insight:%')`,
    )
    .$if(only !== undefined, (q) => q.where('page.id', 'in', only?.length ? [...only] : ['']))
    .orderBy('content.pageId')
    .orderBy('content.position')
    .limit(maxParts)
    .execute()
  const partsWithInsights = parts.map((part) => ({ ...part, insights: insightsShownBy(part) }))
  const ids = [...new Set(partsWithInsights.flatMap(({ insights }) => insights))]
  const rows = ids.length
    ? await ctx.db
        .selectFrom('insight')
        .innerJoin('source', 'source.id', 'insight.sourceId')
        .select(['insight.id', 'source.id as sourceId'])
        .where('insight.placeId', '=', placeId)
        .where('source.placeId', '=', placeId)
        .where(sql<boolean>`insight.id = any(${ids}::text[])`)
        .where(whereRowsVisible(ctx, 'insight', 'public'))
        .where(whereRowsVisible(ctx, 'source', 'public'))
        .execute()
    : []
  const sourceByInsight = new Map(rows.map(({ id, sourceId }) => [id, sourceId]))
  const stories = new Map<string, StoryParts>()
  for (const { pageId, kind, settings, insights } of partsWithInsights) {
    const of = stories.get(pageId) ?? { sources: [], picture: null }
    const src = kind === 'image' ? getSettingText(settings, 'url') : ''
    const sources = insights.flatMap((id) => sourceByInsight.get(id) ?? [])
    if (src === '' && sources.length === 0) continue
    stories.set(pageId, {
      sources: [...new Set([...of.sources, ...sources])],
      picture: of.picture ?? (src === '' ? null : { src, alt: getSettingText(settings, 'alt') }),
    })
  }
  return stories
}
