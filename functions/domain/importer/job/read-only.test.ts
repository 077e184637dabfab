import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectDone as expectDoneWith, prepareImporter as preparedWith } from './ledger.testing.ts'
import { step } from './step.ts'
import { maintainJobs } from './sweep.ts'
import { openImporterFixture, trees, type ImporterFixture, type Tree } from './testing.ts'
import { processJobs } from './work.ts'
import type { Mode } from '#functions/domain/records/ingest.ts'
import { isUnreachable, findReadOnlyReason } from '#db/unavailable.ts'

/** A database that takes no changes for a while, as a standby or a server whose disk is full, in the middle of runs. */
let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
})
afterEach(() => setReadOnly(false))
afterAll(() => bed.close())

/** A file of five batches, over a source of which it keeps, changes, adds and takes away rows. */
const [rows, there] = [trees(300), [...trees(100, 0, 3), ...trees(30, 9000)].map(fixHeight)]
const batchRows = 60
const prepareRun = (mode: Mode) => preparedWith(bed, mode, rows, there)
const expectDone = (id: string, mode: Mode) => expectDoneWith(bed, id, mode, rows, there)

/** Existing records had a valid height. */
function fixHeight(tree: Tree): Tree {
  return typeof tree.height === 'string' ? { ...tree, height: 1 } : tree
}

/**
 * Making a server read-only ends its connections: each pooled one is used once, until no dead one is left.
 */
async function setReadOnly(is: boolean) {
  await bed.world.database.makeReadOnly(is)
  const { db } = bed.system()
  await Promise.all(Array.from({ length: 8 }, () => retryUnreachable(() => sql`select 1`.execute(db))))
}

/** Moves the times of a run and of the job that watches runs into the past, as in the database. */
async function pass(id: string, minutes: number) {
  const { db } = bed.system()
  const passed = sql`make_interval(mins => ${minutes}::int)`
  await sql`update job set heartbeat_at = heartbeat_at - ${passed}, lease_until = lease_until - ${passed},
    due_at = due_at - ${passed} where importer_id = ${id}`.execute(db)
  await sql`update daily_work set begun_at = begun_at - ${passed} where name = 'runs'`.execute(db)
}

/** Works on a run until the database takes no changes any more: from its transaction number `at` on. */
async function workUntilReadOnly(at: number): Promise<number> {
  const { transaction } = bed.system()
  let turn = 0
  const ctx = bed.system({
    transaction: async (run) => {
      if ((turn += 1) === at) await setReadOnly(true)
      return transaction(run)
    },
  })
  await step(ctx, bed.work({ batchRows }))
  return turn
}

/** Retries if a connection was ended. */
const retryUnreachable = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  for (let tries = 1; ; tries += 1)
    try {
      return await work()
    } catch (error) {
      if (tries >= 20 || !isUnreachable(error)) throw error
    }
}
const runMaintenance = () => retryUnreachable(() => maintainJobs(bed.system()))
const work = () => retryUnreachable(() => processJobs(bed.system(), bed.net.ports))

/** Asserts that no run can be claimed, and that each attempt fails with the reason. */
async function expectRefused() {
  for (const each of [work, runMaintenance])
    expect(await each().then(() => null, findReadOnlyReason)).toContain('only be read')
}

/** Continues a run to its end, as messages and cron do. */
async function finish(id: string) {
  for (let tries = 0; tries < 20 && (await bed.job(id)).finishedAt === null; tries += 1) {
    if (tries > 0) await bed.due()
    expect(await runMaintenance()).toBe(true)
    await work()
  }
}

describe('a run during which the database becomes read-only', () => {
  test('pauses, keeps what was read, and ends with every row once when the database accepts writes again', async () => {
    let at = 1
    for (; ; at += 1) {
      const id = await prepareRun('replace')
      const before = await bed.readStored(id)
      const turns = await workUntilReadOnly(at)
      if (turns < at) {
        // It was done before that many.
        await expectDone(id, 'replace')
        break
      }
      expect(await bed.readStored(id), `at transaction ${at}`).toEqual(before)
      expect(await bed.job(id)).toMatchObject({ status: 'running', finishedAt: null })
      await expectRefused()
      await setReadOnly(false)
      await pass(id, 2)
      await finish(id)
      await expectDone(id, 'replace')
    }
    expect(at).toBeGreaterThan(8)
  })

  test('is not given up because of missing heartbeats in that time', async () => {
    const id = await prepareRun('upsert')
    await runMaintenance()
    await workUntilReadOnly(4)
    await expectRefused()
    await setReadOnly(false)
    await pass(id, 30)
    expect(await runMaintenance()).toBe(true)
    // No worker may have claimed it by the next minute either.
    await pass(id, 1)
    await finish(id)
    await expectDone(id, 'upsert')
  })

  test('is given up nevertheless when nobody resumes it for five minutes afterwards', async () => {
    const id = await prepareRun('upsert')
    await workUntilReadOnly(4)
    await setReadOnly(false)
    await pass(id, 30)
    for (let minute = 0; minute < 5; minute += 1) {
      expect(await runMaintenance(), `minute ${minute}`).toBe(true)
      await pass(id, 1)
    }
    await runMaintenance()
    expect(await bed.job(id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/sign of life/) as unknown,
    })
  })

  test('waits if it was about to begin, and begins by itself', async () => {
    const id = await prepareRun('append')
    await setReadOnly(true)
    await expectRefused()
    await setReadOnly(false)
    await finish(id)
    await expectDone(id, 'append')
  })
})
