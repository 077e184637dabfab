import { sql, type Kysely } from 'kysely'

/**
 * What of a place is sample data: the ids of all that was ever brought in as such, so that a row which was deleted and restored is
 * still known as sample. Few places have any, and every rename and opening of a row asks whether it is one: hence the index.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table place add column sample jsonb`.execute(db)
  await sql`create index place_sample on place (id) where sample is not null`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table place drop column sample`.execute(db)
}
