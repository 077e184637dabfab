import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, type DbEnv } from '#db/connect.ts'
import { startProxy, type Proxy } from '#db/embedded/proxy.ts'
import { migrate } from '#db/migrate.ts'
import { asSystem, hasRealPostgres } from '#db/testing.ts'
import { isUnreachable } from '#db/unavailable.ts'
import { writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { asPostgres, makeCluster, postgresBin } from '../cluster.ts'
import { findFreePort } from '../local.ts'

const isFull = process.env.PROOF_SIZE === 'full'
const [restarts, seconds, people] = isFull ? [6, 6, 40] : [2, 1.5, 12]

// A cluster of its own: other tests use the one that TEST_POSTGRES_URL names.
describe.skipIf(!hasRealPostgres)('a database that is restarted under load', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commonplace-restart-'))
  let port: number
  let proxy: Proxy
  let env: DbEnv
  const stop = (how: 'fast' | 'immediate') =>
    asPostgres(`${postgresBin()}/pg_ctl -D ${folder}/data -w -m ${how} stop >/dev/null`)
  const start = () => {
    const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`
    return asPostgres(
      `${postgresBin()}/pg_ctl -D ${folder}/data -w -l ${folder}/log -o '${settings}' start >/dev/null`,
    )
  }
  const superuser = (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`

  beforeAll(async () => {
    port = await findFreePort()
    await makeCluster(folder)
    await start()
    await ask(superuser(), 'create database commonplace')
    const pool = new Pool({ connectionString: superuser('commonplace'), max: 1 })
    await migrate(new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }))
    await pool.end()
    await ask(superuser(), `alter role commonplace_app login password 'commonplace'`)
    proxy = await startProxy({ host: '127.0.0.1', port }, 0, { maxIdle: 8 })
    env = {
      DATABASE_URL: `postgres://commonplace_app:commonplace@restarted.local/commonplace`,
      DB_PROXY: proxy.address,
    }
  })
  afterAll(async () => {
    await proxy?.close()
    await stop('immediate')
    rmSync(folder, { recursive: true, force: true })
  })

  test('answers again at once, loses no acknowledged write, and fails no question that begins after the start', async () => {
    let isOver = false
    let next = 0
    const writtenIds: string[] = []
    const failures: { began: number; ended: number; error: unknown }[] = []
    const worker = async (isWriter: boolean) => {
      while (!isOver) {
        const startMs = performance.now()
        const { db, transaction, end } = connect(env, asSystem)
        try {
          if (isWriter) {
            const id = `p-${++next}`
            await transaction((tx) => tx.insertInto('place').values(buildPlace(id)).execute())
            writtenIds.push(id)
          } else
            await db
              .selectFrom('place')
              .select(sql<number>`count(*)`.as('n'))
              .execute()
        } catch (error) {
          failures.push({ began: startMs, ended: performance.now(), error })
          await pause(50)
        } finally {
          await end().catch(() => {})
        }
      }
    }
    const load = Array.from({ length: people }, (_, i) => worker(i % 3 === 0))
    const stops: number[] = []
    const starts: number[] = []
    let slowest = 0
    for (let i = 0; i < restarts; i += 1) {
      await pause(seconds * 1000)
      stops.push(performance.now())
      await stop(i % 2 === 0 ? 'fast' : 'immediate')
      await pause(300)
      await start()
      const up = performance.now()
      starts.push(up)
      // A new visitor whom no cache knows.
      await connect(env, asSystem).db.selectFrom('place').select('id').limit(1).execute()
      slowest = Math.max(slowest, performance.now() - up)
    }
    await pause(seconds * 1000)
    isOver = true
    await Promise.all(load)

    expect(failures.map(({ error }) => error).filter((error) => !isUnreachable(error))).toEqual([])
    // While the server is down nothing can be answered; requests that began after it was up again must not
    // meet a dead connection.
    const isUp = ({ began: startMs, ended }: { began: number; ended: number }) =>
      starts.some((start, i) => startMs > start && ended < (stops[i + 1] ?? Infinity))
    const late = failures.filter(isUp)
    const rows = await connect(env, asSystem).db.selectFrom('place').select('id').execute()
    const there = new Set(rows.map(({ id }) => id))
    const missing = writtenIds.filter((id) => !there.has(id))
    const open = await ask(
      superuser('commonplace'),
      `select count(*)::int as n from pg_stat_activity where usename = 'commonplace_app'`,
    )
    writeMeasurements('restart', {
      restarts,
      'people at once': people,
      'rows written': writtenIds.length,
      'questions that failed': failures.length,
      'questions that failed though they began after the start': late.length,
      'written rows that are missing': missing.length,
      'milliseconds until a question was answered after the start': Math.round(slowest),
      'connections that are open': Number(open[0]?.n),
    })
    expect(late.map(({ error }) => String(error))).toEqual([])
    expect(missing).toEqual([])
    expect(slowest).toBeLessThan(5000)
    expect(writtenIds.length).toBeGreaterThan(people)
  })

  test('a read-only database gives an error that says so, and accepts writes again without a new connection', async () => {
    const { db } = connect(env, asSystem)
    let tries = 0
    const write = (id: string) => db.insertInto('place').values(buildPlace(id)).execute()
    await ask(superuser(), 'alter system set default_transaction_read_only = on')
    await ask(superuser(), 'select pg_reload_conf()')
    await expect.poll(() => write('read-only').then(() => null, getErrorCode)).toBe('25006')
    expect((await db.selectFrom('place').select('id').limit(1).execute()).length).toBe(1)
    await ask(superuser(), 'alter system reset default_transaction_read_only')
    await ask(superuser(), 'select pg_reload_conf()')
    await expect.poll(() => write(`again-${++tries}`).then(() => 'written', getErrorCode)).toBe('written')
  })
})

const getErrorCode = (error: unknown) => (error as { code?: string }).code
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const buildPlace = (id: string) => ({
  ...{ id, name: id, displayName: id, theme: '{}', mapConfiguration: '{}', createdBy: null },
})

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}
