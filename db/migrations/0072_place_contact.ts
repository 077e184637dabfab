import { sql, type Kysely } from 'kysely'

/** The publisher of a place's data, its contact for readers, and its privacy statement. */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table place
      -- The body that publishes, as it is called officially.
      add column publisher text not null default '',
      -- An e-mail address or a web address.
      add column contact text not null default '',
      -- Sanitised HTML.
      add column privacy text not null default ''`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table place drop column privacy, drop column contact, drop column publisher`.execute(db)
}
