import { sql, type Kysely } from 'kysely'

/** Tags of insights, collections and pages, as sources have them. */
export async function up(db: Kysely<unknown>) {
  for (const table of ['insight', 'collection', 'page'])
    await sql`alter table ${sql.table(table)} add column tags text[] not null default '{}'`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  for (const table of ['insight', 'collection', 'page'])
    await sql`alter table ${sql.table(table)} drop column tags`.execute(db)
}
