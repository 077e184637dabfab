import { sql, type Kysely } from 'kysely'
import { guardPlaceTable, guardTable, requireReasonOfSupport } from '../row-security.ts'

/**
 * Error reports of readers of a hub, who need no account. Only their text is stored, and an email address if
 * they gave one; everything is deleted with the source, the place, or after half a year
 * (`functions/domain/errorReport/sweep.ts`).
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table error_report (
      id text primary key,
      place_id text not null references place (id) on delete cascade,
      source_id text not null references source (id) on delete cascade,
      -- What it is about within the source, as the sender's form had it: neither needs to be there.
      datum_id text,
      insight_id text,
      text text not null check (length(text) between 1 and 4000),
      email text check (length(email) <= 254),
      -- The language of the page that was reported from.
      locale text not null,
      status text not null default 'open' check (status in ('open', 'answered', 'closed', 'spam')),
      -- What the people of the place say of it among themselves.
      note text not null default '' check (length(note) <= 4000),
      version int not null default 1,
      -- A hash of the form and what was sent by it: the same form sent again is the same report.
      form_hash text not null unique,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      -- When an email told of it; null: none did.
      told_at timestamptz
    )`.execute(db)
  await sql`create index error_report_place on error_report (place_id, created_at desc)`.execute(db)
  await sql`create index error_report_source on error_report (source_id)`.execute(db)
  await sql`create index error_report_end on error_report (created_at)`.execute(db)
  await sql`
    create index error_report_untold on error_report (place_id) where told_at is null and status = 'open'`.execute(
    db,
  )
  await sql`
    create table error_report_digest (
      place_id text primary key references place (id) on delete cascade,
      sent_at timestamptz not null
    )`.execute(db)
  await sql`
    create table error_report_mute (
      place_id text not null references place (id) on delete cascade,
      user_id text not null references "user" (id) on delete cascade,
      created_at timestamptz not null default now(),
      primary key (place_id, user_id)
    )`.execute(db)
  await sql`create index error_report_mute_user on error_report_mute (user_id)`.execute(db)
  await guardPlaceTable(db, 'error_report')
  await guardPlaceTable(db, 'error_report_digest')
  // The transaction names the person whose unsubscribe link is used: its holder need not be signed in.
  const own = sql`(user_id = (select app_user()) or user_id = coalesce(current_setting('app.email_reader', true), ''))`
  await guardTable(db, 'error_report_mute', { read: own, write: own })
  for (const table of tables) await sql`alter table ${sql.table(table)} force row level security`.execute(db)
  await requireReasonOfSupport(db)
}

export async function down(db: Kysely<unknown>) {
  for (const table of tables) await sql`drop table ${sql.table(table)}`.execute(db)
}

const tables = ['error_report_mute', 'error_report_digest', 'error_report']
