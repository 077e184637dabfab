import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../run.ts'
import { readAsEmptyIn } from '#functions/domain/records/profile/read-as-empty.ts'
import { rollBackVersion } from '#functions/domain/records/replay.ts'
import { ingest } from '#functions/domain/records/ingest.ts'
import { change, prepareRecordSubject } from '#functions/domain/records/change.ts'
import { openImporterFixture, origin, type ImporterFixture } from './testing.ts'

let bed: ImporterFixture
beforeAll(async () => {
  bed = await openImporterFixture()
  await bed
    .system()
    .db.insertInto('dataType')
    .values({ id: 'visit', name: 'Visit', schema: JSON.stringify(schema), createdBy: null })
    .execute()
})
afterAll(() => bed.close())

const schema = {
  day: { name: 'Day', type: 'date' },
  at: { name: 'At', type: 'date' },
  n: { name: 'Number', type: 'number' },
  isPaid: { name: 'Is paid', type: 'boolean' },
  note: { name: 'Note', type: 'text' },
  scores: { name: 'Scores', type: 'array', items: { name: 'Score', type: 'number' } },
}

/** The log lines of a run of this file about converted values, with their rows. */
async function runAndReadLog(
  text: string,
  { parser = 'csv', batchRows = 500, budgetMs = 60_000, mapping = '{}', columns = '{}' } = {},
) {
  const id = await bed.importer({
    sources: JSON.stringify([{ url: `${origin}/visits`, parser }]),
    mapping,
    columns,
  })
  const { db } = bed.system()
  await db.updateTable('source').set({ dataTypeId: 'visit' }).where('id', '=', id).execute()
  bed.files.set('/visits', text)
  await bed.start(id)
  await bed.finish({ batchRows, budgetMs })
  const job = await bed.job(id)
  expect(job).toMatchObject({ status: 'succeeded', error: null })
  const log = await db
    .selectFrom('jobLog')
    .select(['level', 'message', 'row'])
    .where('jobId', '=', job.id)
    .orderBy('id')
    .execute()
  return log
    .filter(({ message }) => /converted|as empty/.test(message))
    .map(({ level, message, row }) => `${level} ${row} ${message}`)
}

test('a run reports for each field what it converted or read as empty, how often, and an example', async () => {
  const lines = [
    'day,at,n,isPaid,note',
    '2019-03-04T00:00:00Z,2019-03-04T12:00:00.25Z,1.50,true,1',
    '2019-03-04,4 Mar 2019 12:00 UTC,"1,234",yes,2',
    '5 March 2019,2019-03-04T12:00:00Z,n/a,false,n/a',
    '2019-03-04T00:00:00Z,2019-03-04T12:00:00Z,007,false,3',
  ]
  expect(await runAndReadLog(lines.join('\n'))).toEqual([
    'info 2 Day: 2 values were converted, the first from “2019-03-04” to 2019-03-04T05:00:00.000Z.',
    'info 2 At: 1 value was converted, from “4 Mar 2019 12:00 UTC” to 2019-03-04T12:00:00.000Z.',
    'info 2 Number: 2 values were converted, the first from “1,234” to 1234.',
    'info 2 Is paid: 1 value was converted, from “yes” to true.',
    'info 3 Number: 1 value was read as empty: “n/a”.',
  ])
})

test('words for missing values are not rejected: a run reads them as empty, and reports them', async () => {
  const columns = JSON.stringify({ n: { missing: ['999', 'k.a.'] }, note: { missing: ['unknown'] } })
  const text = 'n,isPaid,note\n1,true,a\n999,true,b\nk.A.,false,Unknown\n999,false,-\n'
  expect(await runAndReadLog(text, { columns })).toEqual([
    'info 2 Number: 3 values were read as empty: 2 × “999”, 1 × “k.A.”.',
    'info 3 Note: 1 value was read as empty: “Unknown”.',
  ])
})

test('does not report values that need no conversion', async () => {
  const rows = [
    { day: '2019-03-04T00:00:00Z', n: 5, isPaid: true, note: 'a', scores: [1, 2] },
    { day: '2019-03-04T00:00:00.5Z', n: -0.25, isPaid: false, note: '', scores: [] },
  ]
  expect(
    await runAndReadLog(rows.map((row) => JSON.stringify(row)).join('\n'), { parser: 'ndjson' }),
  ).toEqual([])
})

test('reports a number given as text, an instant without an offset, read in the place’s time zone, and items of lists', async () => {
  const row = { day: '2019-03-04T00:00:00', note: 7, scores: [1, '2,000', '2.5'] }
  expect(await runAndReadLog(JSON.stringify(row), { parser: 'ndjson' })).toEqual([
    'info 1 Day: 1 value was converted, from “2019-03-04T00:00:00” to 2019-03-04T05:00:00.000Z.',
    'info 1 Note: 1 value was converted, from 7 to “7”.',
    'info 1 Scores: 1 value was converted, from “2,000” to 2000.',
  ])
})

test('does not count what a mapping itself sets, nor the values of rejected rows', async () => {
  const mapping = JSON.stringify({
    day: '4 March 2019',
    n: { field: 'n', defaultValue: '1,000' },
    isPaid: { field: 'isPaid' },
  })
  expect(await runAndReadLog('n,isPaid\n1,true\n,true\n"2,000",perhaps\n', { mapping })).toEqual([])
})

test('a run in many steps counts the same as one in a single step', async () => {
  const rows = Array.from(
    { length: 40 },
    (_, n) => `2019-03-${String((n % 28) + 1).padStart(2, '0')},"1,${100 + n}"`,
  )
  expect(await runAndReadLog(['day,n', ...rows].join('\n'), { batchRows: 7, budgetMs: 0 })).toEqual([
    'info 1 Day: 40 values were converted, the first from “2019-03-01” to 2019-03-01T05:00:00.000Z.',
    'info 1 Number: 40 values were converted, the first from “1,100” to 1100.',
  ])
})

test('words for missing values are reported with their counts, in the log, before a commit, and for the created records', async () => {
  const rows = Array.from({ length: 300 }, (_none, n) =>
    n < 250 ? `N/A,${n}` : n < 253 ? ` - ,${n}` : `${n},${n}`,
  )
  const id = await bed.importer({ sources: JSON.stringify([{ url: `${origin}/words`, parser: 'csv' }]) })
  const { db } = bed.system()
  await db.updateTable('source').set({ dataTypeId: 'visit' }).where('id', '=', id).execute()
  bed.files.set('/words', ['n,note', ...rows].join('\n'))
  await run(bed.system(), {
    params: { sourceId: id, importerId: id },
    options: { dryRun: true },
    data: undefined,
    placeId: 'oakton',
  })
  await bed.finish({ batchRows: 40 })
  const emptySummary = {
    count: 253,
    values: [
      { value: 'N/A', count: 250 },
      { value: '-', count: 3 },
    ],
    others: 0,
  }
  const dry = await bed.job(id)
  expect(dry.preview).toMatchObject({ readAsEmpty: [{ field: 'n', ...emptySummary }] })
  const findEmptySummary = async () => (await readAsEmptyIn(bed.system(), [id])).get('n')
  expect(await findEmptySummary()).toBeUndefined()
  await bed.start(id)
  await bed.finish({ batchRows: 40 })
  const { message } = await db
    .selectFrom('jobLog')
    .select('message')
    .where('jobId', '=', (await bed.job(id)).id)
    .where('message', 'like', '%as empty%')
    .executeTakeFirstOrThrow()
  expect(message).toBe('Number: 253 values were read as empty: 250 × “N/A”, 3 × “-”.')
  expect(await findEmptySummary()).toEqual(emptySummary)
  // A run without changes, or a record from another client, keeps it; rolling back the version removes it.
  await bed.start(id)
  await bed.finish()
  const ctx = bed.system()
  const { version } = await ingest(ctx, id, [{ n: 1, note: 'by hand' }])
  expect(await findEmptySummary()).toEqual(emptySummary)
  const subject = await prepareRecordSubject(ctx, id)
  if (!subject) throw new Error('There is such a source.')
  await change(ctx, subject, async (pendingChange) => void (await rollBackVersion(pendingChange, version)))
  expect(await findEmptySummary()).toBeUndefined()
})
