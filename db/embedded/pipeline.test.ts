import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseUrl } from '../databases.testing.ts'
import { freshDatabase, hasRealPostgres, type TestDatabase } from '../testing.ts'
import type { Statement } from './pipeline.ts'
import { startProxy, type Proxy } from './proxy.ts'
import { toServerAddress } from './tls.ts'

describe.skipIf(!hasRealPostgres)('statements in one transaction, on a real Postgres', () => {
  let database: TestDatabase
  let proxy: Proxy
  let url = ''
  beforeAll(async () => {
    const server = new URL(process.env.TEST_POSTGRES_URL ?? '')
    database = await freshDatabase({ isOwn: true })
    proxy = await startProxy(toServerAddress(server))
    url = databaseUrl(server, new URL(database.env.DATABASE_URL).pathname.slice(1))
    await runAll([{ query: 'create table color (name text primary key, red int)' }])
  })
  afterAll(async () => {
    await proxy.close()
    await database.close()
  })

  const runAll = (queries: Statement[], headers: Record<string, string> = {}) =>
    proxy.answer(JSON.stringify({ queries }), { 'Neon-Connection-String': url, ...headers })
  const readNames = async () => {
    const { json } = await runAll([{ query: 'select name from color order by name' }])
    return (json as { results: { rows: string[][] }[] }).results[0]?.rows.flat()
  }
  const insert = (name: string | null) => ({ query: 'insert into color values ($1, 1)', params: [name] })

  test('each is answered, with and without rows, with the form of Neon', async () => {
    const queries = [
      { query: 'insert into color values ($1, $2), ($3, null)', params: ['ruby', '255', 'void'] },
      { query: 'select name, red from color where red is not distinct from $1', params: [null] },
      { query: 'select name from color where false' },
      { query: '' },
      { query: `select set_config('app.user', $1, true)`, params: ['ada'] },
      { query: `select current_setting('app.user') as "user", array[1, 2] as list` },
    ]
    const { status, json } = await runAll(queries)
    expect(status).toBe(200)
    expect(json).toMatchObject({
      results: [
        { command: 'INSERT', rowCount: 2, rows: [], fields: [] },
        {
          command: 'SELECT',
          rowCount: 1,
          rows: [['void', null]],
          fields: [{ name: 'name' }, { name: 'red' }],
        },
        { command: 'SELECT', rowCount: 0, rows: [], fields: [{ name: 'name' }] },
        { command: '', rowCount: null, rows: [], fields: [] },
        { command: 'SELECT', rowCount: 1, rows: [['ada']] },
        { rows: [['ada', '{1,2}']], fields: [{ name: 'user' }, { name: 'list', dataTypeID: 1007 }] },
      ],
    })
    await runAll([{ query: 'delete from color' }])
  })

  test('where one fails none is saved, its error is the answer, and the connection serves the next', async () => {
    const duplicate = await runAll([insert('red'), insert('red'), insert('blue')])
    expect(duplicate).toMatchObject({ status: 400, json: { code: '23505', table: 'color' } })
    expect(await readNames()).toEqual([])
    const syntaxError = await runAll([insert('green'), { query: 'selec' }])
    expect(syntaxError).toMatchObject({ status: 400, json: { code: '42601', position: '1' } })
    const twoStatements = await runAll([{ query: 'select 1; select 2' }])
    expect(twoStatements).toMatchObject({ status: 400, json: { code: '42601' } })
    expect(await readNames()).toEqual([])
  })

  test('copying rows is refused or gives none, and the connection serves the next', async () => {
    const copyIn = await runAll([{ query: 'copy color from stdin' }])
    expect(copyIn).toMatchObject({ status: 400, json: { code: '08P01' } })
    const copyOut = await runAll([{ query: 'copy (select 1) to stdout' }])
    expect(copyOut).toMatchObject({ status: 200, json: { results: [{ command: 'COPY', rows: [] }] } })
    expect(await readNames()).toEqual([])
  })

  test('an error of the commit is the answer', async () => {
    await runAll([{ query: 'create table shade (name text references color deferrable initially deferred)' }])
    const orphan = await runAll([{ query: `insert into shade values ('none')` }])
    expect(orphan).toMatchObject({ status: 400, json: { code: '23503' } })
    expect(await readNames()).toEqual([])
  })

  test('writes are refused where only reads are asked for', async () => {
    const answer = await runAll([insert('red')], { 'Neon-Batch-Read-Only': 'true' })
    expect(answer).toMatchObject({ status: 400, json: { code: '25006' } })
  })

  test('a time limit holds for each statement, from the one after it was set', async () => {
    const limit = { query: `select set_config('statement_timeout', '300', true)` }
    const pause = (seconds: number) => ({ query: `select pg_sleep(${seconds})` })
    expect(await runAll([limit, pause(0.2), pause(0.2)])).toMatchObject({ status: 200 })
    expect(await runAll([limit, pause(5)])).toMatchObject({ status: 400, json: { code: '57014' } })
  })

  test('a connection that breaks says why, and is replaced', async () => {
    const answer = await runAll([{ query: 'select pg_terminate_backend(pg_backend_pid())' }])
    expect(answer).toMatchObject({ status: 400, json: { code: '57P01' } })
    expect(await readNames()).toEqual([])
  })
})
