import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'

/**
 * Makes rows of closed places visible until the end of the transaction, as if these were open. For reopening and purging
 * places: row-level security hides such rows from everything else.
 */
export async function includeClosedPlaces(tx: Tx): Promise<void> {
  await sql`select set_config('app.closed', 'on', true)`.execute(tx)
}
