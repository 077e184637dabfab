import { sql } from 'kysely'
import type { Tx } from '#db/schema.ts'

/**
 * From here to the end of the transaction a statement may take as long as said instead of what visitors wait for:
 * a duration as Postgres reads it ("15min", https://www.postgresql.org/docs/current/config-setting.html).
 */
export async function allowStatements(tx: Tx, duration: string): Promise<void> {
  await sql`select set_config('statement_timeout', ${duration}, true)`.execute(tx)
}
