import { sql, type Kysely } from 'kysely'
import { guardTable } from '../row-security.ts'

/** Daily usage counts of each place, without personal data. And the states of a custom host. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table usage_day (
      place_id text not null references place (id) on delete cascade,
      -- '': of the place as a whole.
      data_type_id text not null default '',
      day date not null,
      requests bigint not null default 0,
      exports bigint not null default 0,
      -- As they stood at the end of the day (or stand now); null until counted.
      records bigint,
      storage_bytes bigint,
      primary key (place_id, data_type_id, day)
    )`.execute(db)
  // Only the product writes counts, never the place that is counted.
  await guardTable(db, 'usage_day', {
    read: sql`((select app_reads_all()) or place_id = any ((select app_places())::text[]))`,
    write: sql`false`,
  })

  // A host is checked repeatedly; a released one cannot be claimed by another place for 30 days.
  await sql`
    alter table place_domain
      add column checked_at timestamptz,
      add column failures int not null default 0,
      add column released_at timestamptz,
      -- Whether the host was last seen answering over TLS.
      add column certificate text not null default 'pending' check (certificate in ('pending', 'active', 'failed'))`.execute(
    db,
  )
  // A host with and without www is the same one: two places cannot each have one.
  await sql`create unique index place_domain_one on place_domain ((regexp_replace(host, '^www[.]', '')))`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>) {
  await sql`drop index place_domain_one`.execute(db)
  await sql`
    alter table place_domain
      drop column checked_at, drop column failures, drop column released_at, drop column certificate`.execute(
    db,
  )
  await sql`drop table usage_day`.execute(db)
}
