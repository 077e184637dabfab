import { sql, type Kysely } from 'kysely'
import { guardAccountTable, unguardTable } from '../row-security.ts'

/**
 * Row-level security of the tables of identities, credentials and memberships. Some of it is read before the
 * actor is known, so a connection declares access to accounts (`app.accounts`): only the code of identity
 * gets such a one. Everyone else sees their own rows, and the people and write keys of the places they work
 * in.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create function app_accounts() returns boolean language sql stable parallel safe as
    $$ select coalesce(current_setting('app.accounts', true), '') = 'on'
      or coalesce(current_setting('app.global', true), '') = 'system' $$`.execute(db)
  for (const [table, who] of Object.entries(tables)) await guardAccountTable(db, table, who)
}

export async function down(db: Kysely<unknown>) {
  for (const table of Object.keys(tables)) {
    await sql`alter table ${sql.table(table)} no force row level security`.execute(db)
    await unguardTable(db, table)
  }
  await sql`drop function app_accounts()`.execute(db)
}

const own = sql`user_id = (select app_user())`
const nobody = sql`false`
const ofMyPlaces = sql`place_id = any ((select app_places())::text[])`
// Write keys of sources, never keys of people.
const ofAnyPlace = sql`(place_id is not null and (select app_writes_all()))`
const ownKeys = sql`(${own} or created_by = (select app_user()) or ${ofMyPlaces} or ${ofAnyPlace})`

const tables: Record<string, Parameters<typeof guardAccountTable>[2]> = {
  session: { read: own, write: own },
  account: { read: own, write: own },
  two_factor: { read: own, write: own },
  verification: { read: nobody, write: nobody },
  attempt: { read: nobody, write: nobody },
  api_key: { read: ownKeys, write: ownKeys },
  place_user: {
    // Memberships are part of the list of users, which support reads without a reason for the place.
    read: sql`(${own} or ${ofMyPlaces} or (select app_reads_all()))`,
    write: sql`(${ofMyPlaces} or (select app_writes_all()))`,
    // Everyone may leave a place.
    remove: sql`(${own} or ${ofMyPlaces} or (select app_writes_all()))`,
  },
}
