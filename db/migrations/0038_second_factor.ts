import { sql, type Kysely } from 'kysely'

/**
 * Second factors. The columns of `two_factor` are the auth library's: like `account`, it is read before the
 * actor is known, so row-level security cannot tell whose row it is.
 */
export async function up(db: Kysely<unknown>) {
  await sql`alter table "user" add column two_factor_enabled boolean not null default false`.execute(db)
  // The last re-authentication in this session: by a second factor, or by the password.
  await sql`alter table session add column proved_at timestamptz`.execute(db)
  await sql`
    create table two_factor (
      id text primary key,
      user_id text not null unique references "user" (id) on delete cascade,
      -- Sealed by the auth library with the product's secret.
      secret text not null,
      -- A list of keyed hashes; a code that was used is taken out.
      backup_codes text not null,
      -- False until the first code was typed: an enrolment that was begun locks nobody out.
      verified boolean not null default false,
      failed_verification_count integer not null default 0,
      locked_until timestamptz
    )`.execute(db)
  await sql`grant select, insert, update, delete on two_factor to commonplace_app`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table two_factor`.execute(db)
  await sql`alter table session drop column proved_at`.execute(db)
  await sql`alter table "user" drop column two_factor_enabled`.execute(db)
}
