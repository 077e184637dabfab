import { sql, type PluginTransformQueryArgs, type PluginTransformResultArgs } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expected, prepareImporter } from './ledger.testing.ts'
import { step } from './step.ts'
import { sweepJobs } from './sweep.ts'
import { toCsv, hashRows, openImporterFixture, schema, trees, type ImporterFixture } from './testing.ts'
import { commit, preview } from '../dry-run.ts'
import { rejects } from '../rejects.ts'
import { run } from '../run.ts'
import { ingest, type Mode } from '#functions/domain/records/ingest.ts'
import type { Tx } from '#db/schema.ts'
import { hasRealPostgres } from '#db/testing.ts'
import type { Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { RejectOptions } from '#functions/shapes/job.ts'

let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
})
afterAll(() => bed.close())

const rows = trees(1500)

const buildRequest = <Options>(id: string, jobId: string, options: Options) => ({
  params: { sourceId: id, importerId: id, jobId },
  options,
  data: undefined,
  placeId: 'oakton',
})
const admin = () => bed.world.as('content_admin', { files: bed.system().files })

/** A dry run that ended, over a source with records; gives its id. */
async function dryRun(id: string, work: Parameters<ImporterFixture['finish']>[0] = {}) {
  const job = await run(admin(), buildRequest(id, '', { dryRun: true }))
  await bed.finish(work)
  return job?.id ?? ''
}

/** Creates an importer for existing records, without a queued run. */
async function createIdleImporter(mode: Mode) {
  const id = await prepareImporter(bed, mode, rows)
  await bed.system().db.deleteFrom('job').where('importerId', '=', id).execute()
  return id
}

/** All that a commit would change, as it is. */
async function world(id: string) {
  const { db } = bed.system()
  const [rowsDigest, stat, source, cells] = await Promise.all([
    bed.readStored(id),
    db.selectFrom('sourceStat').selectAll().where('sourceId', '=', id).execute(),
    db.selectFrom('source').selectAll().where('id', '=', id).execute(),
    db.selectFrom('clusterPyramid').selectAll().where('sourceId', '=', id).execute(),
  ])
  const { rows: outboxRows } = await sql`select id, kind, payload from outbox order by id`.execute(db)
  const { rows: history } = await sql`select * from data_history where source_id = ${id} order by id`.execute(
    db,
  )
  return { rowsDigest, stat, source, cells, outboxRows, history }
}

describe('a dry run', () => {
  test.each<[Mode, number]>([
    ['append', 60_000],
    ['upsert', 0],
    ['replace', 60_000],
  ])(
    'in mode %s, in steps of %i ms, reports what a commit then does, and changes nothing',
    async (mode, budgetMs) => {
      const id = await createIdleImporter(mode)
      const there = (await bed.readStored(id)).count
      const before = await world(id)
      const jobId = await dryRun(id, { budgetMs })
      expect(await world(id)).toEqual(before)
      const beforeRows = [...trees(1000, 0, 3), ...trees(200, 9000)].map((tree) =>
        typeof tree.height === 'string' ? { ...tree, height: 1 } : tree,
      )
      const right = expected(mode, beforeRows, rows)
      expect(await bed.job(id)).toMatchObject({
        ...{
          id: jobId,
          kind: 'dryRun',
          status: 'succeeded',
          counts: right.counts,
          comparedWith: 1,
          dataVersion: null,
        },
      })
      const dryRunPreview = await preview(admin(), buildRequest(id, jobId, {}))
      expect(dryRunPreview).toMatchObject({
        counts: right.counts,
        comparedWith: { version: 1, records: there },
        type: { rows: 1500, fields: [{ field: 'height', change: 'refused', refused: 15, type: 'number' }] },
      })
      const { samples } = dryRunPreview ?? { samples: null }
      expect(samples?.created[0]).toMatchObject({
        externalId: 't1000',
        data: { id: 't1000', species: 'elm' },
      })
      expect(samples?.created).toHaveLength(100)
      expect(samples?.rejected[0]).toMatchObject({ row: 8, field: 'height', value: 'tall' })
      if (mode === 'append') expect(samples?.updated).toEqual([])
      else
        expect(samples?.updated[1]).toEqual({
          ...{ row: 2, externalId: 't1', changes: [{ field: 'height', before: 4.5, after: 1.5 }] },
        })
      expect(samples?.removed.length).toBe(mode === 'replace' ? 100 : 0)
      // From here on requests for the file fail.
      bed.files.delete('/trees.csv')
      expect(await commit(admin(), buildRequest(id, jobId, {}))).toMatchObject({
        id: jobId,
        kind: 'run',
        status: 'queued',
      })
      await bed.finish({ budgetMs })
      expect(await bed.job(id)).toMatchObject({
        ...{ id: jobId, status: 'succeeded', counts: right.counts, dataVersion: 2, error: null },
      })
      expect((await bed.readStored(id)).hash).toBe(await hashRows(right.rows))
      expect(await bed.staged()).toBe(0)
      await expect(commit(admin(), buildRequest(id, jobId, {}))).rejects.toMatchObject({ kind: 'conflict' })
    },
  )

  test('of two concurrent commits one is accepted', async () => {
    const id = await createIdleImporter('upsert')
    const jobId = await dryRun(id)
    const both = await Promise.allSettled([
      commit(admin(), buildRequest(id, jobId, {})),
      commit(admin(), buildRequest(id, jobId, {})),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await bed.finish()
    expect((await bed.readStored(id)).version).toBe(2)
  })

  test('is not committed when its source or data type has changed since, before or during the request', async () => {
    const id = await createIdleImporter('upsert')
    const jobId = await dryRun(id)
    await ingest(bed.system(), id, [{ id: 'new', species: 'oak', height: 1 }])
    await expect(commit(admin(), buildRequest(id, jobId, {}))).rejects.toThrow(
      /data of the source has changed/,
    )
    const second = await dryRun(id)
    await commit(admin(), buildRequest(id, second, {}))
    await ingest(bed.system(), id, [{ id: 'newer', species: 'oak', height: 1 }])
    const storedBefore = await bed.readStored(id)
    await bed.finish()
    expect(await bed.job(id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/has changed/) as unknown,
    })
    expect(await bed.readStored(id)).toEqual(storedBefore)
    const third = await dryRun(id)
    await changeType(schema)
    await expect(commit(admin(), buildRequest(id, third, {}))).rejects.toThrow(
      /fields of the data type have changed/,
    )
    const fourth = await dryRun(id)
    await commit(admin(), buildRequest(id, fourth, {}))
    await changeType(schema)
    await bed.finish()
    expect(await bed.job(id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/data type have/) as unknown,
    })
    expect(await bed.readStored(id)).toEqual(storedBefore)
  })

  test('is kept for a day, and only the last one of an importer', async () => {
    const { db } = bed.system()
    const id = await createIdleImporter('upsert')
    const first = await dryRun(id)
    const last = await dryRun(id)
    await sweepJobs(bed.system())
    const staged = await db.selectFrom('importBatch').select('jobId').distinct().execute()
    expect(staged).toContainEqual({ jobId: last })
    expect(staged).not.toContainEqual({ jobId: first })
    await expect(commit(admin(), buildRequest(id, first, {}))).rejects.toThrow(/not kept any more/)
    await sql`update job set held_until = now() - interval '1 minute' where id = ${last}`.execute(db)
    await expect(commit(admin(), buildRequest(id, last, {}))).rejects.toThrow(/not kept any more/)
    await sql`update job set held_until = now() - interval '2 hours' where id = ${last}`.execute(db)
    await sweepJobs(bed.system())
    expect(await db.selectFrom('importBatch').select('jobId').where('jobId', '=', last).execute()).toEqual([])
  })

  test.skipIf(!hasRealPostgres)(
    'compares again when the source is written meanwhile, and then blocks writers',
    async () => {
      const id = await createIdleImporter('upsert')
      await run(admin(), buildRequest(id, '', { dryRun: true }))
      const ctx = bed.system()
      const write = (height: number) => ingest(bed.system(), id, [{ id: 't1300', species: 'oak', height }])
      let late: Promise<unknown> | undefined
      let readCount = 0
      // Another write follows the read of the source: at once the first time, and after its lock is released
      // the second time.
      const amid = {
        transformQuery: ({ node }: PluginTransformQueryArgs) => node,
        async transformResult({ result }: PluginTransformResultArgs) {
          if (!result.rows.some((row) => 'typeVersion' in row && 'count' in row)) return result
          if ((readCount += 1) === 1) await write(1)
          else if (readCount === 3) late = write(2)
          return result
        },
      }
      const transaction: Context['transaction'] = (work) =>
        ctx.transaction((tx) => work(tx.withPlugin(amid) as Tx))
      await bed.finish({}, bed.system({ transaction }))
      expect((await bed.job(id)).comparedWith).toBe(2)
      expect(readCount).toBe(3)
      await late
      expect((await bed.readStored(id)).version).toBe(3)
      const dryRunPreview = await preview(admin(), buildRequest(id, (await bed.job(id)).id, {}))
      expect(dryRunPreview?.comparedWith).toEqual({ version: 2, records: 1201 })
    },
  )

  test('commits nothing when a part of it is missing', async () => {
    const id = await createIdleImporter('upsert')
    const jobId = await dryRun(id)
    await sql`delete from import_batch where job_id = ${jobId} and 1201 = any(seqs)`.execute(bed.system().db)
    await commit(admin(), buildRequest(id, jobId, {}))
    const storedBefore = await bed.readStored(id)
    await bed.finish()
    expect(await bed.job(id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/not whole/) as unknown,
    })
    expect(await bed.readStored(id)).toEqual(storedBefore)
  })

  test('reports columns that are new, missing or look like another type', async () => {
    const id = await createIdleImporter('upsert')
    const lines = Array.from({ length: 40 }, (_, i) => `t${i},${i * 2},${i % 2 ? 'yes' : 'no'}`)
    bed.files.set('/trees.csv', ['id,species,planted', ...lines].join('\n'))
    const jobId = await dryRun(id)
    const dryRunPreview = await preview(admin(), buildRequest(id, jobId, {}))
    expect(dryRunPreview?.type.fields).toMatchObject([
      { change: 'other', field: 'species', type: 'text', proposed: 'number', values: 40, refused: 0 },
      { change: 'gone', field: 'height', type: 'number', proposed: null, values: 0 },
      { change: 'new', field: 'planted', type: null, proposed: 'boolean', values: 40, refused: 0 },
    ])
  })
})

test('reads the pages again when the data type changes during a run, and keeps nothing of the first reading', async () => {
  const id = await createIdleImporter('upsert')
  await bed.start(id)
  const work = bed.work({ budgetMs: 0 })
  const ctx = bed.system()
  for (let i = 0; i < 4; i++) await step(ctx, work)
  expect(await bed.job(id)).toMatchObject({
    status: 'running',
    counts: { rejected: expect.any(Number) as unknown },
  })
  const jobId = (await bed.job(id)).id
  expect((await ctx.files.list({ prefix: `imports/${jobId}/rejects/` })).objects.length).toBeGreaterThan(0)
  // Earlier rejections are not requested any more.
  const { height: _height, ...narrow } = schema
  await changeType(narrow)
  await bed.finish({ budgetMs: 0 })
  expect(await bed.job(id)).toMatchObject({ status: 'succeeded', counts: { read: 1500, rejected: 0 } })
  expect((await ctx.files.list({ prefix: `imports/${jobId}/` })).objects).toEqual([])
  expect(await rejects(admin(), buildRequest(id, jobId, {}))).toMatchObject({
    results: [],
    meta: { total: 0 },
  })
  const { rows: log } = await sql<{
    message: string
  }>`select message from job_log where job_id = ${jobId}`.execute(ctx.db)
  expect(log.map(({ message }) => message)).toContain(
    'The fields of the data type have changed: reading begins anew.',
  )
  await changeType(schema)
})

test('rejected rows are paged, beyond the first thousand from the bucket, each once; as CSV too', async () => {
  const many = trees(4500).map((tree, i) => (i % 3 === 0 ? { ...tree, height: '=tall' } : tree))
  const bad = many.flatMap(({ height }, i) => (typeof height === 'string' ? [i + 1] : []))
  const id = await prepareImporter(bed, 'upsert', toCsv(many))
  await bed.finish()
  const { id: jobId } = await bed.job(id)
  const page = async (options: RejectOptions) => {
    const rejectPage = await rejects(admin(), buildRequest(id, jobId, options))
    if (!rejectPage || !('results' in rejectPage)) throw new Error('It is a list.')
    return rejectPage
  }
  for (const limit of [4000, 1000, 400, 333]) {
    const rowNumbers: number[] = []
    for (let next: string | undefined, pages = 0; pages < 100; pages++) {
      const { results, meta } = await page({ limit, ...(next !== undefined && { next }) })
      expect(meta.total).toBe(bad.length)
      rowNumbers.push(...results.map(({ row }) => row))
      next = meta.next
      if (next === undefined) break
      expect(results).toHaveLength(limit)
    }
    expect(rowNumbers).toEqual(bad)
  }
  expect((await page({ limit: 1 })).results).toEqual([
    {
      ...{ row: 1, line: 2, entry: null, sheet: null, url: 'https://data.example.org/trees.csv' },
      ...{ field: 'height', message: expect.any(String) as string, value: '=tall', isTaken: false },
    },
  ])
  const file = async (options: RejectOptions = {}) => {
    const csv = await rejects(admin(), buildRequest(id, jobId, { format: 'csv', ...options }))
    return (await new Response(csv && 'body' in csv ? csv.body : '').text()).split('\r\n')
  }
  const lines = await file()
  expect(lines[0]).toBe('row,line,entry,sheet,url,field,message,value,isTaken')
  expect(lines).toHaveLength(bad.length + 2)
  expect(lines[1]).toMatch(/,'=tall,false$/)
  expect(await file({ limit: 7 })).toHaveLength(7 + 2)
  // However many they are: a file that ends has all of them.
  const more = Array.from({ length: 12_000 }, (_, i) => JSON.stringify({ row: 5000 + i, message: 'Bad.' }))
  await bed.system().files.put(`imports/${jobId}/rejects/later.ndjson`, more.join('\n'))
  expect(await file()).toHaveLength(bad.length + more.length + 2)
})

/** Another version of the data type, as its owner would make it. */
async function changeType(fields: FieldSchema) {
  await bed
    .system()
    .db.updateTable('dataType')
    .set({ schema: JSON.stringify(fields), version: sql<number>`version + 1` })
    .where('id', '=', 'sapling')
    .execute()
}
