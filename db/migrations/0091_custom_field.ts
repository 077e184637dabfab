import { sql, type Kysely } from 'kysely'
import { guardPlaceTable, guardTable, requireReasonOfSupport } from '../row-security.ts'

/**
 * Custom metadata fields of an organization for its sources, and who was notified of which overdue sources.
 *
 * Values are stored in the source by the keys of the fields. A reader gets only values of fields that they
 * may see: rows of the fields are protected by row-level security, so an internal value is never returned. A
 * removed field stays as a row, and so do the values that it hides.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table custom_field (
      place_id text not null references place (id) on delete cascade,
      key text not null check (key ~ '^[a-z][a-z0-9_]{0,39}$'),
      title text not null,
      -- What to write there, for who fills it in.
      notes text not null default '',
      kind text not null check (kind in ('text', 'longText', 'date', 'number', 'url', 'email', 'choice')),
      -- What one may choose from; empty for other kinds.
      choices text[] not null default '{}',
      required boolean not null default false,
      -- False: the people of the organization alone see the field and its values.
      is_public boolean not null default false,
      position int not null,
      -- Of the list of the place: all its fields have the same.
      version int not null,
      removed_at timestamptz,
      primary key (place_id, key)
    )`.execute(db)
  await guardPlaceTable(db, 'custom_field', { alsoRead: sql`(is_public and removed_at is null)` })
  await sql`alter table custom_field force row level security`.execute(db)
  await sql`alter table source add column custom_fields jsonb not null default '{}'`.execute(db)
  await sql`
    create table late_notice (
      source_id text not null,
      place_id text not null,
      user_id text not null references "user" (id) on delete cascade,
      -- The day by which the data were meant to come that the person was told of.
      due date not null,
      primary key (source_id, user_id),
      foreign key (source_id, place_id) references source (id, place_id) on delete cascade
    )`.execute(db)
  await sql`create index late_notice_user on late_notice (user_id)`.execute(db)
  await guardPlaceTable(db, 'late_notice')
  await sql`alter table late_notice force row level security`.execute(db)
  await sql`
    create table late_email (
      user_id text primary key references "user" (id) on delete cascade,
      is_on boolean not null default true,
      sent_at timestamptz
    )`.execute(db)
  // The transaction names the person whose unsubscribe link is used: its holder need not be signed in.
  const own = sql`(user_id = (select app_user()) or user_id = coalesce(current_setting('app.email_reader', true), ''))`
  await guardTable(db, 'late_email', { read: own, write: own })
  await sql`alter table late_email force row level security`.execute(db)
  await requireReasonOfSupport(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table late_email, late_notice, custom_field`.execute(db)
  await sql`alter table source drop column custom_fields`.execute(db)
}
