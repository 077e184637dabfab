import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { truthFile } from './file.testing.ts'
import { bundle, startWorker, type RealWorker } from './worker.testing.ts'
import { outcome } from '../job/ledger.testing.ts'
import { hashRows, openImporterFixture, origin, type ImporterFixture } from '../job/testing.ts'
import { Random } from '#functions/engine/query/differential/random.testing.ts'
import { isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'

const kills = isFullRun ? 12 : 1
const count = isFullRun ? 60_000 : 5000

let bed: ImporterFixture
let code: string
const folder = mkdtempSync(join(tmpdir(), 'commonplace-killed-'))
beforeAll(async () => {
  ;[bed, code] = await Promise.all([openImporterFixture(), bundle()])
})
afterAll(async () => {
  await bed.close()
  rmSync(folder, { recursive: true, force: true })
})

const start = () =>
  startWorker(code, {
    env: bed.world.database.env,
    remotePort: bed.net.findPort(origin) ?? 0,
    folder,
  })

test('after a worker is killed in the middle of a run, the next one continues, and the result is correct', async () => {
  const random = new Random(1)
  const file = truthFile(random, count)
  bed.files.set('/trees.csv', file.text)
  const id = await bed.importer({ mode: 'replace', retries: 10 })
  await bed.start(id)
  const { db } = bed.system()
  const stages: string[] = []
  for (let i = 0; i <= kills; i += 1) {
    // Its time passes: by the clock of the database alone does anyone else take the run up.
    await sql`update job set lease_until = now() - interval '1 second', due_at = now() where lease_until is not null`.execute(
      db,
    )
    const worker: RealWorker = await start()
    const before = await bed.job(id)
    const done = worker.message().then(
      () => 'ended',
      () => 'died',
    )
    if (i < kills) {
      // Once it has got on, so that each kill is somewhere else.
      for (;;) {
        const { cursor, counts, status, fence } = await bed.job(id)
        const isOn = JSON.stringify([cursor, counts]) !== JSON.stringify([before.cursor, before.counts])
        if ((isOn && fence > before.fence) || status === 'succeeded') break
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      await new Promise((resolve) => setTimeout(resolve, random.below(150)))
      worker.kill()
    }
    const how = await done
    await worker.close().catch(() => {})
    const after = await bed.job(id)
    stages.push(`${how} at ${after.status}/${after.cursor?.stage}/${after.counts.read}`)
    if (after.status === 'succeeded') break
  }
  const right = outcome('replace', [], {
    read: file.read,
    good: file.good,
    refused: file.rejectedRows.map((row) => row.id),
  })
  const job = await bed.job(id)
  expect(job, stages.join(', ')).toMatchObject({ status: 'succeeded', counts: right.counts })
  expect((await bed.readStored(id)).hash).toBe(await hashRows(right.rows))
  expect(await bed.staged()).toBe(0)
  const rejects = await db
    .selectFrom('importReject')
    .select(['row', 'field'])
    .where('jobId', '=', job.id)
    .execute()
  const rejectKeys = rejects.map(({ row, field }) => `${row}/${field}`).sort()
  expect(rejectKeys).toEqual(
    file.rejectedRows
      .slice(0, 1000)
      .map(({ row, field }) => `${row}/${field}`)
      .sort(),
  )
  const killed = stages.filter((stage) => stage.startsWith('died')).length
  expect(killed).toBeGreaterThan(0)
  writeMeasurements('faults-killed', { rows: file.read, killed, stages: stages.join(', ') })
}, 280_000)
