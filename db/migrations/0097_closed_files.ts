import { sql, type Kysely } from 'kysely'

/** Says again of each place that is closed that it is: files of closed places are withheld from now on, and the edge has to know which. */
export async function up(db: Kysely<unknown>) {
  await sql`
    insert into outbox (kind, place_id, payload)
    select 'place', place_id, jsonb_build_object('id', place_id) from closed_place
    where reopened_at is null and purged_at is null`.execute(db)
}

/** Nothing of the schema changed; what was said stays said. */
export async function down() {}
