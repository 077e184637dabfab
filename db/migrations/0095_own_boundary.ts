import { sql, type Kysely } from 'kysely'

/**
 * A place may be drawn by areas of a boundary set of its own: `{ boundarySetId, area }`, where `area` is the code of one of them and null all
 * of them together. It goes before `boundary_id`. Without a foreign key: places are also rows where their sets are not.
 *
 * Areas of public sets say what they measure, for maps of values per area and per inhabitant.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table place add column own_boundary jsonb`.execute(db)
  // Their files are written again, with what their areas measure.
  await sql`update boundary_set set tiles_due_at = now() where visibility = 'public' and deleted_at is null`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table place drop column own_boundary`.execute(db)
}
