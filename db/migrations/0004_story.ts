import { sql, type Kysely } from 'kysely'

/** Insights with their stored answers, collections of them, and pages with their contents. */
export async function up(db: Kysely<unknown>) {
  await makeInsights(db)
  await makeCollections(db)
  await makePages(db)
}

/** Insights with their stored answers. */
async function makeInsights(db: Kysely<unknown>) {
  await sql`
    create table insight (
      id text primary key,
      place_id text not null references place (id),
      name text not null,
      notes text not null default '',
      visibility text not null default 'place' check (visibility in ('public', 'place', 'private')),
      data_type_id text not null references data_type (id),
      source_id text,
      visualization jsonb not null,
      query jsonb not null,
      version int not null default 1,
      created_by text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz,
      unique (id, place_id),
      foreign key (source_id, place_id) references source (id, place_id) on delete cascade
    )`.execute(db)
  await sql`create index insight_place on insight (place_id, name, id)`.execute(db)
  await sql`
    create table insight_result (
      insight_id text primary key,
      place_id text not null,
      version_key text not null,
      -- json, not jsonb: the order of the columns is the question's.
      output json not null,
      rows json not null,
      computed_at timestamptz not null default now(),
      foreign key (insight_id, place_id) references insight (id, place_id) on delete cascade
    )`.execute(db)
}

/** Collections, and the insights in them. */
async function makeCollections(db: Kysely<unknown>) {
  await sql`
    create table collection (
      id text primary key,
      place_id text not null references place (id),
      name text not null,
      notes text not null default '',
      visibility text not null default 'place' check (visibility in ('public', 'place', 'private')),
      version int not null default 1,
      created_by text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz,
      unique (id, place_id)
    )`.execute(db)
  await sql`create index collection_place on collection (place_id, name, id)`.execute(db)
  await sql`
    create table collection_insight (
      collection_id text not null,
      insight_id text not null,
      place_id text not null,
      position int not null,
      notes text not null default '',
      primary key (collection_id, insight_id),
      foreign key (collection_id, place_id) references collection (id, place_id) on delete cascade,
      foreign key (insight_id, place_id) references insight (id, place_id) on delete cascade
    )`.execute(db)
}

/** Pages with their contents. */
async function makePages(db: Kysely<unknown>) {
  await sql`
    create table page (
      id text primary key,
      place_id text not null references place (id),
      title text not null,
      description text not null default '',
      type text not null check (type in ('blank', 'dashboard', 'storytelling')),
      publish text not null default 'draft' check (publish in ('draft', 'published')),
      visibility text not null default 'place' check (visibility in ('public', 'place', 'private')),
      published_at timestamptz,
      version int not null default 1,
      created_by text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz,
      unique (id, place_id)
    )`.execute(db)
  await sql`create index page_place on page (place_id, title, id)`.execute(db)
  await sql`
    create table content (
      id text primary key,
      place_id text not null,
      page_id text not null,
      kind text not null check (kind in ('text', 'insight', 'image', 'video', 'map', 'embed', 'divider')),
      settings jsonb not null default '{}',
      position int not null,
      version int not null default 1,
      created_by text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz,
      foreign key (page_id, place_id) references page (id, place_id) on delete cascade
    )`.execute(db)
  await sql`create index content_page on content (page_id, position, id)`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table content, page, collection_insight, collection, insight_result, insight`.execute(db)
}
