import { sql, type Kysely } from 'kysely'
import { guardPlaceTable, guardTable, unguardTable } from '../rowSecurity.ts'

/** Invitations, lines of the trail that a place has put away, answers kept for repeated requests, switches. */
export async function up(db: Kysely<unknown>) {
  await makeInvites(db)
  await guardRoles(db)
  await trimActivity(db)
  await makeIdempotency(db)
  await makeFlags(db)
}

/** Invitations, and the function that says who asks. */
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
  // Whoever holds the token sees the invitation it is of, and nothing else of the place; so does the person whose
  // confirmed address it was sent to: both prove that the letter could be read.
  const holds = sql`(token_hash = coalesce(current_setting('app.invite', true), '')
    or email = (select u.email from "user" u where u.id = app_user() and u.email_verified))`
  await guardPlaceTable(db, 'invite', { alsoRead: holds, alsoWrite: holds })
  await sql`create index invite_email on invite (email) where status = 'pending'`.execute(db)
}

/** Roles and operations, which people may change now. */
async function guardRoles(db: Kysely<unknown>) {
  // What roles may do is seen by all and changed by super admins: the second wall says so as well.
  await sql`alter table role add column version int not null default 1`.execute(db)
  await sql`alter table operation add column version int not null default 1`.execute(db)
  // False: an operation of the organisation's own bookkeeping, which no code asks for.
  await sql`alter table operation add column is_built_in boolean not null default true`.execute(db)
  for (const table of ['role', 'operation', 'role_operation'])
    await guardTable(db, table, { read: sql`true`, write: sql`false` })
}

/** Lines of the trail that are put away, and those that are older than a year. */
async function trimActivity(db: Kysely<unknown>) {
  // The trail is only ever added to; what a place does not want to see any more is put away here.
  await sql`
    create table activity_hidden (
      activity_id text primary key references activity (id) on delete cascade,
      place_id text not null references place (id) on delete cascade,
      hidden_by text,
      hidden_at timestamptz not null default now()
    )`.execute(db)
  await guardPlaceTable(db, 'activity_hidden')
  // How many records a write made, changed and removed; null for lines about anything else.
  await sql`alter table activity add column counts jsonb`.execute(db)
  // The application's role may not take lines away, so what is kept for one year goes by this door and no other.
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

/** Answers of repeated requests. */
async function makeIdempotency(db: Kysely<unknown>) {
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
}

/** Switches of the whole product, such as "no importer runs". */
async function makeFlags(db: Kysely<unknown>) {
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
  await sql`drop function sweep_activity()`.execute(db)
  await sql`drop index activity_age`.execute(db)
  await sql`alter table activity drop column counts`.execute(db)
  for (const table of ['role', 'operation', 'role_operation']) await unguardTable(db, table)
  await sql`alter table operation drop column is_built_in, drop column version`.execute(db)
  await sql`alter table role drop column version`.execute(db)
  await sql`drop table flag, idempotency, activity_hidden, invite`.execute(db)
  await sql`drop function app_user()`.execute(db)
}
