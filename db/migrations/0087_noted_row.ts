import { sql, type Kysely } from 'kysely'

/** What is told of rows of a run may be of rows that came in all the same: a name of a place that leads to no one point. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table import_reject add column is_taken boolean not null default false`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table import_reject drop column is_taken`.execute(db)
}
