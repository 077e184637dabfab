import { sql, type Kysely } from 'kysely'
import { guardPlaceTable } from '../row-security.ts'

/** Importers with their runs and log lines. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table importer (
      id text primary key,
      source_id text not null,
      place_id text not null,
      name text not null,
      enabled boolean not null default true,
      sources jsonb not null default '[]',
      -- Headers, passwords and tokens of the sources, encrypted; never given out.
      secrets text,
      mapping jsonb not null default '{}',
      mode text not null default 'upsert' check (mode in ('append', 'upsert', 'replace')),
      schedule text,
      timeout_seconds int not null default 3600,
      retries int not null default 3,
      notify_on_failure boolean not null default true,
      failures int not null default 0,
      next_run_at timestamptz,
      version int not null default 1,
      created_by text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz,
      foreign key (source_id, place_id) references source (id, place_id) on delete cascade,
      unique (id, place_id)
    )`.execute(db)
  await sql`create index importer_source on importer (source_id, name)`.execute(db)
  await sql`create index importer_due on importer (next_run_at) where enabled and deleted_at is null`.execute(
    db,
  )
  await guardPlaceTable(db, 'importer')

  await sql`
    create table job (
      id text primary key,
      importer_id text not null,
      source_id text not null,
      place_id text not null,
      status text not null default 'queued' check (status in
        ('queued', 'running', 'stopping', 'waiting', 'succeeded', 'failed', 'stopped', 'timedOut')),
      trigger text not null check (trigger in ('manual', 'schedule', 'api')),
      queued_at timestamptz not null default now(),
      started_at timestamptz,
      finished_at timestamptz,
      heartbeat_at timestamptz,
      lease_until timestamptz,
      fence int not null default 0,
      counts jsonb not null default '{"read":0,"created":0,"updated":0,"unchanged":0,"removed":0,"rejected":0}',
      error text,
      cursor jsonb,
      created_by text,
      foreign key (importer_id, place_id) references importer (id, place_id) on delete cascade,
      unique (id, place_id)
    )`.execute(db)
  await sql`create index job_importer on job (importer_id, queued_at desc)`.execute(db)
  // Only one run of an importer at a time.
  await sql`
    create unique index job_open on job (importer_id)
      where status in ('queued', 'running', 'stopping', 'waiting')`.execute(db)
  await guardPlaceTable(db, 'job')

  await sql`
    create table job_log (
      id bigint generated always as identity primary key,
      job_id text not null,
      place_id text not null,
      at timestamptz not null default now(),
      level text not null check (level in ('debug', 'info', 'warn', 'error')),
      message text not null,
      row bigint,
      url text,
      data jsonb,
      foreign key (job_id, place_id) references job (id, place_id) on delete cascade
    )`.execute(db)
  await sql`create index job_log_job on job_log (job_id, id)`.execute(db)
  await guardPlaceTable(db, 'job_log')
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table job_log, job, importer`.execute(db)
}
