import { afterAll, beforeAll, expect, test } from 'vitest'
import { toCsv, good, hashRows, openImporterFixture, trees, type ImporterFixture } from './testing.ts'
import { commit } from '../dry-run.ts'
import { rollback } from '../rollback.ts'
import { run } from '../run.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

const count = isFullRun ? 100_000 : 2000

let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
})
afterAll(() => bed.close())

test(`${count} rows that all change: dry run, commit, rollback`, { timeout: 900_000 }, async () => {
  const id = await bed.importer({ mode: 'replace' })
  const admin = () => bed.world.as('content_admin', { files: bed.system().files })
  const buildRequest = (jobId: string, options: object = {}) => ({
    params: { sourceId: id, importerId: id, jobId },
    options,
    data: undefined,
    placeId: 'oakton',
  })
  bed.files.set('/trees.csv', toCsv(trees(count)))
  await bed.start(id)
  await bed.finish({ batchRows: 2000 })
  const before = await bed.readStored(id)
  bed.files.set('/trees.csv', toCsv(trees(count, 0, 1)))
  const figures: Record<string, number | string> = { database: bed.world.database.kind, rows: count }
  const measureRun = async (name: string) => {
    const startMs = performance.now()
    await bed.finish({ batchRows: 2000, budgetMs: 20_000 })
    figures[`${name}, rows/s`] = Math.round((count / (performance.now() - startMs)) * 1000)
  }
  const job = await run(admin(), buildRequest('', { dryRun: true }))
  await measureRun('dry run')
  await commit(admin(), buildRequest(job?.id ?? ''))
  await measureRun('commit of it')
  expect((await bed.readStored(id)).hash).toBe(await hashRows(good(trees(count, 0, 1))))
  await rollback(admin(), buildRequest(job?.id ?? ''))
  await measureRun('roll back')
  expect(await bed.job(id)).toMatchObject({
    status: 'succeeded',
    counts: { updated: good(trees(count)).length },
  })
  expect(await bed.readStored(id)).toEqual({ ...before, version: 3 })
  writeMeasurements(`import-undo-${bed.world.database.kind}`, figures)
})
