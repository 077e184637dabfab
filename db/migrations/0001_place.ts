import { sql, type Kysely } from 'kysely'

/** Places, their hosts, and the boundaries they may reference. */
export async function up(db: Kysely<unknown>) {
  await sql`create extension if not exists postgis`.execute(db)
  await sql`
    create table boundary (
      id text primary key,
      code text not null,
      name text not null,
      type text not null check (type in ('country', 'state', 'county')),
      parent_id text references boundary (id),
      area geometry(MultiPolygon, 4326) not null,
      has_all_states_boundary boolean not null default false
    )`.execute(db)
  await sql`create index boundary_type_name on boundary (type, name, id)`.execute(db)
  await sql`create index boundary_area on boundary using gist (area)`.execute(db)
  await sql`
    create table place (
      id text primary key check (id ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
      name text not null,
      display_name text not null,
      description text not null default '',
      about text not null default '',
      is_hub boolean not null default false,
      time_zone text not null default 'UTC',
      theme jsonb not null default '{}',
      map_configuration jsonb not null default '{}',
      boundary_id text references boundary (id),
      all_states_boundary_id text,
      version int not null default 1,
      created_by text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz
    )`.execute(db)
  await sql`
    create table place_domain (
      host text primary key check (host = lower(host)),
      place_id text not null references place (id) on delete cascade,
      token text not null,
      verified_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index place_domain_place on place_domain (place_id)`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table place_domain, place, boundary`.execute(db)
}
