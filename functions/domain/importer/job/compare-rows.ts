import { requireSame, requireSameType, type RecordSubject } from '#functions/domain/records/change.ts'
import { buildColumns } from '#functions/domain/records/columns.ts'
import { compareRows } from '#functions/domain/records/compare.ts'
import { runForValidRows } from '#functions/domain/records/ingest.ts'
import type { RejectedRow } from '#functions/domain/records/prepare.ts'
import { computeFinalCounts, storeLateRejects, requireRows } from './commit-rows.ts'
import { endRun } from './end-run.ts'
import { RunRefusal } from './errors.ts'
import { buildPreview, Samples } from './preview.ts'
import { subjectFor } from './read-rows.ts'
import type { Run } from './run.ts'
import { dropSuperseded, StagedRows, unnamedRecords } from './staging.ts'
import { typeChanges } from './type-changes.ts'
import type { Tx } from '#db/schema.ts'

/** The source was changed while it was compared. */
class Moved extends Error {}

/**
 * Ends a dry run: reports what its rows would do to the source, record by record as a commit would, without changing it.
 * Staged rows remain, to be committed. Compared with one version of the source; it blocks writers only if one came in
 * between on the first attempt. False: the data type has changed, and rows have to be read again.
 */
export async function compareRun(run: Run): Promise<boolean> {
  const subject = await subjectFor(run)
  if (run.cursor.stage !== 'commit') return false
  const type = await typeChanges(run, subject)
  await run.lease.settle()
  try {
    await compareWith(run, subject, type, false)
  } catch (error) {
    if (!(error instanceof Moved)) throw error
    await compareWith(run, subject, type, true)
  }
  return true
}

async function compareWith(
  run: Run,
  subject: RecordSubject,
  type: Awaited<ReturnType<typeof typeChanges>>,
  holds: boolean,
): Promise<void> {
  const { ctx, job, plan, lease } = run
  const { schema, sourceId, table } = subject
  const target = { table, columns: buildColumns(schema), sourceId }
  await ctx.transaction(async (tx) => {
    const source = await sourceIn(tx, sourceId, holds)
    requireSameType(source.typeId, subject.typeId)
    requireSame(source.typeVersion, subject.typeVersion)
    await requireRows(tx, run)
    await dropSuperseded(tx, job)
    const changeCounts = { created: 0, updated: 0, removed: 0 }
    const samples = new Samples()
    const refusals: RejectedRow[] = []
    const stagedRows = new StagedRows({ tx, ctx }, job, schema)
    for (;;) {
      stagedRows.ask()
      const incoming = await stagedRows.readNext()
      lease.beat()
      if (!incoming) break
      const count = await runForValidRows(tx, incoming, refusals, async (some) => {
        const { created, updated } = await compareRows(tx, target, some, plan.mode !== 'append')
        return () => {
          changeCounts.created += created.length
          changeCounts.updated += updated.length
          samples.addRows(some.rows, created, updated)
        }
      })
      count()
    }
    if (plan.mode === 'replace')
      for await (const { ids, externalIds } of unnamedRecords(tx, job, target)) {
        lease.beat()
        changeCounts.removed += ids.length
        samples.addRemoved(externalIds)
      }
    await storeLateRejects(tx, run, refusals, 'compared')
    const preview = await buildPreview(tx, run, target, { source, samples, type })
    if (!holds && (await sourceIn(tx, sourceId, false)).version !== source.version) throw new Moved()
    const counts = computeFinalCounts(run, changeCounts, refusals.length)
    await endRun(tx, ctx, job, { status: 'succeeded', counts, error: null, preview })
  })
}

/** A source's version, its number of records and the version of its data type. `holds`: locks it, so that writers wait. */
async function sourceIn(tx: Tx, sourceId: string, holds: boolean) {
  const source = await tx
    .selectFrom('source')
    .innerJoin('dataType', 'dataType.id', 'source.dataTypeId')
    .leftJoin('sourceStat', 'sourceStat.sourceId', 'source.id')
    .select(['source.dataVersion as version', 'dataType.version as typeVersion', 'sourceStat.count'])
    .select('dataType.id as typeId')
    .where('source.id', '=', sourceId)
    .where('source.deletedAt', 'is', null)
    .$if(holds, (query) => query.forShare('source'))
    .executeTakeFirst()
  if (!source) throw new RunRefusal('The source of this importer has been deleted.')
  return source
}
