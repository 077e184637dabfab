import { sql, type Kysely } from 'kysely'

/**
 * Emits an event for each closed place: files of closed places are withheld from now on, and the edge has to
 * know which places those are.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    insert into outbox (kind, place_id, payload)
    select 'place', place_id, jsonb_build_object('id', place_id) from closed_place
    where reopened_at is null and purged_at is null`.execute(db)
}

/** The schema did not change, and events cannot be taken back. */
export async function down() {}
