import { sql, type Kysely } from 'kysely'

/**
 * That the database was brought back to an earlier moment, and the edge was not told of this place since: what it knows
 * is newer than the database then.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table hub add column restored_at timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table hub drop column restored_at`.execute(db)
}
