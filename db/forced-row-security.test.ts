import { randomBytes } from 'node:crypto'
import { Client, Pool } from '@neondatabase/serverless'
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, type Connection } from './connect.ts'
import { dataTable, makeTable, type TableOwner } from './data-table.ts'
import { changeTable, type TablePlan } from './data-type-change.ts'
import { migrate } from './migrate.ts'
import { asSystem, freshDatabase, hasRealPostgres, type TestDatabase } from './testing.ts'

// Row-level security never applies to a superuser: this needs an owner without that, as on most servers.
describe.skipIf(!hasRealPostgres)('row-level security applies to the owner of the tables', () => {
  let server: TestDatabase
  const name = `commonplace_owned_${randomBytes(6).toString('hex')}`
  let owner: Kysely<unknown>
  let asApp: Connection

  /**
   * More columns than an in-place change handles: changing all of them rebuilds the table from its own rows.
   */
  const fields = ['size', ...Array.from({ length: 41 }, (_, i) => `more${i}`)]
  const buildUrl = (database: string, user: string) => {
    const url = new URL(server.env.DATABASE_URL)
    url.pathname = `/${database}`
    url.username = user
    url.password = 'commonplace'
    return url.href
  }
  const asSuperuser = async (database: string, ...statements: string[]) => {
    const url = new URL(buildUrl(database, ''))
    const { username, password } = new URL(process.env.TEST_POSTGRES_URL ?? '')
    Object.assign(url, { username, password })
    const client = new Client(url.href)
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }

  beforeAll(async () => {
    // Its proxy and application role are used, with another database.
    server = await freshDatabase()
    await asSuperuser(
      'postgres',
      `create role ${name} login createrole password 'commonplace'`,
      `create database ${name} owner ${name}`,
    )
    await asSuperuser(name, 'create extension postgis', 'create extension pg_trgm')
    const pool = new Pool({ connectionString: buildUrl(name, name), max: 1 })
    owner = new Kysely<unknown>({
      dialect: new PostgresDialect({ pool: pool as never }),
      plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    })
    await migrate(owner)
    asApp = connect({ ...server.env, DATABASE_URL: buildUrl(name, 'commonplace_app') }, asSystem)
    const { db } = asApp
    const row = { theme: '{}', mapConfiguration: '{}', createdBy: null }
    await db
      .insertInto('place')
      .values(['oak', 'elm'].map((id) => ({ id, name: id, displayName: id, ...row })))
      .execute()
    const dataType = { id: 'tree', name: 'Tree', ownerPlaceId: 'oak', createdBy: null }
    await db
      .insertInto('dataType')
      .values({ ...dataType, schema: '{}' })
      .execute()
    const tree: TableOwner = {
      id: 'tree',
      schema: Object.fromEntries(fields.map((key) => [key, { type: 'text' }])),
      temporal: null,
      tableName: null,
    }
    await makeTable(db, tree)
    for (const placeId of ['oak', 'elm']) {
      const source = { id: placeId, name: placeId, placeId, dataTypeId: 'tree', createdBy: null }
      const credit = { attribution: null, attributionUrl: null, licence: null }
      await db
        .insertInto('source')
        .values({ ...source, ...credit, visibility: 'private' })
        .execute()
      await sql`
        insert into ${dataTable('t_tree')} (place_id, source_id, external_id, f_size)
        values (${placeId}, ${placeId}, '1', '7')`.execute(db)
    }
  })
  afterAll(async () => {
    await owner?.destroy()
    await asApp?.end()
    await asSuperuser(
      'postgres',
      `drop database if exists ${name} with (force)`,
      `drop role if exists ${name}`,
    )
    await server.close()
  })

  test('every table that has it is forced, record tables too', async () => {
    const { rows } = await sql<{ name: string }>`
      select c.oid::regclass::text as name from pg_class c
      where relkind in ('r', 'p') and relrowsecurity and not relforcerowsecurity`.execute(owner)
    expect(rows).toEqual([])
  })

  test('every table of a place has it', async () => {
    const { rows } = await sql<{ name: string }>`
      select c.oid::regclass::text as name from pg_class c
        join pg_namespace n on n.oid = c.relnamespace and n.nspname in ('public', 'data')
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'place_id' and not a.attisdropped
      where relkind in ('r', 'p') and not relrowsecurity order by 1`.execute(owner)
    expect(rows).toEqual([])
  })

  test('the owner sees no rows of places and no records, unless it declares itself the system', async () => {
    const countRows = async () => {
      const { rows } = await sql<Record<string, number>>`
        select (select count(*)::int from source) as sources, (select count(*)::int from ${dataTable('t_tree')}) as records,
          (select count(*)::int from outbox) as events`.execute(owner)
      return rows[0]
    }
    await sql`insert into outbox (kind, place_id) values ('place', 'oak')`.execute(asApp.db)
    expect(await countRows()).toEqual({ sources: 0, records: 0, events: 0 })
    const sourceCount = await owner.transaction().execute(async (tx) => {
      await sql`select set_config('app.global', 'system', true)`.execute(tx)
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from source`.execute(tx)
      return rows[0]?.n
    })
    expect(sourceCount).toBe(2)
  })

  test("a changed data type loses no record of another place, and keeps the caller's identity", async () => {
    const oak = connect(
      { ...server.env, DATABASE_URL: buildUrl(name, 'commonplace_app') },
      { user: '', places: ['oak'], global: '' },
    )
    const plan: TablePlan = {
      ...{ drops: [], renames: [], adds: [{ name: 'f_height', type: 'double precision' }] },
      retypes: fields.map((key) => ({
        ...{ old: `f_${key}`, name: `f_${key}`, was: 'text', type: 'double precision' },
        ...{ from: { type: 'text' }, to: { type: 'number' } },
      })),
      ...{ primary: null, dates: false, shapes: null, id: null, lenient: false },
    }
    const left = await oak.transaction(async (tx) => {
      await changeTable(tx, 'tree', 't_tree', plan)
      const { rows } = await sql<{ who: string; seen: number }>`
        select current_setting('app.global') as who, (select count(*)::int from ${dataTable('t_tree')}) as seen`.execute(
        tx,
      )
      return rows[0]
    })
    expect(left).toEqual({ who: '', seen: 1 })
    const { rows } = await sql`
      select place_id, f_size from ${dataTable('t_tree')} order by 1`.execute(asApp.db.withoutPlugins())
    expect(rows).toEqual([
      { place_id: 'elm', f_size: 7 },
      { place_id: 'oak', f_size: 7 },
    ])
    await oak.end()
  })
})
