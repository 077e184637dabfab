import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startDue } from './queue.ts'
import { step } from './step.ts'
import { toCsv, openImporterFixture, origin, trees, type ImporterFixture, type Tree } from './testing.ts'
import { hasRealPostgres } from '#db/testing.ts'
import type { TestContext } from '#db/worlds/world.ts'
import { concurrentWriteMessage } from '#functions/domain/records/change.ts'

/**
 * Concurrent imports into one source, and concurrent changes of its data type: nothing is lost or duplicated,
 * and conflicts are reported.
 */
let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
})
afterAll(() => bed.close())
beforeEach(async () => {
  await bed.system().db.deleteFrom('job').execute()
  bed.files.set('/trees.csv', toCsv(trees(300).filter(isGood)))
})

const isGood = ({ height }: Tree) => typeof height === 'number'
const whole = { retries: 0, mode: 'upsert' } as const

/** Runs steps without a time budget until each run is about to commit. */
async function readAll() {
  for (let tries = 0; tries < 200; tries += 1) {
    const rows = await bed.system().db.selectFrom('job').select('cursor').execute()
    if (rows.every(({ cursor }) => (cursor as { stage?: string } | null)?.stage === 'commit')) return
    await step(bed.system(), bed.work({ budgetMs: 0 }))
  }
  throw new Error('The runs do not come to their commits.')
}

test('an importer has one run at a time: another request is rejected, and its schedule waits for the next time', async () => {
  const id = await bed.importer({ ...whole, schedule: '0 * * * *', nextRunAt: new Date(0) })
  const both = await Promise.allSettled([bed.start(id), bed.start(id)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const [reason] = both.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
  expect(reason).toContain('This importer is running already')
  expect(await startDue(bed.system())).toBe(0)
  await bed.finish()
  expect(await bed.job(id)).toMatchObject({ status: 'succeeded', counts: { created: 297 } })
  const { nextRunAt } = await bed
    .system()
    .db.selectFrom('importer')
    .select('nextRunAt')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(nextRunAt?.getTime()).toBeGreaterThan(Date.now())
})

test('two importers of one source running in parallel import everything of both, once', async () => {
  const first = await bed.importer(whole)
  const second = `${first}-too`
  await bed
    .system()
    .db.insertInto('importer')
    .values({
      ...{ ...whole, id: second, sourceId: first, placeId: 'oakton', name: second, mapping: '{}' },
      ...{ createdBy: null, sources: JSON.stringify([{ url: `${origin}/later.csv`, parser: 'csv' }]) },
    })
    .execute()
  // A hundred trees are in both, and have grown.
  const grown = trees(300, 200, 1).filter(isGood)
  bed.files.set('/later.csv', toCsv(grown))
  for (const id of [first, second])
    await bed
      .system()
      .db.insertInto('job')
      .values({
        ...{ id: `run-of-${id}`, importerId: id, sourceId: first, placeId: 'oakton' },
        ...{ trigger: 'manual' as const, createdBy: null },
      })
      .execute()
  await readAll()
  await Promise.all([bed.finish(), bed.finish()])
  const { count, version } = await bed.readStored(first)
  expect([count, version]).toEqual([495, 2])
  const counts = await Promise.all([first, second].map(async (id) => (await bed.job(id)).counts))
  const total = (name: 'created' | 'updated' | 'unchanged') =>
    counts.reduce((sum, each) => sum + Number((each as Record<string, number>)[name]), 0)
  expect([total('created'), total('updated') + total('unchanged')]).toEqual([495, 99])
})

/** As the product, whose statements may take so many milliseconds. */
function hurried(ms: number): TestContext {
  const ctx = bed.system()
  const { transaction } = ctx
  ctx.transaction = (run) =>
    transaction(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(ms)}, true)`.execute(tx)
      return run(tx)
    })
  return ctx
}

// The embedded database has one connection, so nobody can wait for another.
test.runIf(hasRealPostgres)(
  'a run whose source is being written waits, even without retries left, and says why',
  async () => {
    const id = await bed.importer(whole)
    await bed.start(id)
    await readAll()
    const other = bed.world.as('system')
    await other.transaction(async (tx) => {
      await tx.selectFrom('source').select('id').where('id', '=', id).forUpdate().execute()
      await step(hurried(400), bed.work())
      expect(await bed.job(id)).toMatchObject({ status: 'waiting', error: concurrentWriteMessage })
    })
    await bed.due()
    await bed.finish()
    expect(await bed.job(id)).toMatchObject({ status: 'succeeded', error: null, counts: { created: 297 } })
    expect(await bed.readStored(id)).toMatchObject({ count: 297, version: 1 })
  },
)

test('a data type changed during the commit has the rows read again, and no row has the old schema', async () => {
  const id = await bed.importer(whole)
  await bed.start(id)
  await readAll()
  const ctx = bed.system()
  const { transaction } = ctx
  let isChanged = false
  ctx.transaction = async (run) => {
    // After its version was read, before the source is locked.
    if (!isChanged)
      await bed
        .system()
        .db.updateTable('dataType')
        .set({ version: sql<number>`version + 1` })
        .where('id', '=', 'sapling')
        .execute()
    isChanged = true
    return transaction(run)
  }
  await step(ctx, bed.work())
  expect(await bed.job(id)).toMatchObject({
    status: 'waiting',
    error: 'The fields of the data type have changed in the meantime.',
  })
  expect((await bed.readStored(id)).count).toBe(0)
  await bed.due()
  await bed.finish()
  expect(await bed.job(id)).toMatchObject({ status: 'succeeded', counts: { created: 297, read: 297 } })
  expect(await bed.readStored(id)).toMatchObject({ count: 297, version: 1 })
})
