import { sql } from 'kysely'
import type { TestWorld } from '#db/worlds/world.ts'

type World = Pick<TestWorld, 'database' | 'as'>

/** Tables that reads may change: counters, caches, read markers, rate limits; and the 8,500 rows of PostGIS, which nobody may. */
const restless = [
  'usage_day',
  'hub_usage_day',
  'insight_result',
  'alert_read',
  'attempt',
  'migration',
  'migration_lock',
  'spatial_ref_sys',
]
/** Columns that reads may change: last use of a key or session. */
const touched = { api_key: 'last_used_at', session: 'updated_at' }

/** The last state of a world, and the stamp of its rows. */
const last = new WeakMap<object, { stamp: string; state: string }>()

/**
 * The sum of the hashes of the rows of every table, records included: equal as long as nothing but the `ignored` columns
 * has changed.
 */
export async function hashState(world: World, ignored: readonly string[] = []): Promise<string> {
  const stamp = `${ignored.join()} ${await readStamp(world)}`
  const before = last.get(world.database)
  if (before?.stamp === stamp) return before.state
  const { db } = world.as('system')
  const tables = await readTables(world)
  const hashes = tables.map(({ schema, name }) => {
    const left = [...ignored, ...(name in touched ? [touched[name as keyof typeof touched]] : [])]
    // Without columns to leave out a row is hashed as text: as JSON, areas would have to be formatted.
    const row = left.length > 0 ? sql`(to_jsonb(t) - ${left}::text[])::text` : sql`t::text`
    return sql`select ${`${schema}.${name}`} as name, count(*) || ' ' || coalesce(sum(hashtextextended(${row}, 0)), 0) as hash
      from ${sql.table(`${schema}.${name}`)} t`
  })
  const query = sql`${sql.join(hashes, sql` union all `)}`.compile(db)
  const rows = await world.database.readAll<{ name: string; hash: string }>(query)
  const state = rows.map(({ name, hash }) => `${name} ${hash}`).join('\n')
  last.set(world.database, { stamp, state })
  return state
}

/**
 * The number of rows of each table, and the sum of their transaction ids. A write replaces an id by a later one, so equal stamps mean
 * that no row was written or deleted. Much cheaper than hashing.
 */
async function readStamp(world: World): Promise<string> {
  const tables = await readTables(world)
  const stamps = tables.map(
    ({ schema, name }) =>
      sql`select count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) as stamp from ${sql.table(`${schema}.${name}`)}`,
  )
  const query = sql`${sql.join(stamps, sql` union all `)}`.compile(world.as('system').db)
  const rows = await world.database.readAll<{ stamp: string }>(query)
  return rows.map(({ stamp }) => stamp).join('\n')
}

/** The names of the tables whose rows differ between two states. */
export function changes(before: string, after: string): string[] {
  const old = new Set(before.split('\n'))
  return after.split('\n').flatMap((line) => (old.has(line) ? [] : [line.split(' ')[0] as string]))
}

const tablesByDatabase = new WeakMap<object, { schema: string; name: string }[]>()

async function readTables(world: World) {
  const before = tablesByDatabase.get(world.database)
  if (before) return before
  const { rows } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema in ('public', 'data') and table_type = 'BASE TABLE' order by 1, 2`.execute(
    world.as('system').db,
  )
  const tables = rows.filter(({ name }) => !restless.includes(name))
  tablesByDatabase.set(world.database, tables)
  return tables
}
