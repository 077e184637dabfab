import { sql, type Kysely } from 'kysely'
import { replaceInFunction } from '../row-security.ts'

/**
 * Row-level security applies to the owner of the tables too. Otherwise it is off for connections of the
 * owner, and in every function that runs as the owner. Functions that must see all rows become the product
 * while they run and restore the identity at their end: by `set_config`, since Postgres lets only a superuser
 * add a custom setting to a function. An error rolls back the setting as well.
 */
export async function up(db: Kysely<unknown>) {
  for (const table of tables) await sql`alter table ${sql.table(table)} force row level security`.execute(db)
  for (const [name, before, after] of changes) await replaceInFunction(db, name, before, after)
  await eachDataTable(db, 'force')
}

export async function down(db: Kysely<unknown>) {
  await eachDataTable(db, 'no force')
  for (const [name, before, after] of [...changes].reverse()) await replaceInFunction(db, name, after, before)
  for (const table of tables)
    await sql`alter table ${sql.table(table)} no force row level security`.execute(db)
}

/** The existing tables that are not forced yet; newer migrations do that themselves. */
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

/** Replacements in functions, each of a text that occurs exactly once. */
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
  // This function checks the actor before it changes rows, so it becomes the product only after that.
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
