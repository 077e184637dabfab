import { sql } from 'kysely'
import { queueJob } from './job/queue.ts'
import { findImporter } from './of-source.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { isOn } from '#functions/domain/internals/flags.ts'
import { listLastJobs } from './jobs.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { openStatuses, type RunOptions } from '#functions/shapes/job.ts'

/**
 * Runs an importer: queues a run and wakes the queue. Returns it. A dry run only reports what a run would do, which is
 * possible for a disabled importer as well. Failure `conflict` while importers are halted, it is disabled, has no
 * sources or is running. Undefined when there is no such importer.
 */
export async function run(ctx: Context, request: NounRequest<RunOptions>) {
  const importer = await findImporter(ctx, request)
  if (!importer) return undefined
  const isDry = request.options.dryRun === true
  const [isHalted, open] = await Promise.all([isOn(ctx.db, 'importersHalted'), openJob(ctx, importer.id)])
  if (isHalted) throw refuse(haltMessage)
  if (!importer.enabled && !isDry) throw refuse(switchedOff)
  if (!importer.sources.length) throw refuse('This importer has no source to read.')
  if (open) throw refuse(alreadyRunningMessage)
  const { name, placeId } = importer
  await ctx.transaction(async (tx) => {
    const id = await queueJob(tx, importer, { ...getRunStarter(ctx), kind: isDry ? 'dryRun' : 'run' })
    if (id === null) throw refuse(alreadyRunningMessage)
    await recordActivity(tx, ctx, { verb: 'created', type: 'job', id, name, placeId })
  })
  ctx.wake('jobs')
  const [job] = await listLastJobs(ctx, [importer.id])
  return job
}

/** Why no run is started. */
export const haltMessage = 'All importers are halted by the operator: none is started.'
export const switchedOff = 'This importer is switched off.'
export const alreadyRunningMessage = 'This importer is running already: one run at a time.'
export const refuse = (message: string) => new Failure('conflict', { message })

/** Who starts a run: with a session a person in the workspace, with a key a program. */
export const getRunStarter = ({ actor }: Context) => ({
  trigger: actor.session ? ('manual' as const) : ('api' as const),
  createdBy: actor.user?.id ?? null,
})

/**
 * Stops the run of an importer: a waiting one immediately, others as soon as possible. Idempotent. Returns the last run
 * in its new state, if there is one; undefined when there is no such importer.
 */
export async function stop(ctx: Context, request: NounRequest) {
  const importer = await findImporter(ctx, request)
  if (!importer) return undefined
  const { id: importerId, name, placeId } = importer
  const open = await openJob(ctx, importerId)
  if (open && open.status !== 'stopping') {
    await write(ctx, async (tx) => {
      // It may have started or ended meanwhile, so the statement checks the current row.
      const update = await tx
        .updateTable('job')
        .set({ status: 'stopped', finishedAt: sql<Date>`now()` })
        .where('id', '=', open.id)
        .where('status', '=', 'queued')
        .executeTakeFirst()
      const going = await tx
        .updateTable('job')
        .set({ status: 'stopping' })
        .where('id', '=', open.id)
        .where('status', 'in', ['running', 'waiting'])
        .executeTakeFirst()
      if (!update.numUpdatedRows && !going.numUpdatedRows) return
      await recordActivity(tx, ctx, { verb: 'updated', type: 'job', id: open.id, name, placeId })
    })
  }
  const [job] = await listLastJobs(ctx, [importerId])
  return { stopping: open !== undefined, ...(job && { job }) }
}

/** The open run of an importer; undefined: there is none. */
export async function openJob(ctx: Context, importerId: string) {
  return ctx.db
    .selectFrom('job')
    .select(['id', 'status'])
    .where('importerId', '=', importerId)
    .where('status', 'in', openStatuses)
    .executeTakeFirst()
}
