import { sql, type Kysely } from 'kysely'

/**
 * The boundary of a place may be areas of its own boundary set: `{ boundarySetId, area }`, where `area` is
 * the code of one of them and null means all of them together. It has precedence over `boundary_id`. Without
 * a foreign key: rows of places also exist in databases without their sets.
 *
 * Tiles of public sets include measures of their areas, for maps of values per area and per inhabitant.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table place add column own_boundary jsonb`.execute(db)
  // Their files are written again, with the measures of their areas.
  await sql`update boundary_set set tiles_due_at = now() where visibility = 'public' and deleted_at is null`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table place drop column own_boundary`.execute(db)
}
