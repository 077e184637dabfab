import { sql, type Kysely } from 'kysely'

/** Records know the area of a boundary set that they lie in. Set: since then the areas are others, and the records of the source have to be looked at. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table source_stat add column regions_due_at timestamptz`.execute(db)
  await sql`create index source_stat_regions_due on source_stat (regions_due_at) where regions_due_at is not null`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table source_stat drop column regions_due_at`.execute(db)
}
