import { sql } from 'kysely'
import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'

/** The most frequent texts of a source by column key, the most frequent first. */
export type FrequentTexts = ReadonlyMap<string, readonly string[]>

/** Sources read per statement. */
const atOnce = 200
/** Longest text, in characters: longer ones are sentences, which nobody searches for as a whole. */
const longest = 60
/** Texts that occur only once are included up to this many distinct values of a column. */
const maxSingle = 200

/**
 * The most frequent texts of a place's public sources, by source id: up to `most` of each source, from its
 * stored profile. Sources whose profile is not of their current data, or that have no texts, are left out.
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
      .where(whereRowsVisible(ctx, 'source', 'public'))
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
      .where(whereRowsVisible(ctx, 'source', 'public'))
      .whereRef('fieldProfile.dataVersion', '=', 'source.dataVersion')
      .whereRef('fieldProfile.dataTypeId', '=', 'source.dataTypeId')
      .where(sql<boolean>`jsonb_path_exists(profile, '$.top.values[0].value ? (@.type() == "string")')`)
      .where(sql<boolean>`profile -> 'min' = 'null'`)
      .orderBy('fieldProfile.sourceId')
      .orderBy('fieldProfile.field')
      .execute()
    for (const { sourceId, field, distinct, values } of rows) {
      const texts = values
        .filter(({ value, count }) => value.length <= longest && (count > 1 || distinct <= maxSingle))
        .map(({ value }) => value)
      if (texts.length === 0) continue
      bySource.set(sourceId, (bySource.get(sourceId) ?? new Map<string, string[]>()).set(field, texts))
    }
    for (const { id } of ids) limitTexts(bySource.get(id), most)
  }
}

/**
 * Truncates the columns of a source to `most` texts in all: equal shares, and what short columns do not need
 * goes to the others.
 */
function limitTexts(columns: Map<string, string[]> | undefined, most: number): void {
  if (!columns) return
  let [rest, others] = [most, columns.size]
  for (const [field, texts] of [...columns].sort(([, a], [, b]) => a.length - b.length)) {
    const share = Math.floor(rest / others)
    others -= 1
    if (share === 0) columns.delete(field)
    else columns.set(field, texts.slice(0, share))
    rest -= Math.min(share, texts.length)
  }
}
