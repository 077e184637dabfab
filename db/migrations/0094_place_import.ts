import { sql, type Kysely } from 'kysely'
import { guardPlaceTable, requireReasonOfSupport } from '../row-security.ts'

/**
 * The import of an archive that created a place, for the review afterwards: its origin, what was left out,
 * and what arrived switched off. One row per place, since an archive creates a place only once; its lists are
 * as short as archives have files.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table place_import (
      place_id text primary key references place (id) on delete cascade,
      -- As functions/shapes/importReview.ts has it.
      report jsonb not null,
      imported_by text references "user" (id) on delete set null,
      imported_at timestamptz not null,
      -- Someone said that all of it was looked at; null: it waits.
      reviewed_at timestamptz
    )`.execute(db)
  await sql`create index place_import_imported_by on place_import (imported_by)`.execute(db)
  await guardPlaceTable(db, 'place_import')
  await sql`alter table place_import force row level security`.execute(db)
  await requireReasonOfSupport(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table place_import`.execute(db)
}
