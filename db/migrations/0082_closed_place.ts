import { sql, type Kysely } from 'kysely'
import { hideClosed, isPlaceOpen, replaceInFunction } from '../row-security.ts'

/**
 * Closing an organization. Rows of closed places are hidden from everybody, including the product's own jobs:
 * an additional restrictive policy on every table of a place, which no other policy can override, so that no
 * reader and no job has to check it. Reopening, and jobs that must not take hidden rows for missing ones, set
 * `app.closed`; functions that run as the owner of the tables always see closed rows, since they change whole
 * tables.
 *
 * `closed_place` is also permanent: ids and hosts of closed places are never assigned again.
 */
export async function up(db: Kysely<unknown>) {
  await sql`
    create table closed_place (
      place_id text primary key references place (id),
      closed_at timestamptz not null,
      closed_by text references "user" (id) on delete set null,
      -- The hosts that it had, without www: nobody else gets them.
      hosts text[] not null default '{}',
      -- It was brought back: nothing of it is hidden.
      reopened_at timestamptz,
      -- All that it had is gone for good.
      purged_at timestamptz
    )`.execute(db)
  await sql`create index closed_place_hosts on closed_place using gin (hosts)`.execute(db)
  await sql`create index closed_place_closed_by on closed_place (closed_by)`.execute(db)
  await sql`
    create index closed_place_open on closed_place (closed_at) where reopened_at is null and purged_at is null`.execute(
    db,
  )
  // Used ids and hosts are not secret: whoever requests one is told that it is taken.
  await sql`grant select, insert, update on closed_place to commonplace_app`.execute(db)
  await sql`alter table closed_place enable row level security`.execute(db)
  await sql`alter table closed_place force row level security`.execute(db)
  await sql`create policy closed_place_select on closed_place for select using (true)`.execute(db)
  const mine = sql`((select app_writes_all()) or place_id = any ((select app_places())::text[]))`
  await sql`create policy closed_place_insert on closed_place for insert with check ${mine}`.execute(db)
  await sql`create policy closed_place_update on closed_place for update using ${mine} with check ${mine}`.execute(
    db,
  )
  await functions(db)
  for (const table of await tablesOfPlaces(db)) await hideClosed(db, table)
  // The row of a purged place remains.
  await sql`
    create policy open_place on place as restrictive using ((select app_sees_closed())
      or not exists (select from closed_place c where c.place_id = place.id and c.reopened_at is null))`.execute(
    db,
  )
  await replaceInFunction(db, 'guard_data_table(text)', guards, `${guardsOpen}\n      ${guards}`)
  await eachDataTable(db, `create policy open_place on data.%I as restrictive using (${isPlaceOpen})`)
}

export async function down(db: Kysely<unknown>) {
  await eachDataTable(db, 'drop policy if exists open_place on data.%I')
  await replaceInFunction(db, 'guard_data_table(text)', `${guardsOpen}\n      ${guards}`, guards)
  for (const table of [...(await tablesOfPlaces(db)), 'place'])
    await sql`drop policy if exists open_place on ${sql.table(table)}`.execute(db)
  await sql`drop function app_closed(), app_none_closed(), app_sees_closed()`.execute(db)
  await sql`drop table closed_place`.execute(db)
}

/** In plpgsql, because its plans are cached per session: each statement calls these once for each table. */
async function functions(db: Kysely<unknown>) {
  await sql`
    create function app_sees_closed() returns boolean language plpgsql stable parallel safe as $$
    begin
      return coalesce(current_setting('app.closed', true), '') = 'on'
        or current_user = (select pg_get_userbyid(relowner) from pg_class where oid = 'public.closed_place'::regclass);
    end $$`.execute(db)
  await sql`
    create function app_closed() returns text[] language plpgsql stable parallel safe as $$
    begin
      return (select coalesce(array_agg(place_id), '{}') from public.closed_place
        where reopened_at is null and purged_at is null);
    end $$`.execute(db)
  await sql`
    create function app_none_closed() returns boolean language plpgsql stable parallel safe as $$
    begin
      return app_sees_closed() or not exists (
        select from public.closed_place where reopened_at is null and purged_at is null);
    end $$`.execute(db)
}

/**
 * Tables that jobs for all places need regardless of the state of a place: events, failures and usage counts.
 * Their own policies limit who may read them.
 */
const always = ['closed_place', 'outbox', 'publish_failure', 'usage_day', 'hub_usage_day']

async function tablesOfPlaces(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname::text as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'place_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
    order by c.relname`.execute(db)
  return rows.map(({ name }) => name).filter((name) => !always.includes(name))
}

const guards = `execute format('drop policy if exists kept on data.%I', p_table);`
const guardsOpen = `execute format('drop policy if exists open_place on data.%I', p_table);
      execute format('create policy open_place on data.%I as restrictive using (${isPlaceOpen})', p_table);`

async function eachDataTable(db: Kysely<unknown>, statement: string) {
  await sql`
    do $do$
    declare found record;
    begin
      for found in select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'data' and c.relkind in ('r', 'p') loop
        execute format(${sql.lit(statement)}, found.relname);
      end loop;
    end $do$`.execute(db)
}
