import { Client, Pool } from '@neondatabase/serverless'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { freshDatabase, hasRealPostgres, type TestDatabase } from './testing.ts'

const last = Object.keys(migrations).sort().at(-1) ?? ''

// Locks held by others need a second session.
describe.skipIf(!hasRealPostgres)('a migration whose tables are locked by others', () => {
  let database: TestDatabase
  let owner: Kysely<unknown>
  let holder: Client
  beforeAll(async () => {
    database = await freshDatabase({ isOwn: true })
    const url = new URL(database.env.DATABASE_URL)
    const { username, password } = new URL(process.env.TEST_POSTGRES_URL ?? '')
    Object.assign(url, { username, password })
    const pool = new Pool({ connectionString: url.href, max: 1 })
    owner = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: pool as never }) })
    holder = new Client(url.href)
    await holder.connect()
  })
  afterAll(async () => {
    await holder.end()
    await owner.destroy()
    await database.close()
  })

  /** Reverts the newest migration. */
  async function revertNewest() {
    await owner.transaction().execute(async (tx) => {
      await sql`select set_config('app.global', 'system', true)`.execute(tx)
      await migrations[last]?.down?.(tx)
      await sql`delete from migration where name = ${last}`.execute(tx)
    })
  }
  const isApplied = async () =>
    (await sql<{ name: string }>`select name from migration where name = ${last}`.execute(owner)).rows
      .length === 1

  test('is given up with a message that names the sessions that lock them, and has changed nothing', async () => {
    await revertNewest()
    await holder.query('begin')
    await holder.query('lock table migration in exclusive mode')
    await expect(migrate(owner, [10])).rejects.toMatchObject({
      name: 'MigrationLockedError',
      message: expect.stringMatching(
        /^The session \d+ of the role "\w+".* \(idle in transaction, its transaction began \d+ s ago\) holds what a migration needs, so nothing was changed\./,
      ) as string,
    })
    expect(await isApplied()).toBe(false)
  }, 30_000)

  test('continues by itself once they are released', async () => {
    setTimeout(() => void holder.query('commit'), 1500)
    expect(await migrate(owner, [10, 10, 3000])).toEqual([last])
    expect(await isApplied()).toBe(true)
  }, 30_000)
})
