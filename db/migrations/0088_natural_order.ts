import { sql, type Kysely } from 'kysely'

/**
 * The collation of names in all lists: natural sort order, case-insensitive, accents next to their letter,
 * and numbers by value ("Ward 2" before "ward 10"). It distinguishes different texts, so lists can be paged
 * by it.
 */
export async function up(db: Kysely<unknown>) {
  await sql`create collation natural_order (provider = icu, locale = 'und-u-kn-true')`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop collation natural_order`.execute(db)
}
