import { sql, type Kysely } from 'kysely'

/**
 * Which rows of a place are sample data: the ids of all that were ever added as such, so that a row that was
 * deleted and restored is still recognised. Few places have any, and every rename and opening of a row checks
 * it: hence the index.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table place add column sample jsonb`.execute(db)
  await sql`create index place_sample on place (id) where sample is not null`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table place drop column sample`.execute(db)
}
