import { sql, type Kysely } from 'kysely'
import { guardPlaceTable, guardTable, unguardTable } from '../row-security.ts'

/** Invitations, hidden audit log entries, stored responses of idempotent requests, and feature flags. */
export async function up(db: Kysely<unknown>) {
  await makeInvites(db)
  await guardRoles(db)
  await trimActivity(db)
  await makeIdempotency(db)
  await makeFlags(db)
}

/** Invitations, and the function that returns the current user. */
async function makeInvites(db: Kysely<unknown>) {
  await sql`
    create function app_user() returns text language sql stable parallel safe as
    $$ select coalesce(current_setting('app.user', true), '') $$`.execute(db)

  await sql`
    create table invite (
      id text primary key,
      place_id text not null references place (id) on delete cascade,
      email text not null check (email = lower(email)),
      -- No reference: what is settled keeps the name of a role that is gone, and accepting asks whether it is there.
      role text not null,
      -- Of the token in the letter's link, SHA-256, hex. The token itself is nowhere.
      token_hash text not null unique,
      status text not null default 'pending' check (status in ('pending', 'accepted', 'expired', 'revoked')),
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
  // The holder of the token sees the invitation it belongs to, and nothing else of the place; so does the
  // person whose confirmed address it was sent to: both prove that they could read the email.
  const holds = sql`(token_hash = coalesce(current_setting('app.invite', true), '')
    or email = (select u.email from "user" u where u.id = app_user() and u.email_verified))`
  await guardPlaceTable(db, 'invite', { alsoRead: holds, alsoWrite: holds })
  await sql`create index invite_email on invite (email) where status = 'pending'`.execute(db)
}

/** Roles and operations, which can be changed from now on. */
async function guardRoles(db: Kysely<unknown>) {
  // Everyone sees what roles may do, and super admins change it: row-level security enforces that too.
  await sql`alter table role add column version int not null default 1`.execute(db)
  await sql`alter table operation add column version int not null default 1`.execute(db)
  // False: an operation for the organisation's own records, which no code checks.
  await sql`alter table operation add column is_built_in boolean not null default true`.execute(db)
  for (const table of ['role', 'operation', 'role_operation'])
    await guardTable(db, table, { read: sql`true`, write: sql`false` })
}

/** Hides audit log entries, and deletes those older than a year. */
async function trimActivity(db: Kysely<unknown>) {
  // The audit log is append-only; entries that a place no longer wants to see are recorded here.
  await sql`
    create table activity_hidden (
      activity_id text primary key references activity (id) on delete cascade,
      place_id text not null references place (id) on delete cascade,
      hidden_by text,
      hidden_at timestamptz not null default now()
    )`.execute(db)
  await guardPlaceTable(db, 'activity_hidden')
  // The numbers of created, updated and deleted records of a write; null for other entries.
  await sql`alter table activity add column counts jsonb`.execute(db)
  // The application's role may not delete entries, so this function is the only way to enforce the retention
  // of one year.
  await sql`
    create function sweep_activity() returns bigint language plpgsql security definer
    set search_path = public, pg_temp as $$
    declare gone bigint;
    begin
      if not app_writes_all() then raise exception 'only the product itself sweeps the trail'; end if;
      delete from activity where id in (
        select id from activity where at < now() - interval '1 year' order by at limit 50000);
      get diagnostics gone = row_count;
      return gone;
    end $$`.execute(db)
  await sql`create index activity_age on activity (at)`.execute(db)
  await sql`revoke all on function sweep_activity() from public`.execute(db)
  await sql`grant execute on function sweep_activity() to commonplace_app`.execute(db)
}

/** Stored responses of repeated requests. */
async function makeIdempotency(db: Kysely<unknown>) {
  // The response of a request with an idempotency key, returned when the same request is repeated.
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
}

/** Feature flags of the whole product, such as "no importer runs". */
async function makeFlags(db: Kysely<unknown>) {
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
  await sql`drop function sweep_activity()`.execute(db)
  await sql`drop index activity_age`.execute(db)
  await sql`alter table activity drop column counts`.execute(db)
  for (const table of ['role', 'operation', 'role_operation']) await unguardTable(db, table)
  await sql`alter table operation drop column is_built_in, drop column version`.execute(db)
  await sql`alter table role drop column version`.execute(db)
  await sql`drop table flag, idempotency, activity_hidden, invite`.execute(db)
  await sql`drop function app_user()`.execute(db)
}
