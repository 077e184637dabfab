import { sql, type Kysely } from 'kysely'

/** The languages of a place's hub in order, its own first; null: all supported ones, English first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table place add column languages jsonb`.execute(db)
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`alter table place drop column languages`.execute(db)
}
