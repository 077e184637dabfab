import { sql, type Kysely } from 'kysely'

/**
 * People, their sessions and keys, and their roles in places. Columns of the first four tables are the auth
 * library's.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table "user" (
      id text primary key,
      email text not null unique check (email = lower(email)),
      name text not null,
      image text,
      email_verified boolean not null default false,
      role text check (role in ('super_admin', 'support')),
      auth_method text not null default 'password',
      onboarding jsonb not null default '{}',
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table session (
      id text primary key,
      user_id text not null references "user" (id) on delete cascade,
      token text not null unique,
      expires_at timestamptz not null,
      ip_address text,
      user_agent text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index session_by_user on session (user_id)`.execute(db)
  await sql`
    create table account (
      id text primary key,
      account_id text not null,
      provider_id text not null,
      user_id text not null references "user" (id) on delete cascade,
      access_token text,
      refresh_token text,
      id_token text,
      access_token_expires_at timestamptz,
      refresh_token_expires_at timestamptz,
      scope text,
      password text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index account_by_user on account (user_id)`.execute(db)
  await sql`
    create table verification (
      id text primary key,
      identifier text not null,
      value text not null,
      expires_at timestamptz not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index verification_identifier on verification (identifier)`.execute(db)
  await sql`create table role (
      id text primary key,
      name text not null,
      scope text not null check (scope in ('global', 'place')),
      is_built_in boolean not null default false,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create table operation (
      id text primary key,
      area text not null,
      sentence text not null
    )`.execute(db)
  await sql`create table role_operation (
      role_id text not null references role (id) on delete cascade,
      operation_id text not null references operation (id) on delete cascade,
      primary key (role_id, operation_id)
    )`.execute(db)
  await sql`
    create table place_user (
      place_id text not null references place (id) on delete cascade,
      user_id text not null references "user" (id) on delete cascade,
      role text references role (id),
      created_at timestamptz not null default now(),
      primary key (place_id, user_id)
    )`.execute(db)
  await sql`create index place_user_user on place_user (user_id)`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table place_user, role_operation, operation, role, verification, account, session, "user"`.execute(
    db,
  )
}
