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

test('keys of before keep their rights for a year from the migration; going back opens nothing more', async () => {
  const { up, down } = migrations['0040_key_scope'] ?? {}
  await down?.(owner)
  await sql`insert into "user" (id, name, email) values ('ada', 'Ada', 'ada@example.org')`.execute(owner)
  const add = (id: string, more = sql`null`) =>
    sql`insert into api_key (id, hash, prefix, user_id, scope, revoked_at) values (${id}, ${id}, 'cpk_', 'ada', 'account', ${more})`.execute(
      owner,
    )
  await add('mine')
  await add('revoked', sql`now()`)
  await up?.(owner)
  const rows = async (columns: string) =>
    (await sql`select ${sql.raw(columns)} from api_key order by id`.execute(owner)).rows
  expect(
    await rows(
      `id, scope, next_notice as notice, expires_at between now() + interval '364 days' and now() + interval '1 year' as year`,
    ),
  ).toEqual([
    { id: 'mine', scope: 'internals', notice: 'introduced', year: true },
    { id: 'revoked', scope: 'internals', notice: null, year: true },
  ])
  await sql`insert into api_key (id, hash, prefix, user_id, scope) values ('reads', 'r', 'cpk_', 'ada', 'read')`.execute(
    owner,
  )
  await down?.(owner)
  expect(await rows('id, scope, revoked_at is null as works')).toEqual([
    { id: 'mine', scope: 'account', works: true },
    { id: 'reads', scope: 'account', works: false },
    { id: 'revoked', scope: 'account', works: false },
  ])
  await up?.(owner)
})
