import { sql, type Kysely } from 'kysely'

/**
 * A place may be drawn by areas of a boundary set of its own: `{ boundarySetId, area }`, where `area` is the code of one of them and null all
 * of them together. It goes before `boundary_id`. Without a foreign key: places are also rows where their sets are not.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table place add column own_boundary jsonb`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table place drop column own_boundary`.execute(db)
}
