import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { columnsOfMapping, unseenIn } from './missing-columns.ts'
import { openImporterFixture, schema, type ImporterFixture } from './testing.ts'

let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
})
afterAll(() => bed.close())

const whole = 'id,species,height\na,oak,5\nb,elm,6\n'
const renamed = 'id,species,Height (m)\na,oak,7\nb,elm,8\n'

async function runImporter(id: string, file: string) {
  bed.files.set('/trees.csv', file)
  await bed.start(id)
  // One step per batch: the seen columns are stored between steps.
  await bed.finish({ budgetMs: 0, batchRows: 1 })
  const job = await bed.job(id)
  const log = await bed
    .system()
    .db.selectFrom('jobLog')
    .select(['level', 'message'])
    .where('jobId', '=', job.id)
    .orderBy('id')
    .execute()
  return { job, problems: log.filter(({ level }) => level !== 'info').map(({ message }) => message) }
}

describe('a column missing under the name in the mapping', () => {
  test.each(['upsert', 'replace'] as const)(
    'empties no field in mode %s: the run fails, and says why',
    async (mode) => {
      const id = await bed.importer({ mode })
      await runImporter(id, whole)
      const before = await bed.readStored(id)
      const { job } = await runImporter(id, renamed)
      expect(job.status).toBe('failed')
      expect(job.error).toMatch(
        /^No row has the column "height"\. Records that are there would lose "Height"/,
      )
      expect(await bed.readStored(id)).toEqual(before)
    },
  )

  test('is reported where nothing is lost', async () => {
    const fresh = await bed.importer()
    const { job, problems } = await runImporter(fresh, renamed)
    expect([job.status, problems]).toEqual(['succeeded', ['No row has the column "height".']])
    const adding = await bed.importer({ mode: 'append' })
    await runImporter(adding, whole)
    expect((await runImporter(adding, renamed)).job.status).toBe('succeeded')
  })

  test('is searched under the key of its field, in any case', async () => {
    const { db } = bed.system()
    const wide = { id: schema.id, trunkWidth: { name: 'Trunk width', type: 'number' } }
    await db
      .insertInto('dataType')
      .values({ id: 'trunk', name: 'Trunk', schema: JSON.stringify(wide), createdBy: null })
      .execute()
    const id = await bed.importer()
    await db.updateTable('source').set({ dataTypeId: 'trunk' }).where('id', '=', id).execute()
    await runImporter(id, 'id,trunkWidth\na,5\n')
    const { job } = await runImporter(id, 'id,Width\na,7\n')
    expect(job.error).toMatch(/would lose "Trunk width"/)
  })

  test('is reported by a dry run, which continues', async () => {
    const id = await bed.importer()
    await runImporter(id, whole)
    bed.files.set('/trees.csv', renamed)
    const { db } = bed.system()
    const jobId = await bed.start(id)
    await db.updateTable('job').set({ kind: 'dryRun' }).where('id', '=', jobId).execute()
    await bed.finish()
    expect((await bed.job(id)).status).toBe('succeeded')
  })

  test('is not missing when it has no values, or only the last row has it', async () => {
    const id = await bed.importer()
    await runImporter(id, whole)
    const { job, problems } = await runImporter(id, 'id,species,height\na,oak,\nb,elm,\n')
    expect([job.status, problems]).toEqual(['succeeded', []])
  })
})

test('columns are those of all arguments and default values, by their paths', () => {
  const mapping = {
    id: { field: 'no' },
    species: {
      transform: 'concatenate',
      arguments: [{ field: 'a.b' }, { field: 'c', defaultValue: { field: 'd' } }],
    },
    gone: { field: 'x' },
  }
  expect(columnsOfMapping(mapping, schema)).toEqual(['no', 'a.b', 'c', 'd'])
  const rows = [{ no: 1 }, { a: { b: null } }].map((value, i) => ({ at: { row: i + 1 }, value }))
  expect(unseenIn(['no', 'a.b', 'c', 'constructor'], rows)).toEqual(['c', 'constructor'])
})
