import { sql, type Kysely } from 'kysely'

/**
 * Super admins open a place with a reason, like support staff. Seeding does not add existing operations to
 * existing roles, so this migration does.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    insert into role_operation (role_id, operation_id)
    select r.id, o.id from role r, operation o where r.id = 'super_admin' and o.id = 'place.open' and o.is_built_in
    on conflict do nothing`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`delete from role_operation where role_id = 'super_admin' and operation_id = 'place.open'`.execute(
    db,
  )
}
