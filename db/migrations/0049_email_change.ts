import { sql, type Kysely } from 'kysely'
import { guardTable } from '../row-security.ts'

/**
 * Changes of a person's email address: requested, confirmed at the new address, reverted from the old one.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table email_change (
      id text primary key,
      user_id text not null references "user" (id) on delete cascade,
      old_email text not null,
      new_email text not null,
      created_at timestamptz not null default now(),
      confirmed_at timestamptz,
      -- When nobody can have a link to it any more: that to confirm it, and once that is followed that to undo it.
      expires_at timestamptz not null
    )`.execute(db)
  // A person has one pending change: a new request invalidates the previous link.
  await sql`create unique index email_change_waiting on email_change (user_id) where confirmed_at is null`.execute(
    db,
  )
  await sql`create index email_change_user on email_change (user_id)`.execute(db)
  // As for confirmations, a transaction names the row it is about: by the person, or by its id, which the
  // token of an email contains.
  const named = sql`coalesce(current_setting('app.email_change', true), '')`
  const own = sql`(user_id = ${named} or id = ${named})`
  await guardTable(db, 'email_change', { read: own, write: own })
  await sql`alter table email_change force row level security`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table email_change`.execute(db)
}
