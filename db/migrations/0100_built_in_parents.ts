import { sql, type Kysely } from 'kysely'

/**
 * The parent of a set can be a built-in one, which has no row: instead of a reference, a deleted set is taken out of those
 * that are parts of it.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table boundary_set drop constraint boundary_set_parent_id_fkey`.execute(db)
  await sql`
    create function leave_parent() returns trigger language plpgsql as $$
    begin
      update boundary_set set parent_id = null, nesting = null where parent_id = old.id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger boundary_set_leaves_parts after delete on boundary_set
    for each row execute function leave_parent()`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop trigger boundary_set_leaves_parts on boundary_set`.execute(db)
  await sql`drop function leave_parent()`.execute(db)
  await sql`
    update boundary_set part set parent_id = null, nesting = null
    where parent_id is not null and not exists (select from boundary_set whole where whole.id = part.parent_id)`.execute(
    db,
  )
  await sql`
    alter table boundary_set add constraint boundary_set_parent_id_fkey
    foreign key (parent_id) references boundary_set (id) on delete set null`.execute(db)
}
