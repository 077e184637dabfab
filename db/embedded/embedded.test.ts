import { Client, neonConfig } from '@neondatabase/serverless'
import type { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectAsOwner, type DbEnv } from '../connect.ts'
import { waysToDatabase } from '../serving-role.testing.ts'
import { asSystem } from '../testing.ts'
import { openEmbedded } from './open.ts'
import { startProxy } from './proxy.ts'

// One database for all that only the embedded one can show: to open one takes seconds.
let database: PGlite
let env: DbEnv
let close: () => Promise<void>
beforeAll(async () => {
  database = await openEmbedded(null)
  await database.exec('reset role')
  const proxy = await startProxy({ pglite: database })
  env = { DATABASE_URL: 'postgres://app:app@owner.local/commonplace', DB_PROXY: proxy.address }
  close = async () => {
    await proxy.close()
    await database.close()
  }
})
afterAll(() => close())

test.each(waysToDatabase)('rejects %s as a superuser before anything is read', async (_way, ask) => {
  await expect(ask(env)).rejects.toThrow(/"postgres" is a superuser/)
})

test('the owner may work where that is declared', async () => {
  const { db } = connectAsOwner(env, asSystem)
  expect(await db.selectFrom('place').select('id').execute()).toEqual([])
})

test('statements queued behind a failing one get their own answers', async () => {
  await database.exec(`create table color (name text primary key); insert into color values ('red')`)
  const client = new Client(env.DATABASE_URL)
  Object.assign(client.neonConfig, {
    ...{ wsProxy: () => `${env.DB_PROXY}/v2`, webSocketConstructor: neonConfig.webSocketConstructor },
    ...{ useSecureWebSocket: false, pipelineTLS: false, pipelineConnect: false },
  })
  await client.connect()
  const rows = async (text: string, values: unknown[] = []) =>
    client.query(text, values).then(
      (result) => result.rows as unknown,
      (error: { code: string }) => error.code,
    )
  const insert = 'insert into color values ($1)'
  const inTransaction = await Promise.all([
    rows('begin'),
    rows('savepoint one'),
    rows(insert, ['red']),
    rows('rollback to savepoint one'),
    rows('select count(*)::int as n from color'),
    rows(insert, ['red']),
    rows('rollback to savepoint one'),
    rows('select 2 as n'),
    rows('commit'),
  ])
  expect(inTransaction).toEqual([[], [], '23505', [], [{ n: 1 }], '23505', [], [{ n: 2 }], []])
  const alone = await Promise.all([rows(insert, ['red']), rows('select 3 as n'), rows('select 4 as n')])
  expect(alone).toEqual(['23505', [{ n: 3 }], [{ n: 4 }]])
  await client.end()
})
