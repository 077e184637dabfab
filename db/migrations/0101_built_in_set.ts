import { sql, type Kysely } from 'kysely'
import { guardTable } from '../row-security.ts'

/** The outlines of the sets that everyone has, as columns were last calculated by them: a release changes some. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table built_in_set (
      id text primary key,
      -- As the manifest of tiles has it.
      hash text not null,
      noted_at timestamptz not null default now()
    )`.execute(db)
  await guardTable(db, 'built_in_set', { read: sql`(select app_reads_all())`, write: sql`false` })
  await sql`alter table built_in_set force row level security`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table built_in_set`.execute(db)
}
