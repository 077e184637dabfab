import { sql, type Kysely } from 'kysely'
import { guardTable } from '../rowSecurity.ts'

/** Changes of a person's e-mail address: asked for, confirmed at the new address, taken back from the old one. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table email_change (
      id text primary key,
      user_id text not null references "user" (id) on delete cascade,
      old_email text not null,
      new_email text not null,
      -- Of the token sent to the new address, SHA-256, hex. The tokens themselves are nowhere.
      token_hash text not null unique,
      -- Of the token sent to the old address; null until the change is confirmed.
      undo_hash text unique,
      created_at timestamptz not null default now(),
      confirmed_at timestamptz,
      -- Of the link to confirm, and once that is followed of the link to undo.
      expires_at timestamptz not null,
      check ((undo_hash is null) = (confirmed_at is null))
    )`.execute(db)
  // One change of a person waits: asking again makes the link before void.
  await sql`create unique index email_change_waiting on email_change (user_id) where confirmed_at is null`.execute(
    db,
  )
  await sql`create index email_change_user on email_change (user_id)`.execute(db)
  // As with confirmations, a transaction says which one it is about: by the person, or by the hash of a link's token.
  const named = sql`coalesce(current_setting('app.email_change', true), '')`
  const own = sql`(user_id = ${named} or token_hash = ${named} or undo_hash = ${named})`
  await guardTable(db, 'email_change', { read: own, write: own })
  await sql`alter table email_change force row level security`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table email_change`.execute(db)
}
