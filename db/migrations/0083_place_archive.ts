import { sql, type Kysely } from 'kysely'
import { guardPlaceTable, requireReasonOfSupport } from '../row-security.ts'

/**
 * Archives of places: requests, progress, and until when they can be downloaded. The queue creates them one
 * after the other; `lease_until` is the expiry of the worker's lease, and `attempts` how often it was
 * started.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table place_archive (
      id text primary key,
      place_id text not null references place (id) on delete cascade,
      status text not null default 'queued' check (status in ('queued', 'running', 'ready', 'failed', 'expired')),
      -- Files that are in it, and that it is to have.
      done int not null default 0,
      files int,
      counts jsonb,
      -- Bytes.
      size bigint,
      sha256 text,
      -- Why it could not be made, in words.
      error text,
      attempts int not null default 0,
      lease_until timestamptz,
      created_by text references "user" (id) on delete set null,
      created_at timestamptz not null default now(),
      finished_at timestamptz,
      -- Until when it can be fetched; its bytes go then.
      expires_at timestamptz
    )`.execute(db)
  await sql`create index place_archive_place on place_archive (place_id, created_at desc)`.execute(db)
  await sql`create index place_archive_created_by on place_archive (created_by)`.execute(db)
  await sql`create unique index place_archive_open on place_archive (place_id) where status in ('queued', 'running')`.execute(
    db,
  )
  await sql`create index place_archive_due on place_archive (status, created_at) where status in ('queued', 'running', 'ready')`.execute(
    db,
  )
  await guardPlaceTable(db, 'place_archive')
  await sql`alter table place_archive force row level security`.execute(db)
  await requireReasonOfSupport(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table place_archive`.execute(db)
}
