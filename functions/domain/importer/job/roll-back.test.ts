import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareImporter } from './ledger.testing.ts'
import { toCsv, openImporterFixture, trees, type ImporterFixture } from './testing.ts'
import { rollback } from '../rollback.ts'
import { ingest, type Mode } from '#functions/domain/records/ingest.ts'
import { recount } from '#functions/domain/records/recount.ts'
import { wipe } from '#functions/domain/records/remove.ts'

let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
})
afterAll(() => bed.close())

const rows = trees(1500)

const admin = () => bed.world.as('content_admin')
const buildRequest = (id: string, jobId: string) => ({
  params: { sourceId: id, importerId: id, jobId },
  options: {},
  data: undefined,
  placeId: 'oakton',
})

/** Returns every column of every record, and all stored statistics. */
async function everything(id: string) {
  const { db } = bed.system()
  const { rows: records } = await sql`
    select to_jsonb(t) as row from data.t_sapling t where source_id = ${id} order by id`.execute(db)
  const stat = await db
    .selectFrom('sourceStat')
    .select(['count', 'extent', 'fields', 'facets'])
    .where('sourceId', '=', id)
    .execute()
  return { records, stat }
}

/** Runs the importer and gives the id of the run. */
async function imported(id: string) {
  await bed.finish()
  const job = await bed.job(id)
  expect(job.status).toBe('succeeded')
  return job.id
}

async function rollBackRun(id: string, jobId: string) {
  const job = await rollback(admin(), buildRequest(id, jobId))
  expect(job).toMatchObject({ kind: 'rollback', undoes: jobId, status: 'queued' })
  await bed.finish()
  return bed.job(id)
}

describe('a run that is rolled back', () => {
  test.each<Mode>(['append', 'upsert', 'replace'])(
    'in mode %s restores the previous records',
    async (mode) => {
      const id = await prepareImporter(bed, mode, rows)
      const before = await everything(id)
      const jobId = await imported(id)
      const { counts } = await bed.job(id)
      const back = await rollBackRun(id, jobId)
      expect(back).toMatchObject({ status: 'succeeded', error: null, dataVersion: 3 })
      expect(back.counts).toEqual({
        ...{ read: (counts.updated ?? 0) + (counts.removed ?? 0), unchanged: 0, rejected: 0 },
        ...{ created: counts.removed, updated: counts.updated, removed: counts.created },
      })
      expect(await everything(id)).toEqual(before)
      expect((await bed.readStored(id)).version).toBe(3)
      await recount(bed.system(), id)
      expect((await everything(id)).stat).toEqual(before.stat)
      const { db } = bed.system()
      const { rows: events } = await sql`
      select payload->'version' as version from outbox where kind = 'data' and payload->>'sourceId' = ${id} order by id`.execute(
        db,
      )
      expect(events).toEqual([{ version: 1 }, { version: 2 }, { version: 3 }])
      const { rows: trail } =
        await sql`select verb, counts from activity where target_id = ${id} order by at desc limit 1`.execute(
          db,
        )
      expect(trail).toMatchObject([{ verb: 'rolledBack', counts: { removed: counts.created } }])
      await expect(rollback(admin(), buildRequest(id, jobId))).rejects.toThrow(
        'This run was rolled back already.',
      )
      await expect(rollback(admin(), buildRequest(id, back.id))).rejects.toThrow(/Only a run/)
    },
  )

  test('leaves nothing when it was the first', async () => {
    const id = await prepareImporter(bed, 'upsert', rows, [])
    const jobId = await imported(id)
    expect(await rollBackRun(id, jobId)).toMatchObject({ status: 'succeeded', counts: { removed: 1485 } })
    expect(await bed.readStored(id)).toMatchObject({ count: 0, version: 2 })
  })

  test('allows rolling back the one before it', async () => {
    const id = await prepareImporter(bed, 'upsert', rows)
    const before = await everything(id)
    const first = await imported(id)
    const between = await everything(id)
    bed.files.set('/trees.csv', toCsv(trees(600, 1200, 2)))
    await bed.start(id)
    const second = await imported(id)
    await expect(rollback(admin(), buildRequest(id, first))).rejects.toThrow(/has changed since this run/)
    await rollBackRun(id, second)
    expect(await everything(id)).toEqual(between)
    expect(await rollBackRun(id, first)).toMatchObject({ status: 'succeeded' })
    expect(await everything(id)).toEqual(before)
    await expect(rollback(admin(), buildRequest(id, second))).rejects.toThrow(
      'This run was rolled back already.',
    )
  })
})

describe('a run cannot be rolled back', () => {
  test('when something else has changed the data since, before the request or after', async () => {
    const id = await prepareImporter(bed, 'upsert', rows)
    const jobId = await imported(id)
    await rollback(admin(), buildRequest(id, jobId))
    await ingest(bed.system(), id, [{ id: 't1', species: 'yew', height: 3 }])
    const before = await bed.readStored(id)
    await bed.finish()
    expect(await bed.job(id)).toMatchObject({
      ...{ kind: 'rollback', status: 'failed', error: expect.stringMatching(/has changed since/) as unknown },
    })
    expect(await bed.readStored(id)).toEqual(before)
    await expect(rollback(admin(), buildRequest(id, jobId))).rejects.toThrow(/has changed since this run/)
    await wipe(bed.system(), id)
    await expect(rollback(admin(), buildRequest(id, jobId))).rejects.toThrow(/has changed since this run/)
  })

  test('when it changed nothing, or the previous records are no longer stored', async () => {
    const id = await prepareImporter(bed, 'upsert', rows)
    const jobId = await imported(id)
    await bed.start(id)
    const idle = await imported(id)
    await expect(rollback(admin(), buildRequest(id, idle))).rejects.toThrow(/changed nothing/)
    await sql`delete from data_history where source_id = ${id} and external_id = 't1'`.execute(
      bed.system().db,
    )
    await expect(rollback(admin(), buildRequest(id, jobId))).rejects.toThrow(/not kept any more/)
  })

  test('twice concurrently', async () => {
    const id = await prepareImporter(bed, 'upsert', rows)
    const jobId = await imported(id)
    const both = await Promise.allSettled([
      rollback(admin(), buildRequest(id, jobId)),
      rollback(admin(), buildRequest(id, jobId)),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await bed.finish()
    expect((await bed.readStored(id)).version).toBe(3)
  })
})
