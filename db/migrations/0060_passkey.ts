import { sql, type Kysely } from 'kysely'
import { guardAccountTable } from '../row-security.ts'

/**
 * Passkeys as a second factor. The columns of `passkey` are the auth library's, except `last_used_at`. People
 * with passkeys only have recovery codes as well, which are stored in `two_factor`: such a row has no secret
 * of an app.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table passkey (
      id text primary key,
      user_id text not null references "user" (id) on delete cascade,
      -- What its person calls it.
      name text not null,
      credential_id text not null unique,
      public_key text not null,
      -- How often it was used, as it says itself: up to 2^32 - 1. Many always say 0.
      counter double precision not null,
      device_type text not null,
      backed_up boolean not null,
      transports text,
      aaguid text,
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    )`.execute(db)
  await sql`create index passkey_user on passkey (user_id)`.execute(db)
  const own = sql`user_id = (select app_user())`
  await guardAccountTable(db, 'passkey', { read: own, write: own })
  await sql`alter table two_factor alter column secret drop not null`.execute(db)
}

/**
 * People with passkeys only lose their second factor: the previous code does not know passkeys and would lock
 * them out.
 */
export async function down(db: Kysely<unknown>) {
  await sql`
    update "user" set two_factor_enabled = false where two_factor_enabled
      and not exists (select from two_factor f where f.user_id = "user".id and f.verified)`.execute(db)
  await sql`delete from two_factor where secret is null`.execute(db)
  await sql`alter table two_factor alter column secret set not null`.execute(db)
  await sql`drop table passkey`.execute(db)
}
