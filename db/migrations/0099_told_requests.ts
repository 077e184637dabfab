import { sql, type Kysely } from 'kysely'

/** When those who answer a request were told of it by email; null: not yet. */
export async function up(db: Kysely<unknown>) {
  await sql`alter table place_request add column told_at timestamptz`.execute(db)
  await sql`
    create index place_request_untold on place_request (created_at)
    where told_at is null and status = 'pending'`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop index place_request_untold`.execute(db)
  await sql`alter table place_request drop column told_at`.execute(db)
}
