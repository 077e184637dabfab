import { sql, type Kysely } from 'kysely'

/**
 * The author of a story as readers see it; '': none, then the publisher is shown. Versions of a page include
 * it.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table page add column author text not null default ''`.execute(db)
  await sql`alter table page_version add column author text not null default ''`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table page_version drop column author`.execute(db)
  await sql`alter table page drop column author`.execute(db)
}
