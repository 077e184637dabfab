import { sql, type Kysely } from 'kysely'

/** How an importer reads columns whose texts are ambiguous: decimal separators, the order of dates. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table importer add column columns jsonb not null default '{}'`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table importer drop column columns`.execute(db)
}
