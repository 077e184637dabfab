import { sql, type Kysely } from 'kysely'

/**
 * A boundary set may subdivide the areas of another set of its place. `nesting`: how far it does; null
 * without a parent.
 *
 * Public sets have an archive of tiles, built by the queue. `tiles` null: there is none, as always for sets
 * that are not public; `tiles_due_at`: when it is due to be built.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table boundary_set add column tiles jsonb, add column tiles_due_at timestamptz,
      add column parent_id text references boundary_set (id) on delete set null, add column nesting jsonb`.execute(
    db,
  )
  await sql`create index boundary_set_parent on boundary_set (parent_id) where parent_id is not null`.execute(
    db,
  )
  await sql`update boundary_set set tiles_due_at = now() where visibility = 'public' and deleted_at is null`.execute(
    db,
  )
  await sql`create index boundary_set_tiles_due on boundary_set (tiles_due_at) where tiles_due_at is not null`.execute(
    db,
  )
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table boundary_set drop column tiles, drop column tiles_due_at, drop column parent_id, drop column nesting`.execute(
    db,
  )
}
