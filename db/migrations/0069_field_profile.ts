import { sql, type Kysely } from 'kysely'
import { guardPlaceTable, requireReasonOfSupport } from '../row-security.ts'

/**
 * Profiles of the values of each field of a source, for one version of its data: counts, distinct counts,
 * most frequent values, quantiles, a histogram. Visible to those who can see the source, like `source_stat`.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table field_profile (
      source_id text not null,
      place_id text not null,
      field text not null,
      -- Of which type its records were, and what is counted how: another one makes this void.
      data_type_id text not null,
      kind text not null,
      -- Of which version of the source's data, and the largest id of its records then.
      data_version int not null,
      last_id bigint not null,
      -- How many records there were when all of them were last looked at.
      whole_records int not null,
      -- As it is shown.
      profile jsonb not null,
      -- As others are added to it: JSON, which only this product reads.
      state text not null,
      primary key (source_id, field),
      foreign key (source_id, place_id) references source (id, place_id) on delete cascade
    )`.execute(db)
  await guardPlaceTable(db, 'field_profile', { alsoRead: sql`source_id in (select id from source)` })
  await sql`alter table field_profile force row level security`.execute(db)
  await requireReasonOfSupport(db)
  // The newest version in which a record was changed, deleted or restored: since then records were only
  // added, with ids larger than all before.
  await sql`alter table source_stat add column changed_version int not null default 0`.execute(db)
  // What the newest import with changes read as empty.
  await sql`alter table source_stat add column read_as_empty jsonb`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table source_stat drop column read_as_empty, drop column changed_version`.execute(db)
  await sql`drop table field_profile`.execute(db)
}
