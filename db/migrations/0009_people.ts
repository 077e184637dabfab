import { sql, type Kysely } from 'kysely'
import { guardPlaceTable, guardTable } from '../rowSecurity.ts'

/** Invitations, lines of the trail that a place has put away, answers kept for repeated requests, switches. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create function app_user() returns text language sql stable parallel safe as
    $$ select coalesce(current_setting('app.user', true), '') $$`.execute(db)

  await sql`
    create table invite (
      id text primary key,
      place_id text not null references place (id) on delete cascade,
      email text not null check (email = lower(email)),
      role text not null references role (id),
      -- Of the token in the letter's link, SHA-256, hex. The token itself is nowhere.
      token_hash text not null unique,
      status text not null default 'pending' check (status in ('pending', 'accepted', 'revoked')),
      invited_by text,
      sent_at timestamptz not null default now(),
      expires_at timestamptz not null,
      accepted_at timestamptz,
      accepted_by text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index invite_place on invite (place_id, created_at desc)`.execute(db)
  await sql`create unique index invite_pending on invite (place_id, email) where status = 'pending'`.execute(
    db,
  )
  // Whoever holds the token sees the invitation it is of, and nothing else of the place.
  const holds = sql`token_hash = coalesce(current_setting('app.invite', true), '')`
  await guardPlaceTable(db, 'invite', { alsoRead: holds, alsoWrite: holds })

  // The trail is only ever added to; what a place does not want to see any more is put away here.
  await sql`
    create table activity_hidden (
      activity_id text primary key references activity (id) on delete cascade,
      place_id text not null references place (id) on delete cascade,
      hidden_by text,
      hidden_at timestamptz not null default now()
    )`.execute(db)
  await guardPlaceTable(db, 'activity_hidden')

  // What a request with an idempotency key was answered, for the same request sent again.
  await sql`
    create table idempotency (
      key text primary key,
      actor text not null,
      request_hash text not null,
      status int,
      body text,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index idempotency_age on idempotency (created_at)`.execute(db)
  const own = sql`actor = (select app_user())`
  await guardTable(db, 'idempotency', { read: own, write: own })

  // Switches of the whole product, such as "no importer runs".
  await sql`
    create table flag (
      name text primary key,
      is_on boolean not null,
      updated_by text,
      updated_at timestamptz not null default now()
    )`.execute(db)
  await guardTable(db, 'flag', { read: sql`true`, write: sql`false` })
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table flag, idempotency, activity_hidden, invite`.execute(db)
  await sql`drop function app_user()`.execute(db)
}
