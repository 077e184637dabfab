import { sql, type Kysely } from 'kysely'
import { guardPlaceTable, requireReasonOfSupport } from '../row-security.ts'

/**
 * Metadata that readers need to trust and cite a source: keywords, publisher, contact, update frequency, and
 * the URL of a licence that is not on the list. Null: not stated, and pages show nothing then. And the
 * published versions of its data: what each changed, and the checksum of its bytes. They are kept as long as
 * the source.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table source
      add column tags text[] not null default '{}',
      add column topic text,
      add column publisher text,
      add column publisher_url text,
      add column contact_name text,
      add column contact text,
      add column cadence text check (cadence in ('continuous', 'daily', 'weekly', 'fortnightly', 'monthly', 'quarterly',
        'halfYearly', 'yearly', 'everyTwoYears', 'irregular', 'never')),
      add column licence_url text`.execute(db)
  await sql`
    create table source_version (
      source_id text not null,
      place_id text not null,
      version int not null,
      -- The version that its counts are the difference to.
      since int not null,
      at timestamptz not null,
      records int not null,
      created int not null,
      updated int not null,
      removed int not null,
      -- Rows that the newest import in it refused; null: no import, or none that said so.
      refused int,
      fields_changed boolean not null default false,
      -- When its files were there for everyone; null: the next change is added to it.
      published_at timestamptz,
      -- Of its CSV, where one was prepared.
      sha256 text,
      bytes bigint,
      -- What was said of the source then.
      metadata jsonb,
      primary key (source_id, version),
      foreign key (source_id, place_id) references source (id, place_id) on delete cascade
    )`.execute(db)
  await sql`create unique index source_version_open on source_version (source_id) where published_at is null`.execute(
    db,
  )
  await guardPlaceTable(db, 'source_version', { alsoRead: sql`source_id in (select id from source)` })
  await sql`alter table source_version force row level security`.execute(db)
  await requireReasonOfSupport(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table source_version`.execute(db)
  await sql`
    alter table source
      drop column tags, drop column topic, drop column publisher, drop column publisher_url, drop column contact_name,
      drop column contact, drop column cadence, drop column licence_url`.execute(db)
}
