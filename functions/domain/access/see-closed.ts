import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'

/**
 * From here to the end of the transaction rows of closed places are seen, as far as the actor might see them if they were open. For what
 * undoes a closing and what ends it: everyone else finds nothing, which row-level security sees to.
 */
export async function seeClosed(tx: Tx): Promise<void> {
  await sql`select set_config('app.closed', 'on', true)`.execute(tx)
}
