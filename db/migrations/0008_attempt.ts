import { sql, type Kysely } from 'kysely'

/**
 * Counters for rate limits of what could be guessed or abused. `key` is a keyed hash of what is limited (an
 * address, an IP): the table identifies no one. Rows past `until` are ignored and swept.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table attempt (
      key text primary key,
      count int not null,
      until timestamptz not null
    )`.execute(db)
  await sql`create index attempt_until on attempt (until)`.execute(db)
  await sql`grant select, insert, update, delete on attempt to commonplace_app`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table attempt`.execute(db)
}
