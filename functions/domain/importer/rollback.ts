import { queueJob } from './job/queue.ts'
import { undoneColumns, findRollbackRefusal } from './job/roll-back.ts'
import { findImporter } from './of-source.ts'
import { haltMessage, alreadyRunningMessage, openJob, refuse, getRunStarter } from './run.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { isOn } from '#functions/domain/internals/flags.ts'
import { listLastJobs } from './jobs.ts'
import type { Context } from '#functions/context.ts'

/**
 * Rolls back a run: queues a run that restores the source's former records, and wakes the queue. Returns the new run.
 * Failure `conflict` where that is impossible: it was rolled back already or changed nothing, the data have changed
 * since, or the undo snapshots were deleted. Undefined when there is no such run.
 */
export async function rollback(ctx: Context, request: NounRequest) {
  const importer = await findImporter(ctx, request)
  if (!importer) return undefined
  const run = await ctx.db
    .selectFrom('job')
    .select(undoneColumns)
    .where('job.id', '=', param(request, 'jobId'))
    .where('job.importerId', '=', importer.id)
    .executeTakeFirst()
  if (!run) return undefined
  if (await isOn(ctx.db, 'importersHalted')) throw refuse(haltMessage)
  if (await openJob(ctx, importer.id)) throw refuse(alreadyRunningMessage)
  const refusal = await findRollbackRefusal(ctx.db, run)
  if (refusal !== null) throw refuse(refusal)
  const { name, placeId } = importer
  await ctx.transaction(async (tx) => {
    const id = await queueJob(tx, importer, { ...getRunStarter(ctx), kind: 'rollback', undoes: run.id })
    if (id === null) throw refuse(alreadyRunningMessage)
    await recordActivity(tx, ctx, { verb: 'created', type: 'job', id, name, placeId })
  })
  ctx.wake('jobs')
  const [job] = await listLastJobs(ctx, [importer.id])
  return job
}
