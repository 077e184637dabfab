import { sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isConnectionRefused } from './unavailable.ts'
import { asSystem, freshDatabase, hasRealPostgres, type TestDatabase } from './testing.ts'
import type { Tables } from './schema.ts'

// The embedded database has one session and no timers: these run where TEST_POSTGRES_URL names a real server.
describe.skipIf(!hasRealPostgres)('only on a real Postgres', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
    const { db } = database.connect(asSystem)
    const row = { theme: '{}', mapConfiguration: '{}', createdBy: null }
    await db
      .insertInto('place')
      .values({ id: 'oak', name: 'oak', displayName: 'oak', ...row })
      .execute()
  })
  afterAll(() => database.close())

  /** Runs a transaction on a connection of its own. */
  async function runInTransaction<T>(run: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
    const { transaction, end } = database.connect(asSystem)
    try {
      return await transaction(run)
    } finally {
      await end()
    }
  }

  test('a statement that takes too long is cancelled with the code that becomes "took longer than expected"', async () => {
    const { transaction, end } = database.connect(asSystem)
    const attempt = transaction(async (tx) => {
      await sql`select set_config('statement_timeout', '50', true)`.execute(tx)
      await sql`select pg_sleep(5)`.execute(tx)
    })
    await expect(attempt).rejects.toMatchObject({ code: '57014' })
    await end()
  })

  test('every connection has a timeout of its own', async () => {
    const { rows } = await sql<{ t: string }>`select current_setting('statement_timeout') as t`.execute(
      database.connect(asSystem).db,
    )
    expect(rows[0]?.t).toBe('20s')
  })

  test('an idle transaction is ended, and its locks are released', async () => {
    const ended = await database
      .connect(asSystem)
      .db.executeQuery(
        sql`select current_setting('idle_in_transaction_session_timeout') as t`.compile(
          database.connect(asSystem).db,
        ),
      )
    expect(ended.rows).toEqual([{ t: '1min' }])
    const { transaction, end } = database.connect(asSystem)
    const left = transaction(async (tx) => {
      await sql`select set_config('idle_in_transaction_session_timeout', '100', true)`.execute(tx)
      await sql`update place set name = 'held' where id = 'oak'`.execute(tx)
      await new Promise((resolve) => setTimeout(resolve, 600))
      await sql`select 1`.execute(tx)
    })
    await expect(left).rejects.toThrow()
    await end().catch(() => {})
    const other = database.connect(asSystem)
    await other.transaction((tx) => sql`update place set name = 'oak' where id = 'oak'`.execute(tx))
    await other.end()
  })

  test('when all connections are busy a caller is rejected within two seconds, and served once one is free', async () => {
    const sleeper = database.connect(asSystem)
    const sleepQueries = Array.from({ length: 40 }, () => sql`select pg_sleep(5)`.execute(sleeper.db))
    // Waits until all of them have been sent.
    await new Promise((resolve) => setTimeout(resolve, 500))
    const ask = () => database.connect(asSystem).db.selectFrom('place').select('id').execute()
    const startMs = Date.now()
    const refusals = await Promise.all(
      Array.from({ length: 50 }, () =>
        ask().then(
          () => 'answered',
          (error: unknown) => (isConnectionRefused(error) ? 'refused' : error),
        ),
      ),
    )
    expect(new Set(refusals)).toEqual(new Set(['refused']))
    // Long before the queries that hold the connections end; 2 s, with a margin for slow machines.
    expect(Date.now() - startMs).toBeLessThan(4_000)
    await Promise.all(sleepQueries)
    const after = await Promise.all(Array.from({ length: 50 }, ask))
    expect(after.flat()).toHaveLength(50)
  }, 20_000)

  test('transactions of two requests run in parallel', async () => {
    const sleep = () => runInTransaction((tx) => sql`select pg_sleep(0.4)`.execute(tx))
    const startMs = performance.now()
    await Promise.all([sleep(), sleep(), sleep()])
    expect(performance.now() - startMs).toBeLessThan(1100)
  })

  test('two writers of one row take turns, and neither change is lost', async () => {
    const rename = (text: string) =>
      runInTransaction(async (tx) => {
        const place = await tx
          .selectFrom('place')
          .select('name')
          .where('id', '=', 'oak')
          .forUpdate()
          .executeTakeFirstOrThrow()
        await sql`select pg_sleep(0.05)`.execute(tx)
        await tx
          .updateTable('place')
          .set({ name: `${place.name}${text}` })
          .where('id', '=', 'oak')
          .execute()
      })
    await Promise.all(['1', '2', '3'].map(rename))
    const { name } = await database
      .connect(asSystem)
      .db.selectFrom('place')
      .select('name')
      .executeTakeFirstOrThrow()
    expect([...name.slice(3)].sort()).toEqual(['1', '2', '3'])
  })

  test('what one worker has claimed another skips', async () => {
    const { db } = database.connect(asSystem)
    await db
      .insertInto('outbox')
      .values([1, 2].map((n) => ({ kind: 'page', placeId: 'oak', payload: JSON.stringify({ n }) })))
      .execute()
    const claim = () =>
      runInTransaction(async (tx) => {
        const { rows } = await sql<{
          id: string
        }>`select id from outbox order by id limit 1 for update skip locked`.execute(tx)
        await sql`select pg_sleep(0.2)`.execute(tx)
        return rows[0]?.id
      })
    const [first, second] = await Promise.all([claim(), claim()])
    expect(first).not.toBe(second)
  })
})
