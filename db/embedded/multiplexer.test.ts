import { Client, neonConfig } from '@neondatabase/serverless'
import { PGlite } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { startProxy } from './proxy.ts'

test('statements queued behind a failing one get their own answers', async () => {
  const database = new PGlite()
  await database.exec(`create table color (name text primary key); insert into color values ('red')`)
  const proxy = await startProxy({ pglite: database })
  const client = new Client('postgres://someone:password@localhost/postgres')
  Object.assign(client.neonConfig, {
    ...{ wsProxy: () => `${proxy.address}/v2`, webSocketConstructor: neonConfig.webSocketConstructor },
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
  await proxy.close()
  await database.close()
})
