import { sql, type Kysely } from 'kysely'

/**
 * The order of names in all lists: as people sort, whatever the case, with accents beside their letter, and numbers by what they count
 * ("Ward 2" before "ward 10"). It tells different texts apart, so it can be paged through.
 */
export async function up(db: Kysely<unknown>) {
  await sql`create collation natural_order (provider = icu, locale = 'und-u-kn-true')`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop collation natural_order`.execute(db)
}
