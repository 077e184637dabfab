import { sql, type Kysely } from 'kysely'

/** How an importer reads the columns of its source, where texts alone do not say it: decimal signs, the order of dates. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table importer add column columns jsonb not null default '{}'`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table importer drop column columns`.execute(db)
}
