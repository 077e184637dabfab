import { sql, type Kysely } from 'kysely'

/**
 * Records store the area of a boundary set that contains them. `regions_due_at`: since when the areas have
 * changed and the records of the source must be assigned again.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table source_stat add column regions_due_at timestamptz`.execute(db)
  await sql`create index source_stat_regions_due on source_stat (regions_due_at) where regions_due_at is not null`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table source_stat drop column regions_due_at`.execute(db)
}
