import { sql, type Kysely } from 'kysely'

/** Dry runs, which can be committed later, and roll backs. */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table job
      -- What it is for: bringing rows in, only saying what that would do, or taking back what another run did.
      add column kind text not null default 'run' check (kind in ('run', 'dryRun', 'rollback')),
      -- Of a roll back: the run that it takes back.
      add column undoes text,
      -- The version of the source's data that it made; null: none yet, or it changed nothing.
      add column data_version int,
      -- Of a dry run: the version that it was compared with, and until when what it read can be committed.
      add column compared_with int,
      add column held_until timestamptz,
      add column preview jsonb,
      -- The roll back that took this run back.
      add column undone_by text,
      add check ((kind = 'rollback') = (undoes is not null))`.execute(db)
  await sql`create index job_data_version on job (source_id, data_version) where data_version is not null`.execute(
    db,
  )
  await sql`alter table import_reject add column url text`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table import_reject drop column url`.execute(db)
  await sql`
    alter table job drop column undone_by, drop column preview, drop column held_until, drop column compared_with,
      drop column data_version, drop column undoes, drop column kind`.execute(db)
}
