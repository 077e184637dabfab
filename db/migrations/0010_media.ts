import { sql, type Kysely } from 'kysely'
import { guardPlaceTable } from '../row-security.ts'

/**
 * Files: of the library of a place or a person, of a place itself, or of a source. And short links for
 * sharing.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table asset_folder (
      id text primary key,
      place_id text references place (id) on delete cascade,
      user_id text references "user" (id) on delete cascade,
      parent_id text references asset_folder (id) on delete cascade,
      name text not null,
      version int not null default 1,
      created_by text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz,
      check (num_nonnulls(place_id, user_id) = 1)
    )`.execute(db)
  await sql`create index asset_folder_place on asset_folder (place_id, parent_id, name)`.execute(db)
  await sql`create index asset_folder_user on asset_folder (user_id, parent_id, name)`.execute(db)
  await sql`
    create table asset (
      id text primary key,
      place_id text references place (id) on delete cascade,
      user_id text references "user" (id) on delete cascade,
      folder_id text references asset_folder (id) on delete set null,
      -- Of a library, of the place itself (its logo), or of a source (a table that was uploaded).
      purpose text not null default 'library' check (purpose in ('library', 'place', 'source')),
      source_id text references source (id) on delete cascade,
      name text not null,
      type text not null,
      size bigint not null default 0,
      -- Name in the bucket: made by us, never from the file's name.
      key text not null unique,
      state text not null default 'waiting' check (state in ('waiting', 'ready')),
      hash text,
      width int,
      height int,
      alt text not null default '',
      focal_x double precision not null default 0.5 check (focal_x between 0 and 1),
      focal_y double precision not null default 0.5 check (focal_y between 0 and 1),
      expires_at timestamptz,
      version int not null default 1,
      created_by text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz,
      check (num_nonnulls(place_id, user_id) = 1),
      check ((purpose = 'source') = (source_id is not null))
    )`.execute(db)
  await sql`create index asset_place on asset (place_id, folder_id, name)`.execute(db)
  await sql`create index asset_user on asset (user_id, folder_id, name)`.execute(db)
  await sql`create index asset_source on asset (source_id) where source_id is not null`.execute(db)
  const own = sql`user_id = (select app_user())`
  for (const table of ['asset_folder', 'asset'])
    await guardPlaceTable(db, table, { alsoRead: own, alsoWrite: own })

  await sql`
    create table short_link (
      code text primary key check (code ~ '^[A-Za-z0-9]{6,12}$'),
      place_id text not null references place (id) on delete cascade,
      -- Path and query on the place's hub or the workspace; never another site.
      path text not null check (path like '/%' and path not like '//%' and position(chr(92) in path) = 0),
      on_hub boolean not null,
      created_by text,
      created_at timestamptz not null default now(),
      unique (place_id, on_hub, path)
    )`.execute(db)
  // Support staff may share what they see; they write nothing else.
  await guardPlaceTable(db, 'short_link', {
    alsoRead: sql`true`,
    alsoWrite: sql`(select app_reads_all())`,
  })
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table short_link, asset, asset_folder`.execute(db)
}
