import { sql, type Kysely } from 'kysely'

/** A lease for rendering the pages of a hub: one process at a time. */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table hub
      -- Who holds an older one flips nothing.
      add column fence int not null default 0,
      -- Until when it is its maker's without a sign of life; null: nobody makes it.
      add column lease_until timestamptz,
      -- The fence that someone was turned away at: its holder tells the queue when it is free.
      add column turned_away int`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table hub drop column turned_away, drop column lease_until, drop column fence`.execute(db)
}
