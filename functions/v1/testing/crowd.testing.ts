import { sql } from 'kysely'
import type { ProofWorld } from './world.testing.ts'
import { ingest } from '#functions/domain/records/ingest.ts'

/** Tables that depend on others: more rows of them are not more of a noun. */
const dependent = new Set([
  'place',
  'hub',
  'place_user',
  'place_domain',
  'source_stat',
  'field_profile',
  'source_version',
  'custom_field',
  'late_notice',
  'cluster_pyramid',
  'facet_pyramid',
  'data_history',
  'insight_result',
  'collection_insight',
  'activity_hidden',
  'usage_day',
  'hub_usage_day',
  'outbox',
  'api_key',
])

/**
 * Multiplies the rows of every noun of Oakton by copying them, including records, people, boundaries and data types. New tables are
 * covered automatically.
 */
export async function crowd(world: ProofWorld, times: number): Promise<void> {
  const { db } = world.as('system')
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select c.table_name as name, array_agg(c.column_name::text) filter (where c.is_identity = 'NO') as columns
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
    group by 1 having bool_or(c.column_name = 'place_id') order by 1`.execute(db)
  for (const { name, columns } of rows)
    if (!dependent.has(name)) await copy(world, name, columns, times, sql`place_id = 'oakton'`)
  for (const [name, where] of [
    ['boundary', sql`id = 'us-ny'`],
    ['data_type', sql`id in ('tree', 'spot') and table_name is null`],
    ['role', sql`id = 'viewer'`],
    ['operation', sql`id = 'place.read'`],
    ['user', sql`id = 'member'`],
    ['session', sql`user_id = 'super_admin'`],
    ['place', sql`id = 'elmsford'`],
  ] as const)
    await copy(world, name, await readColumns(world, name), times, where)
  await sql`
    insert into place_user (place_id, user_id, role) select 'oakton', id, 'viewer' from "user" where id like 'member-%'`.execute(
    db,
  )
  await sql`
    insert into collection_insight (collection_id, insight_id, place_id, position)
    select 'best', id, 'oakton', 10 + row_number() over () from insight where id like 'calls-%'`.execute(db)
  await sql`
    insert into api_key (id, hash, prefix, user_id, scope) select 'more-' || n, 'more-' || n, 'cpk_', 'super_admin', 'account' from generate_series(1, ${times}::int) n`.execute(
    db,
  )
  const records = Array.from({ length: times }, (_none, n) => ({
    type: `Type ${n}`,
    minutes: n,
    location: { type: 'Point', coordinates: [-73 + n / 100, 40] },
  }))
  for (const source of ['open', 'inner', 'spots']) await ingest(world.as('system'), source, records)
}

async function readColumns(world: ProofWorld, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_identity = 'NO'`.execute(
    world.as('system').db,
  )
  return rows.map(({ name }) => name)
}

/** Unique columns. */
const unique = ['id', 'token_hash', 'token', 'key', 'email', 'hash', 'table_name', 'path', 'host']

async function copy(
  world: ProofWorld,
  table: string,
  columns: string[],
  times: number,
  where: ReturnType<typeof sql>,
) {
  const fresh = unique.filter((column) => columns.includes(column))
  const changes = sql.join(fresh.map((column) => sql`${column}::text, t.${sql.ref(column)} || ${'-'} || g.n`))
  const code =
    table === 'short_link'
      ? sql` || jsonb_build_object('code', 'Copy' || lpad(g.n::text, 4, '0'))`
      : table === 'page_version'
        ? sql` || jsonb_build_object('number', t.number + g.n)`
        : sql``
  const list = sql.join(columns.map((column) => sql.ref(column)))
  const target = sql.table(table)
  await sql`
    insert into ${target} (${list}) select ${list} from (
      select (jsonb_populate_record(null::${target}, to_jsonb(t) ${fresh.length ? sql`|| jsonb_build_object(${changes})` : sql``} ${code})).*
      from ${target} t, generate_series(1, ${times}::int) g (n) where ${where}) as copies
    on conflict do nothing`.execute(world.as('system').db.withoutPlugins())
}
