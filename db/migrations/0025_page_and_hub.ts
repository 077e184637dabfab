import { sql, type Kysely } from 'kysely'
import { guardPlaceTable } from '../row-security.ts'

/** Versions of pages with author and time; and which sections the first page of a hub shows. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table page_version (
      id text primary key,
      place_id text not null,
      page_id text not null,
      -- Counts up in its page.
      number int not null,
      kind text not null check (kind in ('edited', 'published', 'restored')),
      title text not null,
      description text not null,
      -- [{ id, kind, settings }] in the order of the page.
      contents jsonb not null,
      -- Equal states have equal digests.
      digest text not null,
      bytes int not null,
      -- Of a restored one: when the state that it brought back was saved.
      restored_from timestamptz,
      -- Who saved it; null: the product, or no one knows any more.
      created_by text,
      -- From its first to its last save.
      created_at timestamptz not null,
      updated_at timestamptz not null,
      unique (page_id, number),
      foreign key (page_id, place_id) references page (id, place_id) on delete cascade
    )`.execute(db)
  // Readers of a public page do not see its versions: only the place can read them.
  await guardPlaceTable(db, 'page_version')
  // Names in the order of the page; null: all of them, in the default order.
  await sql`alter table place add column hub_sections jsonb`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table place drop column hub_sections`.execute(db)
  await sql`drop table page_version`.execute(db)
}
