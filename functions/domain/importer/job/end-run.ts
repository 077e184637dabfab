import { sql } from 'kysely'
import { findNextRun } from '#functions/engine/import/schedule.ts'
import { writeToAdmins } from '#functions/domain/email/admin-email.ts'
import { toSingleLine } from '#functions/domain/email/email.ts'
import type { ClaimedRun } from './claim.ts'
import type { JobCounts } from '#functions/shapes/job-status.ts'
import type { JobPreview } from '#functions/shapes/job.ts'
import { StaleRunError } from './errors.ts'
import { log, storable } from './run.ts'
import { clearStaged } from './staging.ts'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'

/** How a run ends. */
export interface RunResult {
  status: 'succeeded' | 'failed' | 'stopped' | 'timedOut'
  /** Null to leave them unchanged. */
  counts: JobCounts | null
  /** A sentence; null without an error. */
  error: string | null
  /** The data version of the source that the run created; null where it changed nothing. */
  version?: number | null
  /** The report of a dry run; its staged rows are kept so that it can be committed. */
  preview?: JobPreview
}

type EndedJob = Pick<ClaimedRun, 'id' | 'importerId' | 'placeId' | 'trigger' | 'kind' | 'fence'>

/** Scheduled runs that may fail in a row; then the importer is switched off. */
const maxFailures = 20
const longestWaitMs = 24 * 3600_000
/** How long a dry run can be committed. */
const heldFor = '24 hours'

/**
 * Ends a run, in the transaction of its last work. Deletes its staged rows (unless a dry run keeps them), adds the last line of its
 * log and counts the success or failure of a scheduled run for its importer. Throws Stale where another worker has taken the run
 * over, or it was told to stop before it succeeded: then the transaction is rolled back.
 */
export async function endRun(tx: Tx, ctx: Context, job: EndedJob, ending: RunResult): Promise<void> {
  const { status, counts, error, version = null, preview } = ending
  const { numUpdatedRows } = await tx
    .updateTable('job')
    .set({
      status,
      error: error && storable(error),
      finishedAt: sql<Date>`now()`,
      heartbeatAt: sql<Date>`now()`,
      leaseUntil: null,
      ...(counts && { counts: JSON.stringify(counts) }),
      dataVersion: version,
      ...(preview && {
        preview: JSON.stringify(preview),
        comparedWith: preview.comparedWith.version,
        heldUntil: sql<Date>`now() + ${heldFor}::interval`,
      }),
    })
    .where('id', '=', job.id)
    .where('fence', '=', job.fence)
    .where('status', 'in', status === 'succeeded' ? ['running'] : ['running', 'stopping', 'waiting'])
    .executeTakeFirstOrThrow()
  if (!numUpdatedRows) throw new StaleRunError()
  if (preview) await releaseEarlierDryRuns(tx, job)
  else await clearStaged(tx, job)
  await tx.deleteFrom('importObject').where('jobId', '=', job.id).execute()
  const level = status === 'succeeded' || status === 'stopped' ? ('info' as const) : ('error' as const)
  await log(tx, job, [{ level, message: error ?? summary(job, ending) }])
  await notifyOfEnd(tx, ctx, job, status, error)
}

/** Only the last dry run of an importer keeps its staged rows: those of earlier ones are deleted by the daily sweep. */
async function releaseEarlierDryRuns(tx: Tx, { id, importerId }: EndedJob): Promise<void> {
  await tx
    .updateTable('job')
    .set({ heldUntil: null })
    .where('importerId', '=', importerId)
    .where('id', '!=', id)
    .where('heldUntil', 'is not', null)
    .execute()
}

function summary({ kind }: EndedJob, { status, counts }: RunResult): string {
  if (status !== 'succeeded' || !counts) return 'The run was stopped.'
  if (kind === 'dryRun')
    return `Dry run: ${counts.read} rows read, ${counts.created} to create, ${counts.updated} to update, ${counts.unchanged} unchanged, ${counts.removed} to remove, ${counts.rejected} refused.`
  if (kind === 'rollback')
    return `Rolled back: ${counts.removed} records removed, ${counts.updated} as they were before, ${counts.created} brought back.`
  const { read, created, updated, unchanged, removed, rejected } = counts
  return `Done: ${read} rows read, ${created} created, ${updated} updated, ${unchanged} unchanged, ${removed} removed, ${rejected} refused.`
}

/**
 * Updates an importer at the end of a run. Success resets the failures. After n failed scheduled runs it waits min(2^n ×
 * its interval, 24 hours), after 20 it is disabled; the place's admins get an email at the first failure, if enabled,
 * and when it is disabled.
 */
async function notifyOfEnd(
  tx: Tx,
  ctx: Context,
  job: EndedJob,
  status: RunResult['status'],
  error: string | null,
) {
  if (job.kind !== 'run') return
  if (status === 'succeeded')
    await tx
      .updateTable('importer')
      .set({ failures: 0 })
      .where('id', '=', job.importerId)
      .where('failures', '>', 0)
      .execute()
  if (job.trigger !== 'schedule' || (status !== 'failed' && status !== 'timedOut')) return
  const importer = await tx
    .selectFrom('importer')
    .innerJoin('place', 'place.id', 'importer.placeId')
    .select(['importer.name', 'importer.schedule', 'importer.failures', 'importer.notifyOnFailure'])
    .select(['place.timeZone', sql<Date>`now()`.as('at')])
    .where('importer.id', '=', job.importerId)
    .where('importer.enabled', '=', true)
    .where('importer.deletedAt', 'is', null)
    .forUpdate('importer')
    .executeTakeFirst()
  if (!importer) return
  const failures = importer.failures + 1
  const isOff = failures >= maxFailures
  await tx
    .updateTable('importer')
    .set({
      failures,
      nextRunAt: isOff ? null : computeRunAfterFailures(importer, failures),
      ...(isOff && { enabled: false }),
    })
    .where('id', '=', job.importerId)
    .execute()
  if (isOff || (failures === 1 && importer.notifyOnFailure))
    await notifyAdmins(tx, ctx, job.placeId, { name: importer.name, error: error ?? '', isOff })
}

/**
 * The next run of a scheduled importer that failed n times in a row: the first time of its schedule at least min(2^n ×
 * interval, 24 h) after the last one. Null: it has no schedule, or one without further times.
 */
function computeRunAfterFailures(
  { schedule, timeZone, at }: { schedule: string | null; timeZone: string; at: Date },
  failures: number,
): Date | null {
  if (!schedule) return null
  const first = findNextRun(schedule, timeZone, at)
  const second = first && findNextRun(schedule, timeZone, first)
  if (!first || !second) return first
  const interval = second.getTime() - first.getTime()
  const waitMs = Math.max(0, Math.min(interval * 2 ** failures, longestWaitMs) - interval)
  return findNextRun(schedule, timeZone, new Date(at.getTime() + waitMs))
}

async function notifyAdmins(
  tx: Tx,
  { settings }: Context,
  placeId: string,
  { name, error, isOff }: { name: string; error: string; isOff: boolean },
) {
  const shortName = toSingleLine(name).slice(0, 100)
  const subject = isOff ? `Importer switched off: ${shortName}` : `Importer failed: ${shortName}`
  const what = isOff
    ? `The importer "${shortName}" failed ${maxFailures} times in a row and was switched off. Switch it on again once its source is good.`
    : `A scheduled run of the importer "${shortName}" failed. It is tried again, later each time.`
  const draft = { subject, lines: [what, error], link: { label: 'Go to Commonplace', path: '/' } }
  await writeToAdmins(tx, settings, placeId, draft)
}
