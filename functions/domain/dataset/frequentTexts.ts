import { sql } from 'kysely'
import { whereSeen } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'

/** The most frequent texts of a source's columns, by the keys of these, the most frequent first. */
export type FrequentTexts = ReadonlyMap<string, readonly string[]>

/** Sources whose values are read at a time. */
const atOnce = 200
/** Longer texts are sentences: nobody looks for them by their whole. */
const longest = 60
/** A text that only one record has is found where a column has few of them. */
const mostSingle = 200

/**
 * The texts that the public sources of a place have most, by the ids of these: up to `most` of each source, from what is kept of its
 * columns, not from its records. A source whose profile is not of its data as they are now is not in the answer, nor one without texts.
 */
export async function frequentTexts(
  ctx: Context,
  placeId: string,
  most: number,
): Promise<Map<string, FrequentTexts>> {
  const bySource = new Map<string, Map<string, string[]>>()
  if (most === 0) return bySource
  for (let after = ''; ;) {
    const ids = await ctx.db
      .selectFrom('source')
      .select('source.id')
      .where(whereSeen(ctx, 'source', 'public'))
      .where('source.placeId', '=', placeId)
      .where('source.id', '>', after)
      .orderBy('source.id')
      .limit(atOnce)
      .execute()
    if (ids.length === 0) return bySource
    after = ids.at(-1)?.id ?? ''
    const rows = await ctx.db
      .selectFrom('fieldProfile')
      .innerJoin('source', 'source.id', 'fieldProfile.sourceId')
      .select(['fieldProfile.sourceId', 'fieldProfile.field'])
      .select(sql<number>`(profile #>> '{distinct,count}')::float8`.as('distinct'))
      .select(
        sql<{ value: string; count: number }[]>`jsonb_path_query_array(profile,
          '$.top.values[0 to 49] ? (@.value.type() == "string")')`.as('values'),
      )
      .where(
        'source.id',
        'in',
        ids.map(({ id }) => id),
      )
      .where(whereSeen(ctx, 'source', 'public'))
      .whereRef('fieldProfile.dataVersion', '=', 'source.dataVersion')
      .whereRef('fieldProfile.dataTypeId', '=', 'source.dataTypeId')
      .where(sql<boolean>`jsonb_path_exists(profile, '$.top.values[0].value ? (@.type() == "string")')`)
      .where(sql<boolean>`profile -> 'min' = 'null'`)
      .orderBy('fieldProfile.sourceId')
      .orderBy('fieldProfile.field')
      .execute()
    for (const { sourceId, field, distinct, values } of rows) {
      const texts = values
        .filter(({ value, count }) => value.length <= longest && (count > 1 || distinct <= mostSingle))
        .map(({ value }) => value)
      if (texts.length === 0) continue
      bySource.set(sourceId, (bySource.get(sourceId) ?? new Map<string, string[]>()).set(field, texts))
    }
    for (const { id } of ids) cut(bySource.get(id), most)
  }
}

/** Leaves the columns of a source so many texts together: as many to each, and what some do not need to the others. */
function cut(columns: Map<string, string[]> | undefined, most: number): void {
  if (!columns) return
  let [left, others] = [most, columns.size]
  for (const [field, texts] of [...columns].sort(([, a], [, b]) => a.length - b.length)) {
    const share = Math.floor(left / others)
    others -= 1
    if (share === 0) columns.delete(field)
    else columns.set(field, texts.slice(0, share))
    left -= Math.min(share, texts.length)
  }
}
