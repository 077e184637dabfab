import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hasRealPostgres } from '#db/testing.ts'
import { city } from '#db/worlds/city.ts'
import { memoryBucket } from '#db/worlds/ports.ts'
import { openWorld, type TestWorld, type TestContext } from '#db/worlds/world.ts'
import { jump, recover } from '#functions/domain/internals/recovery.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { publishOutbox } from '#functions/jobs/publish/publish.ts'
import type { VisitPath } from '#functions/jobs/publish/make-hub.ts'
import { writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { asPostgres, makeCluster, postgresBin } from '../cluster.ts'
import { findFreePort } from '../local.ts'

const isFull = process.env.PROOF_SIZE === 'full'
const rows = isFull ? 2000 : 300
/**
 * How long written pages may wait to be archived (`archive_timeout`), and how long data is written before the
 * machine is lost; in seconds.
 */
const [archiveSeconds, writeSeconds] = isFull ? [60, 150] : [2, 5]

// A cluster of its own, whose WAL is archived as described in the README.
describe.skipIf(!hasRealPostgres)('a database that is restored from its backup', () => {
  let folder: string
  let port: number
  let world: TestWorld
  let ctx: TestContext
  const figures: Record<string, number> = {}
  const outer = process.env.TEST_POSTGRES_URL
  const hubs = memoryBucket()
  const visit: VisitPath = async (_hub, path, languages) =>
    languages.map((locale) => ({
      ...{ locale, status: path === '/404' ? 404 : path === '/error' ? 500 : 200, type: 'text/html' },
      ...{ tags: ['source:open'], body: `${locale} ${path} ${Math.random()}`, files: [] },
    }))
  const publish = () => publishOutbox(ctx, visit, () => {}, ['oakton'])

  const start = (data: string) =>
    asPostgres(
      `${postgresBin()}/pg_ctl -D ${data} -w -l ${folder}/log start -o '-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}' >/dev/null`,
    )
  const stop = (data: string, how: 'fast' | 'immediate') =>
    asPostgres(`${postgresBin()}/pg_ctl -D ${data} -w -m ${how} stop >/dev/null`)
  const getDataFolder = () => join(folder, 'data')

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'commonplace-restore-'))
    port = await findFreePort()
    await makeCluster(folder)
    mkdirSync(join(folder, 'archive'))
    if (process.getuid?.() === 0) spawnSync('chown', ['-R', 'postgres', folder])
    appendFileSync(
      join(getDataFolder(), 'postgresql.conf'),
      [
        ...['', 'wal_level = replica', 'archive_mode = on', `archive_timeout = ${archiveSeconds}`],
        `archive_command = 'test ! -f ${folder}/archive/%f && cp %p ${folder}/archive/%f'`,
      ].join('\n'),
    )
    await start(getDataFolder())
    process.env.TEST_POSTGRES_URL = `postgres://postgres@127.0.0.1:${port}/postgres`
    world = await openWorld(city)
    ctx = world.as('system', { hubs, files: memoryBucket() })
    await ctx.db.updateTable('place').set({ isHub: true }).where('id', '=', 'oakton').execute()
    await asPostgres(
      `${postgresBin()}/pg_basebackup -h 127.0.0.1 -p ${port} -U postgres -c fast -D ${folder}/backup >/dev/null`,
    )
  })
  afterEach(async () => {
    await world?.close().catch(() => {})
    for (const data of ['data', 'restored']) await stop(join(folder, data), 'immediate').catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  })
  afterAll(() => {
    writeMeasurements('restore', figures)
    process.env.TEST_POSTGRES_URL = outer
  })

  /**
   * Restores the backup to a moment, or to the end of the archive, in a new folder. Returns how long that
   * took.
   */
  async function restoreBackup(to?: string): Promise<number> {
    const since = performance.now()
    const data = join(folder, 'restored')
    await asPostgres(`cp -r ${folder}/backup ${data} && chmod 700 ${data} && touch ${data}/recovery.signal`)
    appendFileSync(
      join(data, 'postgresql.conf'),
      [
        ...['', `restore_command = 'cp ${folder}/archive/%f %p'`, `recovery_target_action = 'promote'`],
        ...(to ? [`recovery_target_time = '${to}'`] : []),
        // The WAL of the restored server must not mix with the archived one.
        ...['archive_mode = off', ''],
      ].join('\n'),
    )
    await start(data)
    // The server is ready when it accepts writes again.
    await expect
      .poll(
        () =>
          ask(`select pg_is_in_recovery() as "is"`).then(
            ([row]) => row?.is,
            () => true,
          ),
        {
          timeout: 60_000,
        },
      )
      .toBe(false)
    await ctx.db.selectFrom('place').select('id').limit(1).execute()
    return (performance.now() - since) / 1000
  }

  async function ask(text: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` })
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end()
    }
  }

  const source = async () =>
    ctx.db.selectFrom('source').selectAll().where('id', '=', 'open').executeTakeFirstOrThrow()
  const records = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ id: `r${from + i}`, type: `noise ${from + i}`, minutes: i }))
  /** The number of records, and a digest of their contents. */
  async function digestRecords(): Promise<{ n: number; digest: string }> {
    const { tableName } = await ctx.db
      .selectFrom('dataType')
      .select('tableName')
      .where('id', '=', 'call')
      .executeTakeFirstOrThrow()
    const { rows: digests } = await sql<{ n: number; digest: string }>`
      select count(*)::int as n, coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest
      from ${sql.id('data', tableName ?? '')} t`.execute(ctx.db)
    return digests[0] ?? { n: 0, digest: '' }
  }
  const snapshot = async () =>
    (await hubs.get('site/oakton.localhost.json'))?.json<{ manifest: number; sources: object }>()

  test('restores all that a bad deployment deleted, and does not mix it with what was served since', async () => {
    await ingest(ctx, 'open', records(0, rows))
    await publish()
    const before = await digestRecords()
    expect(before.n).toBe(rows)
    const [{ at } = { at: '' }] = await ask(`select clock_timestamp()::text as at`)
    // After that moment more is written and withdrawn, the hub is made again, and then all records are
    // deleted.
    await ingest(ctx, 'open', records(rows, 50))
    await publish()
    const { dataVersion: usedVersion } = await source()
    await ctx.db.updateTable('source').set({ visibility: 'private' }).where('id', '=', 'open').execute()
    await publish()
    const servedState = await snapshot()
    await ask(`select pg_switch_wal()`)
    await sql`delete from data_history`.execute(ctx.db)
    const { tableName } = await ctx.db
      .selectFrom('dataType')
      .select('tableName')
      .where('id', '=', 'call')
      .executeTakeFirstOrThrow()
    await sql`delete from ${sql.id('data', tableName ?? '')}`.execute(ctx.db)
    expect((await digestRecords()).n).toBe(0)
    await stop(getDataFolder(), 'fast')

    const seconds = await restoreBackup(String(at))
    const after = await digestRecords()
    await recover(ctx)
    await publish()
    const now = await snapshot()
    Object.assign(figures, {
      'records deleted by a bad deployment': rows,
      'records that are as they were': after.digest === before.digest ? after.n : 0,
      'seconds until it answered again': Math.round(seconds * 10) / 10,
    })
    expect(after).toEqual(before)
    expect((await source()).visibility).toBe('place')
    expect((await source()).dataVersion).toBeGreaterThan(usedVersion)
    expect(now?.manifest).toBeGreaterThan(Math.max(servedState?.manifest ?? 0, jump))
  })

  test(
    'loses at most what was not yet archived when the machine and its disk are lost',
    async () => {
      const createdPlaces: { id: string; at: number }[] = []
      const until = Date.now() + writeSeconds * 1000
      for (let i = 0; Date.now() < until; i += 1) {
        const id = `p-${i}`
        const place = { id, name: id, displayName: id, theme: '{}', mapConfiguration: '{}', createdBy: null }
        await ctx.transaction((tx) => tx.insertInto('place').values(place).execute())
        createdPlaces.push({ id, at: Date.now() })
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const lostAt = Date.now()
      await stop(getDataFolder(), 'immediate')
      rmSync(getDataFolder(), { recursive: true, force: true })
      const seconds = await restoreBackup()
      await recover(ctx)
      const placeIds = new Set((await ctx.db.selectFrom('place').select('id').execute()).map(({ id }) => id))
      const restoredPlaces = createdPlaces.filter(({ id }) => placeIds.has(id))
      // The restored rows are a prefix of the written ones, without a gap.
      expect(restoredPlaces).toEqual(createdPlaces.slice(0, restoredPlaces.length))
      const lostSeconds = (lostAt - (restoredPlaces.at(-1)?.at ?? until - writeSeconds * 1000)) / 1000
      Object.assign(figures, {
        'writes before the machine was lost': createdPlaces.length,
        'writes that are there again': restoredPlaces.length,
        'seconds of writes that are lost': Math.round(lostSeconds * 10) / 10,
        'seconds until a lost one answered again': Math.round(seconds * 10) / 10,
      })
      expect(lostSeconds).toBeLessThan(archiveSeconds + 30)
      expect(restoredPlaces.length).toBeGreaterThan(0)
    },
    (writeSeconds + 120) * 1000,
  )
})
