import { sql, type Kysely } from 'kysely'
import { guardPlaceTable } from '../row-security.ts'

/**
 * Parts of hubs that cannot be updated: what each waits for and until when, by the clock of the database.
 * Events are retried without end; each consumer (edge, files, pages) marks them separately, so none blocks
 * another.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table publish_failure (
      place_id text not null,
      -- 'pages': the pages of the hub; 'state': what is public of the place; else the host whose snapshot is not written.
      target text not null,
      -- Attempts that failed in a row.
      failures int not null default 0,
      failing_since timestamptz not null default now(),
      last_error_at timestamptz not null default now(),
      next_attempt_at timestamptz not null default now(),
      -- When the storage is asked whether it answers again: sooner than the next attempt. Null: something else failed.
      probe_at timestamptz,
      kind text not null check (kind in ('storage', 'database', 'page', 'question', 'time', 'service', 'unknown')),
      -- The page that could not be made.
      path text,
      -- Words for the people of the place.
      reason text not null,
      primary key (place_id, target)
    )`.execute(db)
  await guardPlaceTable(db, 'publish_failure')
  await sql`alter table publish_failure force row level security`.execute(db)

  // The last attempt to render its pages: the hub that has waited longest is next.
  await sql`alter table hub add column tried_at timestamptz`.execute(db)

  // A constant default does not rewrite the table: existing events are marked as handled at the time of the
  // migration.
  await sql`
    alter table outbox
      add column last_error text,
      -- When the edge was told of it.
      add column told_at timestamptz default now(),
      -- When the files of sources were asked for because of it.
      add column prepared_at timestamptz default now()`.execute(db)
  await sql`
    alter table outbox alter column told_at drop default, alter column prepared_at drop default`.execute(db)
  // Events that were given up after 50 attempts are retried again.
  await sql`
    update outbox set told_at = null, prepared_at = null, attempts = least(attempts, 49)
    where done_at is null`.execute(db)
  await sql`create index outbox_waiting on outbox (place_id, id) where done_at is null`.execute(db)
  await sql`create index outbox_untold on outbox (place_id, id) where told_at is null`.execute(db)
  await sql`
    create index outbox_unprepared on outbox (id)
      where prepared_at is null and kind in ('data', 'source', 'dataType')`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop index outbox_waiting, outbox_untold, outbox_unprepared`.execute(db)
  await sql`alter table outbox drop column last_error, drop column told_at, drop column prepared_at`.execute(
    db,
  )
  await sql`alter table hub drop column tried_at`.execute(db)
  await sql`drop table publish_failure`.execute(db)
}
