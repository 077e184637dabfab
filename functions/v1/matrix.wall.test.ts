import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeMeasurements } from './testing/figures.testing.ts'
import { openProofWorld, type Asker, type ProofWorld } from './testing/world.testing.ts'
import { toIdentity } from '#functions/domain/access/identity.ts'
import type { Connection } from '#db/connect.ts'

/**
 * Row-level security alone: a connection that acts for a person reads and writes no row of another place, in any table with places,
 * without any application code.
 */
let world: ProofWorld
let tables: { schema: string; name: string; columns: string[] }[] = []
const counts = { tables: 0, people: 0, statements: 0 }
beforeAll(async () => {
  world = await openProofWorld()
  const { rows } = await sql<{ schema: string; name: string; columns: string[] }>`
    select c.table_schema as schema, c.table_name as name,
      array_agg(c.column_name::text order by c.ordinal_position) filter (where c.is_identity = 'NO') as columns
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema in ('public', 'data') and t.table_type = 'BASE TABLE'
    group by 1, 2 having bool_or(c.column_name = 'place_id') order by 1, 2`.execute(world.as('system').db)
  tables = rows
  counts.tables = tables.length
  counts.people = strangers.length
})
afterAll(async () => {
  writeMeasurements('wall', counts)
  await world.close()
})

const strangers = [
  'anonymous',
  'none',
  'no_role',
  'viewer',
  'member',
  'content_admin',
  'organization_admin',
  'write key of open',
  'support',
  'support with a reason',
]

const isPublic = sql`visibility = 'public' and deleted_at is null`
/** Rows that are public by design; every other table has none. */
const open: Record<string, ReturnType<typeof sql>> = {
  source: isPublic,
  insight: isPublic,
  collection: isPublic,
  page: sql`${isPublic} and publish = 'published'`,
  content: sql`page_id in (select id from page where ${isPublic} and publish = 'published')`,
  source_stat: sql`source_id in (select id from source where ${isPublic})`,
  source_version: sql`source_id in (select id from source where ${isPublic})`,
  field_profile: sql`source_id in (select id from source where ${isPublic})`,
  cluster_pyramid: sql`source_id in (select id from source where ${isPublic})`,
  facet_pyramid: sql`source_id in (select id from source where ${isPublic})`,
  insight_result: sql`insight_id in (select id from insight where ${isPublic})`,
  collection_insight: sql`collection_id in (select id from collection where ${isPublic})`,
  // Redirects to public sources for their old paths.
  data_type_move: sql`moved_at is not null and to_type_id in (select data_type_id from source where ${isPublic})`,
  collection_text: sql`collection_id in (select id from collection where ${isPublic})`,
  custom_field: sql`is_public and removed_at is null`,
  // Domains, the published state and targets of short links are public.
  hub: sql`true`,
  place_domain: sql`true`,
  short_link: sql`true`,
}
/** Any transaction may add messages; only the product reads them. */
const mayAdd = new Set(['outbox'])
/** Memberships and keys are visible by person as well as by place: see `db/account-row-security.test.ts`. */
const unguarded = new Set(['place_user', 'api_key'])

const recordsArePublic = sql`source_id in (select id from public.source where ${isPublic})`

/** Runs as an actor; returns rows, or the SQLSTATE of the error. */
async function runAsActor<T>(asker: Asker, run: (connection: Connection) => Promise<T>): Promise<T | string> {
  const connection = world.database.connect(toIdentity(asker.actor))
  counts.statements += 1
  try {
    return await run(connection)
  } catch (error) {
    return String((error as { code?: string }).code)
  } finally {
    await connection.end()
  }
}

test('every table with places is covered', () => {
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['source', 't_call', 't_spot', 'importer', 'alert']),
  )
})

describe.each(strangers)('%s', (name) => {
  test('reads no row of another place', async () => {
    const asker = world.asker(name)
    for (const { schema, name: table } of tables) {
      if (unguarded.has(table)) continue
      const from = sql.table(`${schema}.${table}`)
      const visibleCondition = schema === 'data' ? recordsArePublic : (open[table] ?? sql`false`)
      const closed = await runAsActor(asker, async ({ db }) => {
        const { rows } = await sql<{
          n: string
        }>`select count(*) as n from ${from} where place_id = 'elmsford' and not (${visibleCondition})`.execute(
          db.withoutPlugins(),
        )
        return Number(rows[0]?.n)
      })
      expect([table, closed]).toEqual([table, 0])
    }
  })

  test('writes no row of another place', async () => {
    const asker = world.asker(name)
    const system = world.as('system')
    for (const { schema, name: table, columns } of tables) {
      if (unguarded.has(table)) continue
      const target = sql.table(`${schema}.${table}`)
      const touched = await runAsActor(asker, async ({ transaction }) =>
        transaction(async (plain) => {
          // Columns of records are named after fields, so the naming plugin must not rewrite them.
          const tx = plain.withoutPlugins()
          const updateResult =
            await sql`update ${target} set place_id = place_id where place_id = 'elmsford'`.execute(tx)
          const removed = await sql`delete from ${target} where place_id = 'elmsford'`.execute(tx)
          throw { code: Number(updateResult.numAffectedRows) + Number(removed.numAffectedRows) }
        }),
      )
      // 42501: no privilege at all.
      expect([table, touched]).toEqual([table, expect.stringMatching(/^(0|42501)$/)])
      if (mayAdd.has(table)) continue
      const { rows } = await sql<{
        row: unknown
      }>`select to_jsonb(t) as row from ${target} t where place_id = 'elmsford' limit 1`.execute(system.db)
      const row = JSON.stringify(rows[0]?.row ?? { place_id: 'elmsford' })
      const list = sql.join(columns.map((column) => sql.ref(column)))
      const insertOutcome = await runAsActor(asker, async ({ transaction }) =>
        transaction(async (plain) => {
          // Columns of records are named after fields, so the naming plugin must not rewrite them.
          const tx = plain.withoutPlugins()
          await sql`insert into ${target} (${list}) select ${list} from jsonb_populate_record(null::${target}, ${row}::jsonb)`.execute(
            tx,
          )
          throw { code: 'added' }
        }),
      )
      expect([table, insertOutcome]).toEqual([table, '42501'])
    }
  })
})

test('the tests are meaningful: members of the place do read its rows', async () => {
  const asker = world.asker('stranger')
  const importers = await runAsActor(asker, async ({ db }) =>
    db.selectFrom('importer').select('placeId').execute(),
  )
  expect(importers).toEqual([{ placeId: 'elmsford' }, { placeId: 'elmsford' }])
})
