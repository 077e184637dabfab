import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'

/** How long undo snapshots are kept, which is how long a version can be rolled back. */
const keptFor = '30 days'
/** Snapshots one statement deletes, so that it takes some seconds at most. */
const atOnce = 20_000
/** Most statements of one call; the rest is deleted the next day. */
const maxStatements = 200

/**
 * Deletes the undo snapshots of records that are older than 30 days; returns how many. Ids grow with time, so
 * the oldest are found through the primary key, without an index on `created_at`.
 */
export async function forgetImages(ctx: Context): Promise<number> {
  let count = 0
  for (let n = 0; n < maxStatements; n++) {
    const { numAffectedRows } = await sql`
      delete from data_history where id = any(array(
        select id from (select id, created_at from data_history order by id limit ${atOnce}::int) first
        where created_at < now() - ${keptFor}::interval))`.execute(ctx.db)
    const batchCount = Number(numAffectedRows ?? 0)
    count += batchCount
    if (batchCount < atOnce) break
  }
  return count
}
