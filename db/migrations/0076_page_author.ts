import { sql, type Kysely } from 'kysely'

/** Who wrote a story, as its readers are told; '' for nobody in particular: then its publisher speaks. Versions of a page have it as it was. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table page add column author text not null default ''`.execute(db)
  await sql`alter table page_version add column author text not null default ''`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table page_version drop column author`.execute(db)
  await sql`alter table page drop column author`.execute(db)
}
