import { sql } from 'kysely'
import { change, prepareRecordSubject } from '#functions/domain/records/change.ts'
import { countSnapshots, rollBackVersion } from '#functions/domain/records/replay.ts'
import type { JobCounts } from '#functions/shapes/job-status.ts'
import type { JobKind } from './cursor.ts'
import { endRun } from './end-run.ts'
import { RunRefusal } from './errors.ts'
import type { Run } from './run.ts'
import type { Db, JobStatus, Tx } from '#db/schema.ts'

/** The most records that can be rolled back: takes some of the fifteen minutes that a queue message may take. */
const maxUndone = 2_000_000

/** A run as taking it back needs it. */
interface UndoneRun {
  id: string
  sourceId: string
  kind: JobKind
  status: JobStatus
  counts: Record<string, number>
  dataVersion: number | null
  undoneBy: string | null
}

export const undoneColumns = [
  'job.id',
  'job.sourceId',
  'job.kind',
  'job.status',
  'job.counts',
  'job.dataVersion',
  'job.undoneBy',
] as const

/**
 * Reverts another run in one transaction with the end of this one: the source gets its former records, as a new version.
 * Not divided into steps, like a commit. True: done.
 */
export async function rollBackRun({ ctx, job, lease }: Run): Promise<boolean> {
  const subject = await prepareRecordSubject(ctx, job.sourceId)
  if (!subject) throw new RunRefusal('The source of this importer has been deleted.')
  await lease.settle()
  await change(
    ctx,
    subject,
    async (pendingChange) => {
      const { tx, target } = pendingChange
      const undoneJob = await tx
        .selectFrom('job')
        .select(undoneColumns)
        .where('id', '=', job.undoes)
        .forUpdate()
        .executeTakeFirst()
      // The source is locked, so the check holds until the end of the transaction.
      const refusal = undoneJob
        ? await findRollbackRefusal(tx, undoneJob)
        : 'The run to be rolled back is gone.'
      if (!undoneJob || undoneJob.dataVersion === null || refusal !== null)
        throw new RunRefusal(refusal ?? '')
      const changeCounts = await rollBackVersion(pendingChange, undoneJob.dataVersion, () => lease.beat())
      await tx.updateTable('job').set({ undoneBy: job.id }).where('id', '=', undoneJob.id).execute()
      const counts: JobCounts = {
        ...changeCounts,
        read: changeCounts.created + changeCounts.updated,
        unchanged: 0,
        rejected: 0,
      }
      const version = pendingChange.hasChanged ? target.version : null
      await endRun(tx, ctx, job, { status: 'succeeded', counts, error: null, version })
    },
    'rolledBack',
  )
  return true
}

/** Why a run cannot be rolled back now, as a sentence; null where it can. */
export async function findRollbackRefusal(db: Db | Tx, run: UndoneRun): Promise<string | null> {
  const { sourceId, kind, status, counts, dataVersion, undoneBy } = run
  if (kind !== 'run' || status !== 'succeeded') return 'Only a run that brought rows in can be rolled back.'
  if (undoneBy !== null) return 'This run was rolled back already.'
  if (dataVersion === null) return 'This run changed nothing, so there is nothing to roll back.'
  if ((await readLatestVersion(db, sourceId)) !== dataVersion)
    return 'The data of the source has changed since this run. Only what changed it last can be rolled back.'
  const { created = 0, updated = 0, removed = 0 } = counts
  const total = created + updated + removed
  if (total > maxUndone)
    return `This run changed more than ${maxUndone.toLocaleString('en')} records: too many to be rolled back at once.`
  if (dataVersion === 1) return null
  const isKept = (await countSnapshots(db, sourceId, dataVersion)) === total
  return isKept ? null : 'The records as they were before this run are not kept any more.'
}

/** The version whose records a source has: its newest, or the one before the run that was rolled back last. Null: no source. */
async function readLatestVersion(db: Db | Tx, sourceId: string): Promise<number | null> {
  const { rows } = await sql<{ version: number | null }>`
    with recursive standing (version) as (
      select data_version from source where id = ${sourceId}
      union all
      select undone.data_version - 1 from standing s
      join job back on back.source_id = ${sourceId} and back.data_version = s.version and back.kind = 'rollback'
      join job undone on undone.id = back.undoes)
    select min(version)::int as version from standing`.execute(db.withoutPlugins())
  return rows[0]?.version ?? null
}
