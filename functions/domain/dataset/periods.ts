import { whereSeen } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'

/** The first and the last time in the records of a source, as ISO text. */
interface Period {
  start: string
  end: string
}

/**
 * Over which time the public sources of a place reach, by id, in one statement: what is kept of each source's records is
 * read, not the records. `dates` says which field of a data type is its date; a source without one, or without records,
 * is not in the answer.
 */
export async function periodsOf(
  ctx: Context,
  placeId: string,
  dates: ReadonlyMap<string, string>,
): Promise<Map<string, Period>> {
  const rows = await ctx.db
    .selectFrom('source')
    .innerJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select(['source.id', 'source.dataTypeId', 'sourceStat.fields'])
    .where(whereSeen(ctx, 'source', 'public'))
    .where('source.placeId', '=', placeId)
    .where('source.dataTypeId', 'in', [...dates.keys(), ''])
    .execute()
  return new Map(
    rows.flatMap(({ id, dataTypeId, fields }) => {
      const kept = fields[dates.get(dataTypeId) ?? ''] as { min?: unknown; max?: unknown } | undefined
      const [start, end] = [kept?.min, kept?.max].map((time) => (typeof time === 'string' ? time : undefined))
      return start === undefined || end === undefined ? [] : [[id, { start, end }] as const]
    }),
  )
}
