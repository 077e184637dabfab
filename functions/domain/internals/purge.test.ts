import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { purgeDeleted } from './purge.ts'
import { v1 } from '#functions/v1/index.ts'
import { changes, hashState } from '#functions/v1/testing/state.testing.ts'
import { call } from '#functions/api/call.ts'
import type { Endpoint } from '#functions/api/endpoint.ts'
import { dataTable, makeTable } from '#db/data-table.ts'
import { city } from '#db/worlds/city.ts'
import { openWorld, type TestWorld } from '#db/worlds/world.ts'

let world: TestWorld
let table: string
beforeAll(async () => {
  world = await openWorld(city)
  const { db } = world.as('system')
  const type = await db
    .selectFrom('dataType')
    .select(['id', 'schema', 'temporal', 'tableName'])
    .where('id', '=', 'tree')
    .executeTakeFirstOrThrow()
  table = await makeTable(db, type as never)
})
afterAll(() => world.close())

const db = () => world.as('system').db
const run = (statement: ReturnType<typeof sql>) => statement.execute(db())
const idsIn = async (name: string, where = sql`true`) => {
  const { rows } = await sql<{
    id: string
  }>`select id from ${sql.table(name)} where ${where} order by id`.execute(db())
  return rows.map(({ id }) => id)
}
const count = async (statement: ReturnType<typeof sql<{ n: number }>>) =>
  (await statement.execute(db())).rows[0]?.n

/** A source of Oakton with so many records and images of records, deleted so many days ago. */
async function plantSource(id: string, records: number, days: number | null) {
  const deletedAt = days === null ? sql`null` : sql`now() - make_interval(days => ${days}::int)`
  await run(sql`insert into source (id, name, place_id, data_type_id, visibility, deleted_at)
    values (${id}, ${`Called ${id}`}, 'oakton', 'tree', 'public', ${deletedAt})`)
  await run(sql`insert into ${dataTable(table)} (place_id, source_id, external_id)
    select 'oakton', ${id}::text, n::text from generate_series(1, ${records}::int) n`)
  await run(sql`insert into data_history (source_id, place_id, version, external_id)
    select ${id}::text, 'oakton', 1, n::text from generate_series(1, ${records}::int) n`)
  await run(sql`insert into source_stat (source_id, place_id, count) values (${id}, 'oakton', ${records})`)
}
const countRecords = (id: string) =>
  count(sql<{ n: number }>`select count(*)::int as n from ${dataTable(table)} where source_id = ${id}`)
const countSnapshots = (id: string) =>
  count(sql<{ n: number }>`select count(*)::int as n from data_history where source_id = ${id}`)
const purge = (bound?: { rows: number; statements: number }) => purgeDeleted(world.as('system'), bound)
const purged = async () => {
  const { rows } = await sql<{ what: string }>`
    select target_type || ' ' || target_id as what from activity where verb = 'purged' and actor_id is null order by at, 1`.execute(
    db(),
  )
  return rows.map(({ what }) => what)
}

beforeEach(async () => {
  await run(sql`delete from source where id like 'gone-%'`)
})

describe('a deleted row', () => {
  test.each([
    ['page', 'inner-page', 'content', sql`page_id = 'inner-page'`],
    ['collection', 'ours', 'collection_text', sql`collection_id = 'ours'`],
    ['insight', 'inner-calls', 'collection_insight', sql`insight_id = 'inner-calls'`],
  ] as const)(
    '%s: stays for thirty days, and is then purged with what belongs to it',
    async (noun, id, part, condition) => {
      await run(
        sql`update ${sql.table(noun)} set deleted_at = now() - interval '30 days 20 hours' where id = ${id}`,
      )
      const before = await idsIn(noun)
      await purge()
      expect(await idsIn(noun)).toEqual(before)
      await run(
        sql`update ${sql.table(noun)} set deleted_at = now() - interval '31 days 1 minute' where id = ${id}`,
      )
      expect(await purge()).toMatchObject({ [noun]: 1 })
      expect(await idsIn(noun)).toEqual(before.filter((each) => each !== id))
      expect(
        await count(sql<{ n: number }>`select count(*)::int as n from ${sql.table(part)} where ${condition}`),
      ).toBe(0)
      expect((await purged()).at(-1)).toBe(`${noun} ${id}`)
      expect(await purge()).toMatchObject({ [noun]: 0 })
    },
  )

  test('source: its records are purged in batches, over as many nights as needed, and then the source', async () => {
    await plantSource('gone-big', 250, 40)
    await plantSource('gone-young', 10, 29)
    await plantSource('gone-alive', 10, null)
    // Eight statements find nothing to remove of other nouns, and each full statement removes a hundred rows.
    expect(await purge({ rows: 100, statements: 10 })).toMatchObject({ record: 200 })
    expect([await countRecords('gone-big'), await countSnapshots('gone-big')]).toEqual([50, 250])
    expect(await idsIn('source', sql`id like 'gone-%'`)).toEqual(['gone-alive', 'gone-big', 'gone-young'])
    await purge()
    expect(await idsIn('source', sql`id like 'gone-%'`)).toEqual(['gone-alive', 'gone-young'])
    expect([await countRecords('gone-big'), await countSnapshots('gone-big')]).toEqual([0, 0])
    expect([
      await countRecords('gone-young'),
      await countRecords('gone-alive'),
      await countSnapshots('gone-alive'),
    ]).toEqual([10, 10, 10])
    expect((await purged()).at(-1)).toBe('source gone-big')
  })

  test('source used by an insight: its records are purged, its row stays until the insight is gone', async () => {
    await plantSource('gone-named', 20, 40)
    await run(sql`insert into insight (id, place_id, name, visibility, data_type_id, source_id, query, visualization)
      select 'of-gone', 'oakton', 'Of gone', 'public', 'tree', 'gone-named', query, visualization from insight where id = 'calls'`)
    await purge()
    expect([await countRecords('gone-named'), await countSnapshots('gone-named')]).toEqual([0, 0])
    expect(await idsIn('source', sql`id = 'gone-named'`)).toEqual(['gone-named'])
    expect(await idsIn('insight', sql`id = 'of-gone'`)).toEqual(['of-gone'])
    // Nothing is asked of it again.
    expect(await purge()).not.toHaveProperty('record')
    await run(sql`update insight set deleted_at = now() - interval '40 days' where id = 'of-gone'`)
    await purge()
    expect(await idsIn('source', sql`id = 'gone-named'`)).toEqual([])
  })

  test('file: its row is purged after its bytes', async () => {
    await run(sql`insert into asset (id, place_id, name, type, key, deleted_at, bytes_gone_at) values
      ('a-gone', 'oakton', 'a', 'image/png', 'k/1', now() - interval '40 days', now()),
      ('a-left', 'oakton', 'b', 'image/png', 'k/2', now() - interval '40 days', null)`)
    await purge()
    expect(await idsIn('asset', sql`id like 'a-%'`)).toEqual(['a-left'])
  })
})

describe('a deleted data type', () => {
  const type = (id: string, days: number, tableName: string | null) =>
    run(sql`insert into data_type (id, name, owner_place_id, schema, table_name, deleted_at)
      select ${id}, ${`Called ${id}`}, 'oakton', schema, ${tableName}, now() - make_interval(days => ${days}::int)
      from data_type where id = 'tree'`)
  const tables = () =>
    count(sql<{ n: number }>`select count(*)::int as n from pg_tables where tablename = 't_gone_type'`)

  test('is purged with its table, once nothing uses it', async () => {
    await run(sql`select make_data_table('t_gone_type', '[]', null)`)
    await type('gone-type', 32, 't_gone_type')
    await type('young-type', 30, null)
    await run(sql`insert into insight (id, place_id, name, visibility, data_type_id, query, visualization)
      select 'of-gone-type', 'oakton', 'Of gone', 'public', 'gone-type', query, visualization from insight where id = 'calls'`)
    expect(await purge()).toMatchObject({ dataType: 0 })
    expect(await tables()).toBe(1)
    await run(sql`delete from insight where id = 'of-gone-type'`)
    expect(await purge()).toMatchObject({ dataType: 1 })
    expect(await idsIn('data_type', sql`id like '%-type'`)).toEqual(['young-type'])
    expect(await tables()).toBe(0)
    expect((await purged()).at(-1)).toBe('dataType gone-type')
    expect(await purge()).toMatchObject({ dataType: 0 })
  })

  test('keeps a table that another one uses, and only the system may drop tables', async () => {
    await expect(run(sql`select drop_data_table(${table})`)).rejects.toThrow('a data type has this table')
    const { db: staff } = world.as('organization_admin')
    await expect(sql`select drop_data_table('t_gone_type')`.execute(staff)).rejects.toThrow('not allowed')
  })
})

/** The state of all tables but the audit log and the outbox, without versions and times of changes. */
const stateNow = () => hashState(world, ['version', 'updated_at'])
const listChangedTables = (before: string, after: string) =>
  changes(before, after).filter((table) => table !== 'public.activity' && table !== 'public.outbox')

const { place } = v1
test.each([
  ['sourceId', 'open', v1.source.deleteById, place.source.restore],
  ['insightId', 'calls', v1.insight.deleteById, place.insight.restore],
  ['collectionId', 'best', place.collection.deleteById, place.collection.restore],
  ['pageId', 'story', place.page.deleteById, place.page.restore],
] as [string, string, Endpoint, Endpoint][])(
  'references to %s are restored by an undo, in every table',
  async (param, id, remove, restore) => {
    const before = await stateNow()
    const request = { params: { placeId: 'oakton', [param]: id } }
    await call(remove, world.as('organization_admin'), request)
    expect(listChangedTables(before, await stateNow())).not.toEqual([])
    await purge()
    await call(restore, world.as('organization_admin'), request)
    expect(listChangedTables(before, await stateNow())).toEqual([])
  },
)
