import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectDone, prepareImporter, rows } from './ledger.testing.ts'
import { step } from './step.ts'
import { sweepJobs, maintainJobs } from './sweep.ts'
import { openImporterFixture, toCsv, trees, type ImporterFixture } from './testing.ts'
import { processJobs } from './work.ts'
import { stop } from '../run.ts'

let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
})
afterAll(() => bed.close())

describe('a run that is interrupted', () => {
  test('at every step continues with a new fence and ends the same', async () => {
    const id = await prepareImporter(bed, 'replace', rows)
    const steps = await bed.finish({ budgetMs: 0, batchRows: 250 })
    expect(steps).toBeGreaterThan(20)
    expect((await bed.job(id)).fence).toBe(steps)
    await expectDone(bed, id, 'replace', rows)
  })

  test.each(['before', 'after'])(
    'by a connection lost %s each COMMIT: nothing twice, nothing lost',
    async (when) => {
      const id = await prepareImporter(bed, 'upsert', rows, [])
      let turn = 0
      const { transaction } = bed.system()
      const createConnectionError = () => Object.assign(new Error('Connection terminated unexpectedly'))
      const flaky = bed.system({
        transaction: (run) => {
          turn += 1
          // Each first try fails; else it would never get on.
          const isLost = turn % 2 === 1
          if (isLost && when === 'before')
            return transaction(async (tx) => {
              await run(tx)
              throw createConnectionError()
            })
          return transaction(run).then((result) => {
            if (isLost) throw createConnectionError()
            return result
          })
        },
      })
      for (let i = 0; i < 60; i++) {
        await bed.due()
        if (!(await step(flaky, bed.work({ batchRows: 500 })))) break
      }
      expect(turn).toBeGreaterThan(10)
      await sweepJobs(bed.system())
      await expectDone(bed, id, 'upsert', rows, [])
    },
  )

  test('and processed by several workers at once, with duplicate messages, ends the same', async () => {
    const id = await prepareImporter(bed, 'replace', rows)
    for (let i = 0; i < 40; i++)
      await Promise.all([1, 2, 3].map(() => step(bed.system(), bed.work({ budgetMs: 0 }))))
    await expectDone(bed, id, 'replace', rows)
  })

  test('is resumed after its message was lost, and after its worker died', async () => {
    const id = await prepareImporter(bed, 'upsert', rows, [])
    await step(bed.system(), bed.work({ budgetMs: 0 }))
    const { db } = bed.system()
    // Its worker holds it, and is gone.
    await db
      .updateTable('job')
      .set({ leaseUntil: new Date(Date.now() + 60_000) })
      .where('importerId', '=', id)
      .execute()
    expect(await maintainJobs(bed.system())).toBe(false)
    await db
      .updateTable('job')
      .set({ leaseUntil: new Date(Date.now() - 60_000) })
      .where('importerId', '=', id)
      .execute()
    expect(await maintainJobs(bed.system())).toBe(true)
    expect(await processJobs(bed.system(), bed.net.ports)).toBe(1)
    await expectDone(bed, id, 'upsert', rows, [])
  })

  test('reports when the storage has lost its pages, and that it must be run again', async () => {
    const id = await prepareImporter(bed, 'upsert', rows, [])
    await step(bed.system(), bed.work({ budgetMs: 0 }))
    const { files } = bed.system()
    const { objects } = await files.list({ prefix: `imports/${(await bed.job(id)).id}/pages/` })
    expect(objects.length).toBeGreaterThan(0)
    await files.delete(objects.map(({ key }) => key))
    const ctx = bed.system()
    await bed.finish({}, ctx)
    expect(await bed.job(id)).toMatchObject({
      status: 'failed',
      error: 'The storage has lost what this run had fetched. Run the importer again.',
    })
    expect(ctx.reported).toEqual([])
  })

  test('by a file storage that does not answer waits, then ends with the reason, and is reported with its error', async () => {
    const id = await bed.importer({ mode: 'upsert', retries: 1 })
    bed.files.set('/trees.csv', toCsv(rows))
    await bed.start(id)
    const fault = new Error('put: We encountered an internal error. Please try again. (10001)')
    const { files } = bed.system()
    const brokenFiles = { ...files, put: () => Promise.reject(fault) } as unknown as R2Bucket
    const ctx = bed.system({ files: brokenFiles })
    const error = 'The database or the file storage did not answer.'
    await step(ctx, bed.work())
    expect([await bed.job(id), ctx.reported]).toMatchObject([{ status: 'waiting', error }, []])
    await bed.due()
    await step(ctx, bed.work())
    expect([await bed.job(id), ctx.reported]).toMatchObject([{ status: 'failed', error }, [fault]])
  })

  test('without a heartbeat for five minutes ends as failed', async () => {
    const id = await prepareImporter(bed, 'upsert', rows, [])
    await step(bed.system(), bed.work({ budgetMs: 0 }))
    const { db } = bed.system()
    const longAgo = new Date(Date.now() - 301_000)
    await db
      .updateTable('job')
      .set({ heartbeatAt: longAgo, leaseUntil: longAgo })
      .where('importerId', '=', id)
      .execute()
    await maintainJobs(bed.system())
    expect(await bed.job(id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/sign of life/) as unknown,
    })
    expect(await bed.staged()).toBe(0)
  })

  test('continues after waiting for its turn between two steps, however long', async () => {
    const id = await prepareImporter(bed, 'upsert', rows, [])
    await step(bed.system(), bed.work({ budgetMs: 0 }))
    await bed
      .system()
      .db.updateTable('job')
      .set({ heartbeatAt: new Date(Date.now() - 3_600_000) })
      .where('importerId', '=', id)
      .execute()
    await maintainJobs(bed.system())
    await bed.finish()
    expect(await bed.job(id)).toMatchObject({ status: 'succeeded' })
  })
})

describe('a stale worker', () => {
  test('commits nothing, at any point', async () => {
    const id = await prepareImporter(bed, 'upsert', rows, [])
    // At every step another worker takes over within the transaction, before it commits.
    for (let at = 0; at < 40; at++) {
      const { transaction, db } = bed.system()
      const overtaken = bed.system({
        transaction: async (run) => {
          await db
            .updateTable('job')
            .set((eb) => ({ fence: eb('fence', '+', 1) }))
            .where('importerId', '=', id)
            .execute()
          return transaction(run)
        },
      })
      const earlier = await bed.job(id)
      await step(overtaken, bed.work())
      const later = await bed.job(id)
      expect([later.status, later.cursor, later.counts]).toEqual(['running', earlier.cursor, earlier.counts])
      expect((await bed.readStored(id)).count).toBe(0)
      await bed.due()
      await step(bed.system(), bed.work({ budgetMs: 0 }))
      if ((await bed.job(id)).status === 'succeeded') break
    }
    await expectDone(bed, id, 'upsert', rows, [])
  })
})

describe('a run that ends early', () => {
  const ask = (id: string) => ({
    params: { sourceId: id, importerId: id },
    options: {},
    data: undefined,
    placeId: 'oakton',
  })

  test('stopped: nothing of it is stored', async () => {
    const id = await prepareImporter(bed, 'replace', rows)
    const first = await bed.readStored(id)
    for (let i = 0; i < 4; i++) await step(bed.system(), bed.work({ budgetMs: 0 }))
    expect(await stop(bed.world.as('content_admin'), ask(id))).toMatchObject({ stopping: true })
    await bed.finish()
    expect(await bed.job(id)).toMatchObject({ status: 'stopped', error: null })
    expect(await bed.readStored(id)).toEqual(first)
    expect(await bed.staged()).toBe(0)
  })

  test('stopped during its commit', async () => {
    const id = await prepareImporter(bed, 'upsert', rows, [])
    while ((await bed.job(id)).cursor?.stage !== 'commit') await step(bed.system(), bed.work({ budgetMs: 0 }))
    const { transaction } = bed.system()
    const stoppingCtx = bed.system({
      transaction: async (run) => {
        await stop(bed.world.as('content_admin'), ask(id))
        return transaction(run)
      },
    })
    await step(stoppingCtx, bed.work())
    expect(await bed.job(id)).toMatchObject({ status: 'stopped' })
    expect((await bed.readStored(id)).count).toBe(0)
  })

  test('its time limit is exceeded', async () => {
    const id = await prepareImporter(bed, 'upsert', rows, [])
    await step(bed.system(), bed.work({ budgetMs: 0 }))
    await bed
      .system()
      .db.updateTable('job')
      .set({ startedAt: new Date(Date.now() - 3601_000) })
      .where('importerId', '=', id)
      .execute()
    await bed.finish()
    expect(await bed.job(id)).toMatchObject({
      status: 'timedOut',
      error: 'The run took longer than the 3600 seconds it may take.',
    })
  })

  test.each([
    [
      'more than half of the first rows are refused',
      trees(2000).map((tree) => ({ ...tree, height: 'x' })),
      /1000 of the first 1000 rows were refused/,
    ],
    ['there is nothing', '', /empty/],
    ['there is a header and no row', 'id,species,height\n', /no good row/],
  ])('%s: existing records stay', async (_, file, error) => {
    const id = await prepareImporter(bed, 'replace', file)
    const first = await bed.readStored(id)
    await bed.finish()
    expect(await bed.job(id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(error) as unknown,
    })
    expect(await bed.readStored(id)).toEqual(first)
    expect(await bed.staged()).toBe(0)
  })
})
