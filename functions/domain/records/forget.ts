import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'

/** How long the images of records that a write replaced are kept: so long it can be taken back. */
const keptFor = '30 days'
/** Images a statement removes: some seconds at most. */
const atOnce = 20_000
/** Statements of one sweep: what is left goes the next day. */
const mostStatements = 200

/**
 * Forgets the images of records that are older than 30 days; gives how many. Their ids grow with their time, so the
 * oldest are found without an index of times.
 */
export async function forgetImages(ctx: Context): Promise<number> {
  let count = 0
  for (let n = 0; n < mostStatements; n++) {
    const { numAffectedRows } = await sql`
      delete from data_history where id = any(array(
        select id from (select id, created_at from data_history order by id limit ${atOnce}::int) first
        where created_at < now() - ${keptFor}::interval))`.execute(ctx.db)
    const deleted = Number(numAffectedRows ?? 0)
    count += deleted
    if (deleted < atOnce) break
  }
  return count
}
