import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bundle, startWorker, type RealWorker } from './worker.testing.ts'
import { create, updateById } from '../importers.ts'
import { claimDay } from '#functions/domain/internals/daily-work.ts'
import { toCsv, hashRows, openImporterFixture, origin, trees, type ImporterFixture } from '../job/testing.ts'
import { maintainJobs } from '../job/sweep.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

/**
 * Clocks of Workers that are ten minutes off, in both directions: the clock of the database decides who may
 * do what, and when.
 */
const skews = [10, -10].map((minutes) => minutes * 60_000)
const runs = isFullRun ? 60 : 8
const count = isFullRun ? 2000 : 300

let bed: ImporterFixture
let code: string
const folder = mkdtempSync(join(tmpdir(), 'commonplace-skewed-'))
beforeAll(async () => {
  ;[bed, code] = await Promise.all([openImporterFixture(), bundle()])
})
afterAll(async () => {
  await bed.close()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await bed.system().db.updateTable('importer').set({ nextRunAt: null }).execute()
})

/** The same code in a process whose clock is so many milliseconds ahead. */
const skewed = (ms: number) => `{
  const Right = Date
  globalThis.Date = class extends Right {
    constructor(...given) { given.length ? super(...given) : super(Right.now() + ${ms}) }
    static now() { return Right.now() + ${ms} }
  }
}
${code}`
const clocks = skews.map((ms) => () => new Date(Date.now() + ms))

test('two workers whose clocks differ by twenty minutes process each run exactly once', async () => {
  const rows = trees(count)
  const requestCounts = new Map<string, number>()
  const ids: string[] = []
  for (let i = 0; i < runs; i += 1) {
    const path = `/trees-${i}.csv`
    bed.files.set(path, () => {
      requestCounts.set(path, (requestCounts.get(path) ?? 0) + 1)
      return { status: 200, body: toCsv(rows) }
    })
    const sources = JSON.stringify([{ url: `${origin}${path}`, parser: 'csv' }])
    const id = await bed.importer({ mode: 'replace', sources })
    await bed.start(id)
    ids.push(id)
  }
  const workers: RealWorker[] = []
  for (const ms of skews)
    workers.push(
      await startWorker(skewed(ms), {
        env: bed.world.database.env,
        remotePort: bed.net.findPort(origin) ?? 0,
        // The files of two buckets: a local one has one process. A run is small enough to be one worker's from begin to end.
        folder: join(folder, String(ms)),
      }),
    )
  const isOver = async () => {
    const jobs = await Promise.all(ids.map((id) => bed.job(id)))
    return jobs.every(({ finishedAt }) => finishedAt !== null)
  }
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (let i = 0; i < 100 && !(await isOver()); i += 1) await worker.message()
      }),
    )
  } finally {
    for (const worker of workers) await worker.close()
  }
  const right = await hashRows(rows.filter(({ height }) => typeof height === 'number'))
  for (const id of ids) {
    const { status, error, counts, startedAt, finishedAt } = await bed.job(id)
    expect([id, status, error, counts.read]).toEqual([id, 'succeeded', null, count])
    expect(await bed.readStored(id)).toMatchObject({ hash: right, version: 1 })
    // The times stored for a run are those of the database, whichever worker wrote them.
    for (const at of [startedAt, finishedAt])
      expect(Math.abs(Number(at) - Date.now())).toBeLessThan(5 * 60_000)
  }
  expect([...requestCounts.values()]).toEqual(ids.map(() => 1))
  // Both workers took part: each has written pages into its own bucket.
  for (const ms of skews)
    expect(readdirSync(join(folder, String(ms)), { recursive: true }).length).toBeGreaterThan(0)
  writeMeasurements('faults-skewed', { runs, rows: runs * count })
}, 280_000)

/** The number of runs of an importer, in any status. */
const countRuns = async (id: string) =>
  (await bed.system().db.selectFrom('job').select('id').where('importerId', '=', id).execute()).length
const readNextRun = async (id: string) =>
  await bed
    .system()
    .db.selectFrom('importer')
    .select(['nextRunAt', sql<Date>`now()`.as('at')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
/** Both Workers look after runs, at once and again. */
const runMaintenance = async () => {
  for (let i = 0; i < 3; i += 1) await Promise.all(clocks.map((now) => maintainJobs(bed.system({ now }))))
}

test('a cron that is an hour late starts one run of what was due, and the next one in time', async () => {
  const id = await bed.importer({
    schedule: '*/15 * * * *',
    nextRunAt: new Date(Date.now() - 3_600_000),
  })
  await runMaintenance()
  expect(await countRuns(id)).toBe(1)
  const { nextRunAt, at } = await readNextRun(id)
  expect(Number(nextRunAt) - Number(at)).toBeGreaterThan(0)
  expect(Number(nextRunAt) - Number(at)).toBeLessThanOrEqual(15 * 60_000)
})

test('a worker whose clock is ten minutes fast does not start early, and a slow one starts what is due', async () => {
  const schedule = '0 0 1 1 *'
  const soon = await bed.importer({ schedule, nextRunAt: new Date(Date.now() + 5 * 60_000) })
  const due = await bed.importer({ schedule, nextRunAt: new Date(Date.now() - 60_000) })
  const [early, late] = clocks
  await maintainJobs(bed.system({ now: early! }))
  expect([await countRuns(soon), await countRuns(due)]).toEqual([0, 1])
  const alsoDue = await bed.importer({ schedule, nextRunAt: new Date(Date.now() - 60_000) })
  await maintainJobs(bed.system({ now: late! }))
  expect([await countRuns(soon), await countRuns(alsoDue)]).toEqual([0, 1])
})

test('a saved schedule begins at its next time, whatever the clock of the server that saves it', async () => {
  for (const now of clocks)
    for (const [minutes, wait] of [
      // Passed five minutes ago: by a clock that is late it would be due at once.
      [-5, 55],
      // In five minutes: by a clock that is fast it would be skipped.
      [5, 5],
    ] as const) {
      const { rows } = await sql<{ at: Date }>`select now() as at`.execute(bed.system().db)
      const minute = new Date(Number(rows[0]?.at) + minutes * 60_000).getUTCMinutes()
      const ctx = bed.world.as('content_admin', { now })
      const params = { sourceId: await bed.importer() }
      const data = {
        name: 'Hourly',
        schedule: `${minute} * * * *`,
        sources: [{ url: `${origin}/trees.csv`, parser: 'csv' as const }],
      }
      const args = { params, options: {}, placeId: 'oakton' }
      const importer = await create(ctx, { ...args, data })
      const waits = async (id: string) => {
        const { nextRunAt, at } = await readNextRun(id)
        return Math.round((Number(nextRunAt) - Number(at)) / 60_000)
      }
      expect(Math.abs((await waits(importer!.id)) - wait)).toBeLessThanOrEqual(1)
      const changing = { ...args, params: { ...params, importerId: importer!.id } }
      await updateById(ctx, { ...changing, data: { version: 1, enabled: false } })
      await updateById(ctx, { ...changing, data: { version: 2, enabled: true } })
      expect(Math.abs((await waits(importer!.id)) - wait)).toBeLessThanOrEqual(1)
    }
})

test('the work of a day is done once, by the first worker', async () => {
  const { db } = bed.system()
  await sql`delete from daily_work where name = 'house'`.execute(db)
  const claim = async () =>
    (await Promise.all([...clocks, ...clocks].map((now) => claimDay(bed.system({ now }), 'house')))).filter(
      Boolean,
    )
  expect(await claim()).toHaveLength(1)
  expect(await claim()).toEqual([])
  // The night before nothing ran.
  await sql`update daily_work set day = day - 2 where name = 'house'`.execute(db)
  expect(await claim()).toHaveLength(1)
  expect(await claim()).toEqual([])
})
