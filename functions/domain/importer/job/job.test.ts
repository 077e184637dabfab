import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectDone, expected, prepareImporter, rows } from './ledger.testing.ts'
import { step } from './step.ts'
import { maintainJobs } from './sweep.ts'
import { toCsv, hashRows, openImporterFixture, origin, trees, type ImporterFixture } from './testing.ts'
import type { Mode } from '#functions/domain/records/ingest.ts'

let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
})
afterAll(() => bed.close())

describe('a run', () => {
  test.each<Mode>(['append', 'upsert', 'replace'])(
    'in mode %s: every row is stored or rejected, with its position',
    async (mode) => {
      const id = await prepareImporter(bed, mode, rows)
      await bed.finish()
      await expectDone(bed, id, mode, rows)
      const ctx = bed.system()
      const { id: jobId } = await bed.job(id)
      const rejects = await ctx.db
        .selectFrom('importReject')
        .selectAll()
        .where('jobId', '=', jobId)
        .orderBy('n')
        .execute()
      expect(rejects).toHaveLength(50)
      expect(rejects[0]).toMatchObject({ row: '8', line: '9', field: 'height', value: 'tall' })
      const pieces = await ctx.files.list({ prefix: `imports/${jobId}/` })
      const texts = await Promise.all(
        pieces.objects.map(async ({ key }) => (await ctx.files.get(key))?.text()),
      )
      expect(texts.join('').trim().split('\n')).toHaveLength(50)
      expect(pieces.objects.every(({ key }) => key.includes('/rejects/'))).toBe(true)
      const log = await ctx.db
        .selectFrom('jobLog')
        .select(['message', 'row'])
        .where('jobId', '=', jobId)
        .orderBy('id')
        .execute()
      expect(log[0]?.message).toMatch(/^Fetched \d+ kB\.$/)
      expect(log.filter(({ row }) => row !== null)).toHaveLength(50)
      expect(log.at(-1)?.message).toMatch(/^Done: 5000 rows read/)
    },
  )

  test('of the same file changes nothing, and keeps the version', async () => {
    const id = await prepareImporter(bed, 'replace', rows, [])
    await bed.finish()
    const first = await bed.readStored(id)
    await bed.start(id)
    await bed.finish()
    expect(await bed.readStored(id)).toEqual(first)
    expect(await bed.job(id)).toMatchObject({
      status: 'succeeded',
      counts: { read: 5000, created: 0, updated: 0, unchanged: 4950, removed: 0, rejected: 50 },
    })
  })

  test('of another file replaces the records, and a rejected row keeps its record', async () => {
    const id = await prepareImporter(bed, 'replace', rows, [])
    await bed.finish()
    const next = trees(3000, 100, 1)
    const there = expected('replace', [], rows).rows
    bed.files.set('/trees.csv', toCsv(next))
    await bed.start(id)
    await bed.finish()
    const right = expected('replace', there, next)
    expect(await bed.job(id)).toMatchObject({ status: 'succeeded', counts: right.counts })
    expect((await bed.readStored(id)).hash).toBe(await hashRows(right.rows))
  })

  test('reports the mapped fields that the data type does not have, and imports the others', async () => {
    const mapping = { id: { field: 'id' }, species: { field: 'species' }, hight: { field: 'height' } }
    const id = await bed.importer({ mapping: JSON.stringify(mapping) })
    bed.files.set('/trees.csv', toCsv(trees(20)))
    await bed.start(id)
    await bed.finish()
    const job = await bed.job(id)
    expect(job).toMatchObject({ status: 'succeeded', counts: { created: 20, rejected: 0 } })
    const { db } = bed.system()
    const log = await db.selectFrom('jobLog').selectAll().where('jobId', '=', job.id).orderBy('id').execute()
    expect(log.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
      'The mapping names fields that the data type does not have: "hight". Nothing is kept for them.',
    ])
  })

  test('stores the last of several rows with one id', async () => {
    const again = [...trees(600), ...trees(600, 0, 5), ...trees(10, 0, 9)]
    const id = await prepareImporter(bed, 'upsert', again, [])
    await bed.finish()
    await expectDone(bed, id, 'upsert', again, [])
  })

  test('uses the importer as it was when the run began', async () => {
    const id = await prepareImporter(bed, 'upsert', rows, [])
    await step(bed.system(), bed.work({ budgetMs: 0 }))
    await bed
      .system()
      .db.updateTable('importer')
      .set({ mapping: '{"id":{"field":"none"}}', mode: 'replace' })
      .where('id', '=', id)
      .execute()
    await bed.finish()
    await expectDone(bed, id, 'upsert', rows, [])
  })
})

describe('an unavailable server', () => {
  test('is retried later; the run waits, and continues', async () => {
    const id = await prepareImporter(bed, 'upsert', rows, [])
    bed.files.set('/trees.csv', () => ({ status: 500, body: '' }))
    expect(await bed.finish()).toBe(1)
    expect(await bed.job(id)).toMatchObject({
      status: 'waiting',
      attempts: 1,
      error: expect.stringMatching(/Internal Server Error/) as unknown,
    })
    bed.files.set('/trees.csv', toCsv(rows))
    await bed.due()
    await bed.finish()
    await expectDone(bed, id, 'upsert', rows, [])
  })

  test('fails the run after the last retry; a scheduled one is paused, and its admins are notified', async () => {
    const id = await bed.importer({
      schedule: '0 * * * *',
      nextRunAt: new Date(Date.now() - 1000),
      retries: 1,
    })
    bed.files.set('/trees.csv', () => ({ status: 500, body: '' }))
    expect((await Promise.all([maintainJobs(bed.system()), maintainJobs(bed.system())])).includes(true)).toBe(
      true,
    )
    const { db } = bed.system()
    for (let i = 0; i < 2; i++) {
      await bed.due()
      await bed.finish()
    }
    expect(await bed.job(id)).toMatchObject({ status: 'failed', trigger: 'schedule' })
    const runs = await db.selectFrom('job').select('id').where('importerId', '=', id).execute()
    expect(runs).toHaveLength(1)
    const importer = await db
      .selectFrom('importer')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(importer).toMatchObject({ failures: 1, enabled: true })
    // Two hours between runs, on the hour.
    const wait = (importer.nextRunAt as unknown as Date).getTime() - Date.now()
    expect(wait).toBeGreaterThan(3600_000)
    expect(wait).toBeLessThanOrEqual(2 * 3600_000)
    const letters = await db.selectFrom('mail').select(['to', 'subject']).execute()
    expect(letters).toEqual([{ to: 'organization_admin@example.com', subject: `Importer failed: ${id}` }])
    await db
      .updateTable('importer')
      .set({ failures: 19, nextRunAt: new Date(Date.now() - 1000) })
      .where('id', '=', id)
      .execute()
    await maintainJobs(bed.system())
    for (let i = 0; i < 2; i++) {
      await bed.due()
      await bed.finish()
    }
    expect(
      await db
        .selectFrom('importer')
        .select(['enabled', 'failures', 'nextRunAt'])
        .where('id', '=', id)
        .executeTakeFirst(),
    ).toEqual({ enabled: false, failures: 20, nextRunAt: null })
  })

  test('reveals no secret', async () => {
    const sources = JSON.stringify([{ url: `${origin}/gone.csv?token=canary-1`, parser: 'csv' }])
    const id = await bed.importer({ sources })
    await bed.start(id)
    await bed.finish()
    const { db } = bed.system()
    const job = await bed.job(id)
    expect(job.status).toBe('failed')
    expect(JSON.stringify([job.error, await db.selectFrom('jobLog').selectAll().execute()])).not.toContain(
      'canary-1',
    )
  })
})

test.each([0, 60_000])('an archive is read in place, in steps of %i ms', async (budgetMs) => {
  const [one, two] = [trees(700), trees(700, 700)]
  const zipped = zipSync({ 'one.csv': strToU8(toCsv(one)), 'two.csv': strToU8(toCsv(two)) })
  bed.files.set('/trees.zip', zipped)
  const sources = JSON.stringify([
    { url: `${origin}/trees.zip`, parser: 'csv', parserOptions: { zip: true } },
  ])
  const id = await bed.importer({ sources })
  await bed.start(id)
  await bed.finish({ budgetMs, batchRows: 300 })
  await expectDone(bed, id, 'upsert', [...one, ...two], [])
})

describe('a source with pages', () => {
  const buildPage = (n: number) => trees(100, n * 100)
  const all = [0, 1, 2, 3].flatMap(buildPage)

  test.each([0, 60_000])('is followed by its links, in steps of %i ms', async (budgetMs) => {
    for (let n = 0; n < 4; n++)
      bed.files.set(
        `/pages?n=${n}`,
        JSON.stringify({ data: buildPage(n), next: n < 3 ? `${origin}/pages?n=${n + 1}` : null }),
      )
    const sources = JSON.stringify([
      {
        url: `${origin}/pages?n=0`,
        parser: 'json',
        parserOptions: { selector: 'data.*' },
        pagination: { nextPageSelector: 'next' },
      },
    ])
    const id = await bed.importer({ sources })
    await bed.start(id)
    await bed.finish({ budgetMs })
    await expectDone(bed, id, 'upsert', all, [])
  })

  test.each([0, 60_000])('is counted until a page has no rows, in steps of %i ms', async (budgetMs) => {
    for (let n = 0; n < 5; n++) bed.files.set(`/list?page=${n}`, JSON.stringify(n < 4 ? buildPage(n) : []))
    const sources = JSON.stringify([
      {
        url: `${origin}/list`,
        parser: 'json',
        parserOptions: { selector: '*' },
        pagination: { pageParam: 'page' },
      },
    ])
    const id = await bed.importer({ sources })
    await bed.start(id)
    await bed.finish({ budgetMs })
    await expectDone(bed, id, 'upsert', all, [])
  })
})

test('while importers are halted none is started, manually or by schedule', async () => {
  const { db } = bed.system()
  const id = await prepareImporter(bed, 'upsert', rows, [])
  await db.insertInto('flag').values({ name: 'importersHalted', isOn: true }).execute()
  const scheduled = await bed.importer({ schedule: '0 * * * *', nextRunAt: new Date(Date.now() - 1000) })
  expect(await maintainJobs(bed.system())).toBe(false)
  expect(await bed.finish()).toBe(0)
  await db.deleteFrom('flag').execute()
  expect(await maintainJobs(bed.system())).toBe(true)
  await bed.finish()
  await expectDone(bed, id, 'upsert', rows, [])
  expect(await bed.job(scheduled)).toMatchObject({ status: 'succeeded', trigger: 'schedule' })
})
