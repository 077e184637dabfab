import { sql, type Kysely } from 'kysely'

/** Which builds of the product rendered the pages of a hub, and the errors of rendering them again. */
export async function up(db: Kysely<unknown>) {
  await sql`
    alter table hub
      -- The versions that the pages of manifest "builds_of" carry; '' for pages without one.
      add column builds text[] not null default '{}',
      -- Another than "manifest": code that knew nothing of builds made the one that is served, so nobody has looked.
      add column builds_of int,
      -- { build, attempts, nextAt, pages: { path: message } }; null: nothing went wrong.
      add column build_failure jsonb`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`alter table hub drop column build_failure, drop column builds_of, drop column builds`.execute(db)
}
