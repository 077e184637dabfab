import { sql, type Kysely } from 'kysely'
import { replaceInFunction } from '../rowSecurity.ts'
import { ownInvitations } from './0029_confirmation.ts'

/**
 * Row-level security holds for the owner of the tables too. Without this it is off for whoever connects as the owner, and in
 * every function that runs as the owner. Those that must see all rows become the product for as long as they run, and are who
 * they were when they end: by `set_config`, since Postgres lets only a superuser give a function a setting that it does not
 * know. An error takes the setting back with all else.
 */
export async function up(db: Kysely<unknown>) {
  for (const table of tables) await sql`alter table ${sql.table(table)} force row level security`.execute(db)
  for (const [name, before, after] of changes) await replaceInFunction(db, name, before, after)
  await sql`
    create or replace function waiting_invites() returns table (
      id text, email text, expires_at timestamptz, place_id text, place_name text, place_display_name text)
    language plpgsql stable security definer set search_path = public, pg_temp as $$
    #variable_conflict use_column
    declare ${sql.raw(who)}
    begin
      ${sql.raw(become)}
      return query select i.id, i.email, i.expires_at, p.id, p.name, p.display_name
        from "user" u
          join invite i on i.email = u.email and i.status = 'pending' and i.expires_at > now()
          join place p on p.id = i.place_id and p.deleted_at is null
        where u.id = app_user() and u.email_verified
          and not exists (select from place_user m where m.place_id = i.place_id and m.user_id = u.id)
        order by i.sent_at desc, i.id;
      ${sql.raw(beAgain)}
    end $$`.execute(db)
  await sql`
    create or replace function renew_waiting_invite(p_id text, p_token_hash text) returns int
    language plpgsql security definer set search_path = public, pg_temp as $$
    declare wait int; ${sql.raw(who)}
    begin
      ${sql.raw(become)}
      select greatest(0, ceil(extract(epoch from i.sent_at + interval '1 minute' - now())))::int into wait
      from invite i where i.id = p_id and i.id in (select w.id from waiting_invites() w) for update;
      if wait = 0 then
        update invite set token_hash = p_token_hash, sent_at = now(), updated_at = now() where id = p_id;
      end if;
      ${sql.raw(beAgain)}
      return wait;
    end $$`.execute(db)
  await eachDataTable(db, 'force')
}

export async function down(db: Kysely<unknown>) {
  await eachDataTable(db, 'no force')
  await ownInvitations(db)
  for (const [name, before, after] of [...changes].reverse()) await replaceInFunction(db, name, after, before)
  for (const table of tables)
    await sql`alter table ${sql.table(table)} no force row level security`.execute(db)
}

/** The tables that were made before and are not forced yet; later ones force themselves. */
const tables = [
  ...['activity', 'activity_hidden', 'alert', 'alert_read', 'asset', 'asset_folder', 'cluster_pyramid'],
  ...['collection', 'collection_insight', 'collection_text', 'content', 'data_history', 'data_type'],
  ...['delivery', 'facet_pyramid', 'field_use', 'flag', 'hub', 'hub_usage_day', 'idempotency'],
  ...['import_batch', 'import_object', 'import_reject', 'importer', 'insight', 'insight_result', 'invite'],
  ...['job', 'job_log', 'mail', 'observer', 'operation', 'outbox', 'page', 'page_version', 'place'],
  ...['place_domain', 'role', 'role_operation', 'short_link', 'source', 'source_stat', 'usage_day'],
]

const who = `who constant text := coalesce(current_setting('app.global', true), '');`
const become = `perform set_config('app.global', 'system', true);`
const beAgain = `perform set_config('app.global', who, true);`

const guardsDataTable = `execute format('drop policy if exists seen on data.%I', p_table);`
const makesTable = `if not exists (select from data_type where id = p_data_type and coalesce(table_name, p_table) = p_table) then`
const namesTable = 'update data_type set table_name = p_table where id = p_data_type and table_name is null;'
const stopsLetters = 'if p_stop then'
const findsLetters = 'where o.id = p_observer and o.place_id = p_place and o.deleted_at is null;'
const locksTable = `execute format('lock table data.%I in access exclusive mode', p_table);`
const ordersTable = `p_table || '_newest')) is null then p_plan->>'primary' end);`

/** Of each function, texts that it has once and what stands there instead. */
const texts: Record<string, [before: string, after: string][]> = {
  'guard_data_table(text)': [
    [
      guardsDataTable,
      `execute format('alter table data.%I force row level security', p_table);\n      ${guardsDataTable}`,
    ],
  ],
  'make_data_type_table(text, text, jsonb, text)': [
    [`begin\n      ${makesTable}`, `declare ${who}\n    begin\n      ${become}\n      ${makesTable}`],
    [namesTable, `${namesTable}\n      ${beAgain}`],
  ],
  'observer_letters(text, text, text, boolean)': [
    [`begin\n      ${stopsLetters}`, `declare ${who}\n    begin\n      ${become}\n      ${stopsLetters}`],
    [findsLetters, `${findsLetters}\n      ${beAgain}`],
  ],
  // This one looks at who asks before it changes rows, so it becomes the product only after that.
  'change_data_table(text, text, jsonb)': [
    ['declare shape text;', `declare shape text; ${who}`],
    [locksTable, `${become}\n      ${locksTable}`],
    [ordersTable, `${ordersTable}\n      ${beAgain}`],
  ],
}
const changes = Object.entries(texts).flatMap(([name, each]) =>
  each.map(([before, after]) => [name, before, after] as const),
)

async function eachDataTable(db: Kysely<unknown>, how: 'force' | 'no force') {
  await sql`
    do $do$
    declare found record;
    begin
      for found in select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'data' and c.relkind in ('r', 'p') loop
        execute format('alter table data.%I ${sql.raw(how)} row level security', found.relname);
      end loop;
    end $do$`.execute(db)
}
