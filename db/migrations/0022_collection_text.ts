import { sql, type Kysely } from 'kysely'
import { guardPlaceTable } from '../row-security.ts'

/** Texts of collections. They are listed among its insights: both share one order of `position`. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table collection_text (
      id text primary key,
      place_id text not null,
      collection_id text not null,
      title text not null,
      html text not null default '',
      position int not null,
      version int not null default 1,
      created_by text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz,
      foreign key (collection_id, place_id) references collection (id, place_id) on delete cascade
    )`.execute(db)
  await sql`create index collection_text_collection on collection_text (collection_id, position, id)`.execute(
    db,
  )
  await guardPlaceTable(db, 'collection_text', {
    alsoRead: sql`collection_id in (select id from collection)`,
  })
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table collection_text`.execute(db)
}
