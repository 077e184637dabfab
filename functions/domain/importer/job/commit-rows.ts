import { change, findSourceDataType, type Change } from '#functions/domain/records/change.ts'
import { writeValidRows, type Mode } from '#functions/domain/records/ingest.ts'
import type { RejectedRow } from '#functions/domain/records/prepare.ts'
import { removeById } from '#functions/domain/records/write.ts'
import { toRejects } from './check-batch.ts'
import type { JobCounts } from '#functions/shapes/job-status.ts'
import { endRun } from './end-run.ts'
import { RunRefusal } from './errors.ts'
import { writeRejectFile, subjectFor } from './read-rows.ts'
import type { Run } from './run.ts'
import {
  countRejects,
  dropSuperseded,
  isAnyStaged,
  storeRejects,
  refuseStaged,
  StagedRows,
  unnamedRecords,
} from './staging.ts'
import type { Tx } from '#db/schema.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'

/**
 * Writes the valid rows to the source, in one transaction with the end of the run: readers see the old records until it
 * commits, and only the holder of the fence can commit. Of rows with one id the last is stored, the others count as
 * unchanged. A former dry run does exactly what it reported, or nothing. False: the data type has changed meanwhile, and
 * rows have to be read again.
 */
export async function commitRows(run: Run): Promise<boolean> {
  const { job, plan, lease } = run
  const { mode } = plan
  if (job.comparedWith !== null) await requireSameType(run)
  const subject = await subjectFor(run)
  if (run.cursor.stage !== 'commit') return false
  await lease.settle()
  await change(
    run.ctx,
    subject,
    async (pendingChange) => {
      const { tx, target } = pendingChange
      if (job.comparedWith !== null && job.comparedWith !== target.version - 1)
        throw new RunRefusal(sourceChanged)
      await requireRows(tx, run)
      await dropSuperseded(tx, job)
      const writeCounts = { created: 0, updated: 0 }
      const refusals: RejectedRow[] = []
      await writeStaged(pendingChange, run, subject.schema, mode, writeCounts, refusals)
      const removed = mode === 'replace' ? await removeRest(pendingChange, run) : 0
      await storeLateRejects(tx, run, refusals, 'commit')
      const counts = computeFinalCounts(run, { ...writeCounts, removed }, refusals.length)
      if (job.comparedWith !== null) requirePromised(run, counts)
      pendingChange.rejectedCount = counts.rejected
      const version = pendingChange.hasChanged ? target.version : null
      if (pendingChange.hasChanged) pendingChange.readAsEmpty = run.cursor.conversions?.emptied ?? {}
      await endRun(tx, run.ctx, run.job, { status: 'succeeded', counts, error: null, version })
    },
    'imported',
  )
  return true
}

/** Pipelines the writing: while the database writes a batch, the next one is prepared and the previous one counted. */
async function writeStaged(
  pendingChange: Change,
  { ctx, job, lease, counts }: Run,
  schema: FieldSchema,
  mode: Mode,
  writeCounts: { created: number; updated: number },
  refusals: RejectedRow[],
): Promise<void> {
  // Called for all rows at once: with large rows a statement has only a few.
  await pendingChange.isFirst(counts.read - counts.rejected)
  const stagedRows = new StagedRows({ tx: pendingChange.tx, ctx }, job, schema)
  let count = () => {}
  stagedRows.ask()
  for (let next = stagedRows.readNext(); ;) {
    const incoming = await next
    lease.beat()
    if (!incoming) break
    stagedRows.ask()
    const countBefore = count
    count = await writeValidRows(pendingChange, incoming, mode, writeCounts, refusals, () => {
      next = stagedRows.readNext()
      // Awaited above; this only avoids an unhandled rejection when writing fails first.
      next.catch(() => {})
      countBefore()
    })
  }
  count()
}

/** Why a dry run cannot be committed any more. */
export const sourceChanged =
  'The data of the source has changed since this dry run: what it said does not hold any more. Run it again.'
export const typeChanged =
  'The fields of the data type have changed since this dry run: its rows were checked by the old ones. Run it again.'

/** A dry run that is being committed never reads again: its pages are deleted, and nobody has reviewed what another reading would give. */
async function requireSameType({ ctx, job, cursor }: Run): Promise<void> {
  const type = await findSourceDataType(ctx, job.sourceId)
  if (type && type.typeVersion !== cursor.typeVersion) throw new RunRefusal(typeChanged)
}

/** A source without a valid row deletes no records. */
export async function requireRows(tx: Tx, { job, plan }: Run): Promise<void> {
  if (plan.mode === 'replace' && !(await isAnyStaged(tx, job)))
    throw new RunRefusal('There is no good row in the source: nothing is removed for it.')
}

/** The final counts. `rejectedNow`: how many of the staged rows were rejected. */
export function computeFinalCounts(
  { counts: { read, rejected } }: Run,
  writeCounts: { created: number; updated: number; removed: number },
  rejectedNow: number,
): JobCounts {
  const bad = rejected + rejectedNow
  return {
    ...writeCounts,
    read,
    rejected: bad,
    unchanged: read - bad - writeCounts.created - writeCounts.updated,
  }
}

/**
 * Stores issues that only the database found in staged rows. `name`: of the object in the bucket, sorted after those
 * from reading.
 */
export async function storeLateRejects(
  tx: Tx,
  run: Run,
  refusals: RejectedRow[],
  name: string,
): Promise<void> {
  const { job, cursor } = run
  const rejects = refusals.flatMap((each) => toRejects(each, { row: each.index }))
  if (!rejects.length) return
  await writeRejectFile(run, rejects, name)
  await storeRejects(tx, job, cursor.rejects, rejects)
  await countRejects(tx, job, cursor.rejects + rejects.length)
  await refuseStaged(
    tx,
    job,
    refusals.map(({ index }) => index),
  )
}

/** The result must be what the dry run reported; a difference means that part of the staged rows was lost. */
function requirePromised({ counts: value }: Run, counts: JobCounts): void {
  for (const name of ['created', 'updated', 'removed', 'rejected'] as const)
    if (value[name] !== counts[name])
      throw new RunRefusal('What this dry run read is not whole any more. Run it again.')
}

/** Deletes the records whose id occurs in no row of the run, rejected rows included. Returns their number. */
async function removeRest(pendingChange: Change, { job, lease }: Run): Promise<number> {
  const { tx, target } = pendingChange
  let count = 0
  for await (const { ids } of unnamedRecords(tx, job, target)) {
    lease.beat()
    for (const before of await removeById(tx, target, ids)) pendingChange.went(before)
    count += ids.length
  }
  return count
}
