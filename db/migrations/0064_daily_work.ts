import { sql, type Kysely } from 'kysely'
import { guardTable } from '../row-security.ts'

/** The night whose work was started last: a missed night is made up for, and none is done twice. */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table daily_work (
      name text primary key,
      -- The day (UTC, from 03:07 on) whose work was begun.
      day date not null,
      begun_at timestamptz not null default now()
    )`.execute(db)
  await guardTable(db, 'daily_work', { read: sql`(select app_reads_all())`, write: sql`false` })
  await sql`alter table daily_work force row level security`.execute(db)
  // A new database has nothing to clean up, and an existing one was cleaned up last night.
  await sql`
    insert into daily_work (name, day)
    select name, ((now() at time zone 'utc') - interval '3 hours 7 minutes')::date
    from unnest(array['house', 'storage']) name`.execute(db)
}

export async function down(db: Kysely<unknown>) {
  await sql`drop table daily_work`.execute(db)
}
