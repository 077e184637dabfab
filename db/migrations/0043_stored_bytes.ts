import { sql, type Kysely } from 'kysely'
import { guardTable } from '../row-security.ts'

/** Whether the bytes of files match their rows, and the results of comparing the two. */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table asset
      -- Of a deleted file: when its bytes went. Null: they may still be in the bucket.
      add column bytes_gone_at timestamptz,
      -- Since when the bytes of a file that is not deleted are known to be missing; null: they are there as far as anyone knows.
      add column missing_at timestamptz`.execute(db)
  // Until now the bytes were deleted before the row was marked as deleted.
  await sql`update asset set bytes_gone_at = deleted_at where deleted_at is not null`.execute(db)
  await sql`
    create index asset_bytes_left on asset (deleted_at)
      where deleted_at is not null and bytes_gone_at is null`.execute(db)
  await sql`create index asset_missing on asset (place_id) where missing_at is not null`.execute(db)
  // The order in which the bucket lists its objects.
  await sql`create index asset_key_bytes on asset (key collate "C")`.execute(db)
  await sql`
    create table storage_check (
      -- Which objects: the beginning of their names.
      part text primary key,
      -- The last name that was looked at; '' at the beginning.
      cursor text not null default '',
      -- What was found since the beginning, and by the last pass that came to its end.
      counts jsonb not null default '{}',
      last jsonb,
      ended_at timestamptz
    )`.execute(db)
  await guardTable(db, 'storage_check', { read: sql`(select app_reads_all())`, write: sql`false` })
  await sql`alter table storage_check force row level security`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table storage_check`.execute(db)
  await sql`drop index asset_key_bytes, asset_missing, asset_bytes_left`.execute(db)
  await sql`alter table asset drop column missing_at, drop column bytes_gone_at`.execute(db)
}
