import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'

/**
 * Sets the statement time-out for the rest of the transaction, in place of the short one for visitors: a
 * duration in the form of Postgres ("15min", https://www.postgresql.org/docs/current/config-setting.html).
 */
export async function allowStatements(tx: Tx, duration: string): Promise<void> {
  await sql`select set_config('statement_timeout', ${duration}, true)`.execute(tx)
}
