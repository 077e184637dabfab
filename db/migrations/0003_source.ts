import { sql, type Kysely } from 'kysely'

/** Data types, sources, statistics of a source's records, and the keys that may write one. */
export async function up(db: Kysely<unknown>) {
  await makeSources(db)
  await makeRecordFacts(db)
  await makeApiKeys(db)
}

/** Data types, and sources of them. */
async function makeSources(db: Kysely<unknown>) {
  await sql`
    create table data_type (
      id text primary key check (id ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
      name text not null,
      category text,
      notes text not null default '',
      -- json, not jsonb: the order of the fields is the person's.
      schema json not null default '{}',
      temporal jsonb,
      mapping_label_schema jsonb,
      owner_place_id text references place (id),
      table_name text unique,
      version int not null default 1,
      created_by text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz
    )`.execute(db)
  await sql`
    create table source (
      id text primary key,
      place_id text not null references place (id),
      data_type_id text not null references data_type (id),
      name text not null,
      notes text not null default '',
      visibility text not null default 'place' check (visibility in ('public', 'place', 'private')),
      attribution text,
      attribution_url text,
      licence text,
      data_version int not null default 0,
      data_updated_at timestamptz,
      version int not null default 1,
      created_by text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz,
      unique (id, place_id)
    )`.execute(db)
  await sql`create index source_place on source (place_id, name, id)`.execute(db)
  await sql`create index source_data_type on source (data_type_id)`.execute(db)
}

/** Statistics of a source's records: counts, map cells, and the history of rows. */
async function makeRecordFacts(db: Kysely<unknown>) {
  await sql`
    create table source_stat (
      source_id text primary key,
      place_id text not null,
      count int not null default 0,
      extent jsonb,
      fields jsonb not null default '{}',
      updated_at timestamptz not null default now(),
      foreign key (source_id, place_id) references source (id, place_id) on delete cascade
    )`.execute(db)
  await sql`
    create table cluster_pyramid (
      source_id text not null,
      place_id text not null,
      z smallint not null,
      cell bigint not null,
      n int not null,
      sum_x double precision not null,
      sum_y double precision not null,
      primary key (source_id, z, cell),
      foreign key (source_id, place_id) references source (id, place_id) on delete cascade
    )`.execute(db)
  await sql`
    create table data_history (
      id bigint generated always as identity primary key,
      source_id text not null,
      place_id text not null,
      version int not null,
      external_id text not null,
      row jsonb,
      created_at timestamptz not null default now(),
      foreign key (source_id, place_id) references source (id, place_id) on delete cascade
    )`.execute(db)
  await sql`create index data_history_source on data_history (source_id, version, external_id)`.execute(db)
}

/** Keys of an account, or of a single source. */
async function makeApiKeys(db: Kysely<unknown>) {
  await sql`
    create table api_key (
      id text primary key,
      hash text not null unique,
      prefix text not null,
      user_id text references "user" (id) on delete cascade,
      source_id text references source (id) on delete cascade,
      place_id text references place (id) on delete cascade,
      scope text not null check (scope in ('account', 'source')),
      name text not null default '',
      last_used_at timestamptz,
      created_at timestamptz not null default now(),
      revoked_at timestamptz,
      check ((scope = 'account') = (user_id is not null)),
      check ((scope = 'source') = (source_id is not null))
    )`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table api_key, data_history, cluster_pyramid, source_stat, source, data_type`.execute(db)
}
