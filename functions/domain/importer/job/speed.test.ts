import { afterAll, beforeAll, expect, test } from 'vitest'
import { toCsv, good, hashRows, openImporterFixture, trees, type ImporterFixture } from './testing.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

const count = isFullRun ? 100_000 : 12_000

let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
})
afterAll(() => bed.close())

test(`${count} rows of CSV, from the request to the last index`, { timeout: 600_000 }, async () => {
  const id = await bed.importer({ mode: 'replace' })
  const rows = trees(count)
  bed.files.set('/trees.csv', toCsv(rows))
  const figures: Record<string, number | string> = { database: bed.world.database.kind, rows: count }
  for (const turn of ['first', 'unchanged']) {
    await bed.start(id)
    const startMs = performance.now()
    // As with messages of the queue: no step takes longer than 20 s.
    await bed.finish({ batchRows: 2000, budgetMs: 20_000 })
    figures[`${turn}, rows/s`] = Math.round((count / (performance.now() - startMs)) * 1000)
    const { status, counts } = await bed.job(id)
    const all = good(rows).length
    const created = turn === 'first' ? all : 0
    expect({ status, counts }).toEqual({
      status: 'succeeded',
      counts: {
        read: count,
        created,
        updated: 0,
        unchanged: all - created,
        removed: 0,
        rejected: count - all,
      },
    })
  }
  expect((await bed.readStored(id)).hash).toBe(await hashRows(good(rows)))
  // Others in the place of all of them.
  const others = trees(150, count)
  bed.files.set('/trees.csv', toCsv(others))
  await bed.start(id)
  await bed.finish()
  expect((await bed.job(id)).counts).toMatchObject({ read: 150, created: 148, removed: good(rows).length })
  expect((await bed.readStored(id)).hash).toBe(await hashRows(good(others)))
  writeMeasurements(`import-${bed.world.database.kind}`, figures)
})
