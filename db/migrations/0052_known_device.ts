import { sql, type Kysely } from 'kysely'
import { guardTable } from '../row-security.ts'

/**
 * Browsers from which someone has signed in, and counters that delay each next attempt longer. Only a hash of
 * the browser's cookie is stored.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table known_device (
      -- SHA-256 of the secret in the browser's cookie, hex. Several people may sign in from one browser.
      secret_hash text not null,
      user_id text not null references "user" (id) on delete cascade,
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now(),
      primary key (secret_hash, user_id)
    )`.execute(db)
  await sql`create index known_device_user on known_device (user_id, last_used_at desc)`.execute(db)
  await sql`create index known_device_last_used on known_device (last_used_at)`.execute(db)
  // A browser is identified by its cookie; a signed-in person sees all of their own.
  const own = sql`user_id = (select app_user())`
  const shown = sql`secret_hash = coalesce(current_setting('app.device', true), '')`
  await guardTable(db, 'known_device', { read: sql`(${own} or ${shown})`, write: own })
  await sql`alter table known_device force row level security`.execute(db)
  // When the next attempt is allowed; null: at once.
  await sql`alter table attempt add column next_at timestamptz`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table attempt drop column next_at`.execute(db)
  await sql`drop table known_device`.execute(db)
}
