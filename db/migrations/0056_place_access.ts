import { sql, type Kysely } from 'kysely'
import {
  guardTable,
  replaceInFunction,
  requireNoReasonOfSupport,
  requireReasonOfSupport,
} from '../row-security.ts'

/**
 * Support staff can read a place only after giving a reason: `place_access` records who opened which place in
 * which session, and until when. `app.opened` has the ids of those places, comma separated; they are readable
 * like `app.places` and never writable. Without one, support sees of a place what everyone sees. Accounts of
 * people belong to no place and are unchanged.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create function app_opened() returns text[] language sql stable parallel safe as
    $$ select string_to_array(coalesce(current_setting('app.opened', true), ''), ',') $$`.execute(db)
  await requireReasonOfSupport(db)
  for (const name of dataTableGuards) await replaceInFunction(db, name, before, after)
  await sql`
    create table place_access (
      id text primary key,
      user_id text not null references "user" (id) on delete cascade,
      -- Null: that session has ended, and what it opened with it.
      session_id text references session (id) on delete set null,
      place_id text not null references place (id) on delete cascade,
      reason text not null check (length(reason) between 1 and 500),
      opened_at timestamptz not null,
      -- When it is over: an hour after it began, or when the person left.
      ends_at timestamptz not null check (ends_at between opened_at and opened_at + interval '1 hour')
    )`.execute(db)
  await sql`create index place_access_session on place_access (session_id, ends_at)`.execute(db)
  await sql`create index place_access_user on place_access (user_id)`.execute(db)
  await sql`create index place_access_place on place_access (place_id)`.execute(db)
  await sql`create index place_access_ends on place_access (ends_at)`.execute(db)
  const own = sql`user_id = (select app_user())`
  await guardTable(db, 'place_access', {
    read: own,
    write: sql`(${own} and (select app_global()) = 'support')`,
  })
  await sql`alter table place_access force row level security`.execute(db)
  // Support staff who open a place record that in its audit log, where they may write nothing else.
  const says = sql`((select app_global()) = 'support' and actor_id = (select app_user())
    and verb in ('accessOpened', 'accessEnded'))`
  await sql`alter policy activity_insert on activity with check (${addsLines} or ${says})`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter policy activity_insert on activity with check (${addsLines})`.execute(db)
  await sql`drop table place_access`.execute(db)
  for (const name of dataTableGuards) await replaceInFunction(db, name, after, before)
  await requireNoReasonOfSupport(db)
  await sql`drop function app_opened()`.execute(db)
}

/** The functions that protect new tables of records. */
const dataTableGuards = ['make_data_table(text, jsonb, text)', 'guard_data_table(text)']
const before = '(select app_reads_all())'
const after = '((select app_writes_all()) or place_id = any ((select app_opened())::text[]))'

/** Who may add an entry so far: see 0051. */
const addsLines = sql`((select app_writes_all()) or place_id = any ((select app_places())::text[])
  or (person_id = (select app_user()) and place_id is null))`
