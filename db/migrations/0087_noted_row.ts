import { sql, type Kysely } from 'kysely'

/**
 * Reports about rows of a run may concern rows that were imported all the same: for example a place name that
 * matches no single point.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table import_reject add column is_taken boolean not null default false`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table import_reject drop column is_taken`.execute(db)
}
