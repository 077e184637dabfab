import { RawNode, type KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { disableFence, splitTransaction, type PlantedBug } from './planted.testing.ts'
import { listDeviations, prepare } from './seed.testing.ts'
import { step } from '../job/step.ts'
import { openImporterFixture, type ImporterFixture } from '../job/testing.ts'
import type { Connection } from '#db/connect.ts'
import { asSystem } from '#db/testing.ts'
import { Random } from '#functions/engine/query/differential/random.testing.ts'

// Mutation tests: each deliberate mistake must be detected by the tests of faults.
let bed: ImporterFixture
let connection: Connection
const plantBug = (planted: PlantedBug | null) => planted?.(connection) ?? connection
beforeAll(async () => {
  bed = await openImporterFixture()
  connection = bed.world.database.connect(asSystem)
})
afterAll(async () => {
  await connection.end()
  await bed.close()
})

let subjectCount = 0
/** A run of which the file has been fetched. */
async function fetched() {
  const subject = await prepare(bed, new Random(5), 1200, { name: `p${(subjectCount += 1)}`, isCalm: true })
  await bed.start(subject.id)
  do await step(bed.system(), bed.work({ budgetMs: 0 }))
  while ((await bed.job(subject.id)).cursor?.stage === 'fetch')
  return subject
}

/** A worker stands still before it keeps its first rows; another one takes the run up, does some of it and lets go. */
async function overtaken(planted: PlantedBug | null): Promise<string[]> {
  const subject = await fetched()
  const { transaction, db } = plantBug(planted)
  let isFirst = true
  const slow = bed.system({
    db,
    transaction: async (run) => {
      if (isFirst) {
        isFirst = false
        await bed.due()
        await step(bed.system(), bed.work({ budgetMs: 0, batchRows: 300 }))
      }
      return transaction(run)
    },
  })
  await step(slow, bed.work({ budgetMs: 0, batchRows: 500 }))
  await bed.due()
  await bed.finish()
  return listDeviations(bed, subject)
}

/** The connection is lost between the statements of a transaction that keep where a run stands and its rows. */
async function torn(planted: PlantedBug | null): Promise<string[]> {
  const subject = await fetched()
  const { transaction, db } = plantBug(planted)
  let isTorn = false
  const tearing: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (!isTorn && RawNode.is(node) && node.sqlFragments.join().includes('insert into import_batch')) {
        isTorn = true
        throw new Error('Connection terminated unexpectedly')
      }
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const unlucky = bed.system({
    db,
    transaction: (run) => transaction((tx) => run(tx.withPlugin(tearing) as typeof tx)),
  })
  await step(unlucky, bed.work({ budgetMs: 0, batchRows: 500 }))
  await bed.due()
  await bed.finish()
  return listDeviations(bed, subject)
}

test.each([
  ['without a fence, one that was overtaken', overtaken, disableFence],
  ['with a transaction that is split, one that loses its connection', torn, splitTransaction],
] as const)('detects a product %s', async (_, happens, planted) => {
  expect(await happens(null)).toEqual([])
  expect(await happens(planted)).not.toEqual([])
})
