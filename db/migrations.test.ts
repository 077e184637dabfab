import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEmbedded, ownerKysely } from './embedded/open.ts'
import { migrations } from './migrations/index.ts'

/** From here on a migration can be taken back: a deployment that went wrong is rolled back with its schema. */
const first = '0029'

let database: Awaited<ReturnType<typeof openEmbedded>>
let owner: Kysely<unknown>
beforeAll(async () => {
  database = await openEmbedded(null)
  await database.exec('reset role')
  owner = ownerKysely(database)
})
afterAll(() => database.close())

/** What a schema is made of: columns, indexes, constraints, policies and functions, each as a line. */
async function schemaOf(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable
        || ' ' || coalesce(column_default, '') as line
      from information_schema.columns where table_schema = 'public'
    union all select 'index ' || indexdef from pg_indexes where schemaname = 'public'
    union all select 'constraint ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select 'policy ' || tablename || ' ' || policyname || ' ' || cmd || ' ' || coalesce(qual, '')
        || ' ' || coalesce(with_check, '')
      from pg_policies where schemaname = 'public'
    union all select 'row security ' || relname || ' ' || relrowsecurity || ' ' || relforcerowsecurity from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r'
    union all select 'function ' || p.oid::regprocedure || ' ' || md5(prosrc) from pg_proc p
      where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by 1`.execute(owner)
  return rows.map(({ line }) => line)
}

test('each migration is taken back and made again, and the schema is what it was', async () => {
  const recent = Object.entries(migrations).filter(([name]) => name >= first)
  expect(recent.length).toBeGreaterThan(0)
  const before = await schemaOf()
  const between: string[][] = []
  for (const [, { down }] of recent.reverse()) {
    await down?.(owner)
    between.push(await schemaOf())
  }
  for (const [, { up }] of recent.reverse()) {
    expect(await schemaOf()).toEqual(between.pop())
    await up(owner)
  }
  expect(await schemaOf()).toEqual(before)
})
