import { sql } from 'kysely'
import type { ProofWorld } from './world.testing.ts'

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

/** A hash of every row of every table, records included: equal as long as nothing has changed. */
export async function stateOf(world: ProofWorld): Promise<string> {
  const { db } = world.as('system')
  const tables = await tablesOf(world)
  const hashes = tables.map(({ schema, name }) => {
    const column = name in touched ? touched[name as keyof typeof touched] : ''
    return sql`select ${`${schema}.${name}`} as name, md5(coalesce(string_agg(md5((to_jsonb(t) - ${column})::text), '' order by md5((to_jsonb(t) - ${column})::text)), '')) as hash
      from ${sql.table(`${schema}.${name}`)} t`
  })
  const { rows } = await sql<{ name: string; hash: string }>`${sql.join(hashes, sql` union all `)}`.execute(
    db,
  )
  return rows.map(({ name, hash }) => `${name} ${hash}`).join('\n')
}

/** The names of the tables whose rows are not the same in two states. */
export function changes(before: string, after: string): string[] {
  const old = new Set(before.split('\n'))
  return after.split('\n').flatMap((line) => (old.has(line) ? [] : [line.split(' ')[0] as string]))
}

const known = new WeakMap<object, { schema: string; name: string }[]>()

async function tablesOf(world: ProofWorld) {
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
