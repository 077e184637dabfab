import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'

/** The first and last date in a source's records, as ISO text. */
interface Period {
  start: string
  end: string
}

/**
 * The periods that a place's public sources cover, by source id, in one statement, from their stored stats.
 * `dates`: the date field of each data type; sources without one, or without records, are left out.
 */
export async function readPeriods(
  ctx: Context,
  placeId: string,
  dates: ReadonlyMap<string, string>,
): Promise<Map<string, Period>> {
  const rows = await ctx.db
    .selectFrom('source')
    .innerJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select(['source.id', 'source.dataTypeId', 'sourceStat.fields'])
    .where(whereRowsVisible(ctx, 'source', 'public'))
    .where('source.placeId', '=', placeId)
    .where('source.dataTypeId', 'in', [...dates.keys(), ''])
    .execute()
  return new Map(
    rows.flatMap(({ id, dataTypeId, fields }) => {
      const range = fields[dates.get(dataTypeId) ?? ''] as { min?: unknown; max?: unknown } | undefined
      const [start, end] = [range?.min, range?.max].map((time) =>
        typeof time === 'string' ? time : undefined,
      )
      return start === undefined || end === undefined ? [] : [[id, { start, end }] as const]
    }),
  )
}
