import { sql } from 'kysely'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import { maxTagsListed, taggedNouns, type TaggedNoun, type TagUses } from '#functions/shapes/tag-use.ts'

/**
 * The tags of everything in a place that the actor may see, in natural order, with the number of uses. Tags that differ
 * only in case are merged under the most frequent spelling. At most 1000; `total` counts all.
 */
export async function find(ctx: Context, request: NounRequest): Promise<TagUses> {
  const placeId = param(request, 'placeId')
  const tagSelects = taggedNouns.map(
    (
      noun,
    ) => sql`select ${noun}::text as noun, tag from ${sql.table(noun)}, unnest(${sql.ref(`${noun}.tags`)}) tag
      where ${sql.ref(`${noun}.placeId`)} = ${placeId} and ${whereRowsVisible(ctx, noun)}`,
  )
  const nounCounts = taggedNouns.map(
    (noun) => sql`(count(*) filter (where noun = ${noun}))::int as ${sql.ref(noun)}`,
  )
  const { rows } = await sql<TagRow>`
    select mode() within group (order by tag) as name, array_agg(distinct tag) as spellings, ${sql.join(nounCounts)},
      (count(*) over ())::int as total
    from (${sql.join(tagSelects, sql` union all `)}) each group by lower(tag)
    order by mode() within group (order by tag) collate natural_order limit ${maxTagsListed}`.execute(ctx.db)
  return {
    results: rows.map(({ total: _total, ...row }) => row),
    meta: { total: rows[0]?.total ?? 0 },
  }
}

interface TagRow extends Record<TaggedNoun, number> {
  name: string
  spellings: string[]
  total: number
}
