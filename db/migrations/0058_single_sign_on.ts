import { sql, type Kysely } from 'kysely'
import { guardPlaceTable, guardTable, requireReasonOfSupport } from '../row-security.ts'

/**
 * Single sign-on of places by OpenID Connect: the provider of each, the mail domains it is trusted for, and
 * the identities of people who sign in by it.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table place_sso (
      place_id text primary key references place (id) on delete cascade,
      -- What the people read on the button.
      name text not null,
      issuer text not null,
      client_id text not null,
      -- Sealed with the product's secret.
      secret text not null,
      -- What someone becomes who signs in for the first time.
      role text not null references role (id),
      is_on boolean not null default false,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      last_used_at timestamptz,
      -- Why the last try failed, in our words; null: it did not.
      last_error text,
      last_error_at timestamptz
    )`.execute(db)
  await sql`
    create table mail_domain (
      place_id text not null references place (id) on delete cascade,
      domain text not null,
      -- What stands in DNS; it is no secret.
      token text not null,
      created_at timestamptz not null default now(),
      -- Null: not proved, or not any more.
      verified_at timestamptz,
      checked_at timestamptz,
      -- Daily checks in a row that did not find the proof.
      failures integer not null default 0,
      primary key (place_id, domain)
    )`.execute(db)
  await sql`create index mail_domain_verified on mail_domain (domain) where verified_at is not null`.execute(
    db,
  )
  await sql`
    create table sso_identity (
      id text primary key,
      place_id text not null references place (id) on delete cascade,
      issuer text not null,
      subject text not null,
      user_id text not null references "user" (id) on delete cascade,
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now(),
      unique (place_id, issuer, subject)
    )`.execute(db)
  await sql`create index sso_identity_user on sso_identity (user_id)`.execute(db)
  // A session created by a place's provider gives access to that place only. Null: the person's own sign-in.
  await sql`alter table session add column sso_place_id text references place (id) on delete cascade`.execute(
    db,
  )
  await sql`create index session_sso_place on session (sso_place_id) where sso_place_id is not null`.execute(
    db,
  )
  // A person who signs in has no identity yet, so the transaction names the place or mail domain it is about.
  const named = sql`coalesce(current_setting('app.sso', true), '')`
  await guardPlaceTable(db, 'place_sso', {
    alsoRead: sql`place_id = ${named}`,
    alsoWrite: sql`place_id = ${named}`,
  })
  await guardPlaceTable(db, 'mail_domain', {
    alsoRead: sql`verified_at is not null and (place_id = ${named} or domain = ${named})`,
  })
  await guardTable(db, 'sso_identity', {
    read: sql`(user_id = (select app_user()) or place_id = ${named})`,
    write: sql`(user_id = (select app_user()) or place_id = ${named})`,
  })
  for (const table of ['place_sso', 'mail_domain', 'sso_identity'])
    await sql`alter table ${sql.table(table)} force row level security`.execute(db)
  await requireReasonOfSupport(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table session drop column sso_place_id`.execute(db)
  for (const table of ['sso_identity', 'mail_domain', 'place_sso'])
    await sql`drop table ${sql.table(table)}`.execute(db)
}
