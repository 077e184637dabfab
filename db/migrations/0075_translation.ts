import { sql, type Kysely } from 'kysely'
import { guardPlaceTable, requireReasonOfSupport } from '../row-security.ts'

/**
 * Texts of a place's nouns in other languages than its hub's own. `original` is the text that was translated:
 * if it differs from the current one, the translation is outdated. The translatable texts are listed in
 * `functions/shapes/translatable.ts`. A row is visible where its noun is; the nightly purge removes those of
 * deleted nouns.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table translation (
      id text primary key,
      place_id text not null references place (id) on delete cascade,
      noun text not null,
      noun_id text not null,
      path text not null,
      language text not null,
      text text not null,
      original text not null,
      version int not null default 1,
      updated_by text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (place_id, language, noun, noun_id, path)
    )`.execute(db)
  const isSeen = sql`case noun
    when 'place' then true
    when 'dataType' then noun_id in (select id from data_type)
    when 'source' then noun_id in (select id from source)
    when 'insight' then noun_id in (select id from insight)
    when 'collection' then noun_id in (select id from collection)
    when 'collectionText' then noun_id in (select id from collection_text)
    when 'page' then noun_id in (select id from page)
    when 'content' then noun_id in (select id from content)
    else false end`
  await guardPlaceTable(db, 'translation', { alsoRead: isSeen })
  await sql`alter table translation force row level security`.execute(db)
  await requireReasonOfSupport(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table translation`.execute(db)
}
