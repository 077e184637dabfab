import { sql, type Kysely } from 'kysely'

/**
 * Creates `natural_order` with the older spelling of its locale. The embedded database reads a BCP 47 tag without its `-u-`
 * part, so that it sorted "Ward 10" before "ward 2"; Postgres takes both spellings for the same collation. No column or
 * index uses the collation, queries name it.
 */
export async function up(db: Kysely<unknown>) {
  await sql`drop collation natural_order`.execute(db)
  await sql`create collation natural_order (provider = icu, locale = 'und@colNumeric=yes')`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop collation natural_order`.execute(db)
  await sql`create collation natural_order (provider = icu, locale = 'und-u-kn-true')`.execute(db)
}
