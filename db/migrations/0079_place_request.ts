import { sql, type Kysely } from 'kysely'
import { guardPlaceTable, requireReasonOfSupport } from '../row-security.ts'

/**
 * Requests of people without an organization: for a new one (`new`), or to join an existing one (`join`).
 * Only the latter has a place, whose admins reply; super admins reply to the others. People see their own
 * requests, and may withdraw one while it is pending.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table place_request (
      id text primary key,
      kind text not null check (kind in ('new', 'join')),
      user_id text not null references "user" (id) on delete cascade,
      -- Of 'join': the organization.
      place_id text references place (id) on delete cascade,
      -- Of 'new': the id and the name it is to have, and its time zone.
      wanted_id text,
      name text,
      time_zone text,
      -- What the person says of themselves.
      note text not null default '' check (length(note) <= 1000),
      status text not null default 'pending' check (status in ('pending', 'accepted', 'refused', 'withdrawn')),
      -- What they were answered.
      reply text not null default '' check (length(reply) <= 1000),
      answered_by text references "user" (id) on delete set null,
      answered_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check ((kind = 'join') = (place_id is not null)),
      check ((kind = 'new') = (wanted_id is not null and name is not null))
    )`.execute(db)
  await sql`
    create unique index place_request_new on place_request (user_id) where kind = 'new' and status = 'pending'`.execute(
    db,
  )
  await sql`
    create unique index place_request_join on place_request (user_id, place_id)
    where kind = 'join' and status = 'pending'`.execute(db)
  await sql`create index place_request_place on place_request (place_id, created_at desc)`.execute(db)
  await sql`create index place_request_user on place_request (user_id, created_at desc)`.execute(db)
  await sql`create index place_request_answered_by on place_request (answered_by)`.execute(db)
  const own = sql`user_id = (select app_user())`
  await guardPlaceTable(db, 'place_request', {
    alsoRead: own,
    alsoWrite: sql`(${own} and status in ('pending', 'withdrawn') and answered_by is null)`,
  })
  await sql`alter table place_request force row level security`.execute(db)
  // Whether people with a confirmed address of the domain join without approval, as viewers.
  await sql`alter table mail_domain add column lets_join boolean not null default false`.execute(db)
  await requireReasonOfSupport(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table mail_domain drop column lets_join`.execute(db)
  await sql`drop table place_request`.execute(db)
}
