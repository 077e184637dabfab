import { sql, type Kysely } from 'kysely'
import { guardPlaceTable, requireReasonOfSupport } from '../row-security.ts'

/**
 * Boundary sets of organizations. Shared boundaries (`boundary`) have no place, and everyone reads them;
 * these have the place and the visibility of their set. Replacing the file increments `edition`: the new
 * areas are written next to the old ones, and become those of the set atomically.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table boundary_set (
      id text primary key,
      place_id text not null references place (id) on delete cascade,
      name text not null,
      notes text not null default '',
      -- What people say of where it is from: who drew it, under which licence, of when it is.
      origin text not null default '',
      licence text not null default '',
      vintage text not null default '',
      visibility text not null check (visibility in ('public', 'place', 'private')),
      -- Which attributes of the file name an area and are its code; null: none does.
      name_field text,
      code_field text,
      edition int not null default 1,
      area_count int not null,
      vertex_count int not null,
      -- West, south, east, north in degrees; beyond 180 where it lies across the antimeridian.
      bounds jsonb not null,
      fields json not null default '[]',
      findings json not null default '[]',
      finding_count int not null default 0,
      version int not null default 1,
      created_by text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz,
      unique (id, place_id)
    )`.execute(db)
  await sql`create index boundary_set_place on boundary_set (place_id, name, id)`.execute(db)
  await sql`
    create table boundary_set_area (
      boundary_set_id text not null,
      place_id text not null,
      edition int not null,
      -- Where it stands in the file, from 1.
      number int not null,
      code text not null,
      name text not null,
      attributes json not null,
      area geometry(MultiPolygon, 4326) not null,
      primary key (boundary_set_id, edition, number),
      foreign key (boundary_set_id, place_id) references boundary_set (id, place_id) on delete cascade
    )`.execute(db)
  await guardPlaceTable(db, 'boundary_set', {
    alsoRead: sql`(visibility = 'public' and deleted_at is null)`,
  })
  await guardPlaceTable(db, 'boundary_set_area', {
    alsoRead: sql`boundary_set_id in (select id from boundary_set)`,
  })
  for (const table of tables) await sql`alter table ${sql.table(table)} force row level security`.execute(db)
  await requireReasonOfSupport(db)
}

export async function down(db: Kysely<unknown>) {
  for (const table of tables) await sql`drop table ${sql.table(table)}`.execute(db)
}

const tables = ['boundary_set_area', 'boundary_set']
