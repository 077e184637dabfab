import { sql } from 'kysely'
import type { Opened } from '#db/worlds/world.ts'

type World = Pick<Opened, 'database' | 'as'>

/** Tables that change when someone merely asks: counters, kept answers, what was read, what was tried lately. */
const restless = [
  'usage_day',
  'hub_usage_day',
  'insight_result',
  'alert_read',
  'attempt',
  'migration',
  'migration_lock',
]
/** Columns that do: when a key or a session was last used. */
const touched = { api_key: 'last_used_at', session: 'updated_at' }

/** What was last found in a world: the state, and the stamp of its rows. */
const last = new WeakMap<object, { stamp: string; state: string }>()

/** A hash of every row of every table, records included: equal as long as nothing has changed but the `ignored` columns. */
export async function stateOf(world: World, ignored: readonly string[] = []): Promise<string> {
  const stamp = `${ignored.join()} ${await stampOf(world)}`
  const before = last.get(world.database)
  if (before?.stamp === stamp) return before.state
  const { db } = world.as('system')
  const tables = await tablesOf(world)
  const hashes = tables.map(({ schema, name }) => {
    const left = [...ignored, ...(name in touched ? [touched[name as keyof typeof touched]] : [])]
    return sql`select ${`${schema}.${name}`} as name, md5(coalesce(string_agg(md5((to_jsonb(t) - ${left}::text[])::text), '' order by md5((to_jsonb(t) - ${left}::text[])::text)), '')) as hash
      from ${sql.table(`${schema}.${name}`)} t`
  })
  const query = sql`${sql.join(hashes, sql` union all `)}`.compile(db)
  const rows = await world.database.readAll<{ name: string; hash: string }>(query)
  const state = rows.map(({ name, hash }) => `${name} ${hash}`).join('\n')
  last.set(world.database, { stamp, state })
  return state
}

/**
 * How many rows each table has, and the sum of the transactions that wrote them. Whoever writes a row puts a later one in the
 * place of an earlier: as long as both are the same no row was written, and none went. A small part of what hashing takes.
 */
async function stampOf(world: World): Promise<string> {
  const tables = await tablesOf(world)
  const stamps = tables.map(
    ({ schema, name }) =>
      sql`select count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0) as stamp from ${sql.table(`${schema}.${name}`)}`,
  )
  const query = sql`${sql.join(stamps, sql` union all `)}`.compile(world.as('system').db)
  const rows = await world.database.readAll<{ stamp: string }>(query)
  return rows.map(({ stamp }) => stamp).join('\n')
}

/** The names of the tables whose rows are not the same in two states. */
export function changes(before: string, after: string): string[] {
  const old = new Set(before.split('\n'))
  return after.split('\n').flatMap((line) => (old.has(line) ? [] : [line.split(' ')[0] as string]))
}

const known = new WeakMap<object, { schema: string; name: string }[]>()

async function tablesOf(world: World) {
  const before = known.get(world.database)
  if (before) return before
  const { rows } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema in ('public', 'data') and table_type = 'BASE TABLE' order by 1, 2`.execute(
    world.as('system').db,
  )
  const tables = rows.filter(({ name }) => !restless.includes(name))
  known.set(world.database, tables)
  return tables
}
