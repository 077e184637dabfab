import { sql, type Kysely } from 'kysely'

/**
 * When the database was restored from a backup, until the edge is reconciled for this place: until then the
 * edge may be newer than the database.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table hub add column restored_at timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table hub drop column restored_at`.execute(db)
}
