import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import type { Db } from './schema.ts'
import { makeTable } from './data-table.ts'
import { asSystem, freshDatabase, hasRealPostgres, type TestDatabase } from './testing.ts'

const readName = (database: TestDatabase) => new URL(database.env.DATABASE_URL).pathname.slice(1)

/** The rows of each table, those of a fixed content left out, and what the planner knows of its size. */
async function readContents(database: TestDatabase): Promise<Record<string, unknown>> {
  const tables = await database.readAll<{ name: string }>(
    sql<{ name: string }>`select format('%I.%I', nspname, relname) as name from pg_class
      join pg_namespace n on n.oid = relnamespace where relkind in ('r', 'p', 'S')
      and nspname in ('public', 'data', 'data_part') and relname <> 'spatial_ref_sys' order by 1`.compile(
      compiler,
    ),
  )
  const rows: Record<string, unknown> = {}
  // The names are those of the catalogue, quoted by it.
  for (const { name } of tables)
    rows[name] = await database.readAll(sql`select * from ${sql.raw(name)}`.compile(compiler))
  rows.sizes = await database.readAll(
    sql`select relname, pg_relation_size(oid) as bytes, reltuples, relpages from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'spatial_ref_sys'
      order by 1`.compile(compiler),
  )
  return rows
}

/** Compiles statements for `readAll`. */
let compiler: Db

describe.skipIf(!hasRealPostgres)('a database of the tests on a Postgres', () => {
  let fresh: Record<string, unknown>
  beforeAll(async () => {
    const own = await freshDatabase({ isOwn: true })
    compiler = own.connect(asSystem).db
    fresh = await readContents(own)
    await own.close()
  })

  /** Another one, after `use` of one. */
  async function openAfter(use: (database: TestDatabase) => Promise<unknown>) {
    const first = await freshDatabase()
    await use(first)
    await first.close()
    const next = await freshDatabase()
    const isSame = readName(next) === readName(first)
    const rows = await readContents(next)
    await next.close()
    return { isSame, rows }
  }

  test('is empty again for the next file: rows, tables of records and sequences', async () => {
    const { isSame, rows } = await openAfter(async (database) => {
      const { db, transaction, end } = database.connect(asSystem)
      const names = { id: 'oak', name: 'oak', displayName: 'Oak' }
      const row = { ...names, theme: '{}', mapConfiguration: '{}', createdBy: null }
      await db.insertInto('place').values(row).execute()
      const dataType = { id: 'tree', name: 'Tree', schema: '{}', createdBy: null }
      await db.insertInto('dataType').values(dataType).execute()
      await db.insertInto('outbox').values({ placeId: 'oak', kind: 'place.changed', payload: '{}' }).execute()
      await database.readAll(sql`delete from daily_work`.compile(compiler))
      await transaction((tx) =>
        makeTable(tx, {
          id: 'tree',
          schema: { height: { type: 'number' } },
          temporal: null,
          tableName: null,
        }),
      )
      await end()
      expect(Object.keys(await readContents(database))).toContain('data.t_tree')
    })
    expect(isSame).toBe(true)
    expect(rows).toEqual(fresh)
  })

  test('is empty when a transaction of the last file was still open', async () => {
    let finish = () => {}
    const { isSame, rows } = await openAfter(
      (database) =>
        new Promise<void>((resolve) => {
          const { transaction } = database.connect(asSystem)
          transaction(async (tx) => {
            await sql`lock table place in access exclusive mode`.execute(tx)
            resolve()
            await new Promise<void>((done) => (finish = done))
          }).catch(() => {})
        }),
    )
    finish()
    expect(rows).toEqual(fresh)
    expect(isSame).toBe(true)
  })

  test('is dropped where the last file has changed more than rows', async () => {
    const { isSame, rows } = await openAfter(async (database) => {
      await database.readAll(sql`create table public.extra (id bigint)`.compile(compiler))
    })
    expect([isSame, rows]).toEqual([false, fresh])
  })
})
