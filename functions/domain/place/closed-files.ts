import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { includeClosedPlaces } from '#functions/domain/access/include-closed.ts'
import { closedFilesLetters, type ClosedFiles } from '#functions/engine/media/keys.ts'

/**
 * The files of all closed places that still have bytes, in the lists that name a file of this place: by the beginning of their ids. Needs
 * the product's own identity.
 */
export async function listClosedFiles(ctx: Context, placeId: string): Promise<Record<string, ClosedFiles>> {
  return ctx.transaction(async (tx) => {
    await includeClosedPlaces(tx)
    // The clock is read first: everything committed before that time is visible to the queries that follow.
    const { rows: clock } = await sql<{ at: string }>`
      select (extract(epoch from clock_timestamp()) * 1000000)::bigint as at`.execute(tx)
    const at = Number(clock[0]?.at)
    const { rows } = await sql<{ beginning: string; placeId: string; ids: string[] }>`
      select left(a.id, ${closedFilesLetters}::int) as beginning, a.place_id, array_agg(a.id order by a.id) as ids
      from asset a join closed_place c on c.place_id = a.place_id and c.reopened_at is null
      where a.bytes_gone_at is null and left(a.id, ${closedFilesLetters}::int) in (
        select left(id, ${closedFilesLetters}::int) from asset where place_id = ${placeId})
      group by 1, 2 order by 1, 2`.execute(tx)
    const lists: Record<string, ClosedFiles> = {}
    for (const { beginning, placeId: of, ids } of rows) {
      const list = (lists[beginning] ??= { at, places: {} })
      list.places[of] = ids
    }
    return lists
  })
}
