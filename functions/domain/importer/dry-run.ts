import { sql } from 'kysely'
import { sourceChanged, typeChanged } from './job/commit-rows.ts'
import { findImporter } from './of-source.ts'
import { haltMessage, alreadyRunningMessage, openJob, refuse, getRunStarter, switchedOff } from './run.ts'
import { recordActivity } from '#functions/domain/activity/activity.ts'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { isOn } from '#functions/domain/internals/flags.ts'
import { findById } from './jobs.ts'
import { findSourceDataType } from '#functions/domain/records/change.ts'
import type { Context } from '#functions/context.ts'
import { openStatuses } from '#functions/shapes/job.ts'

/** Why what a dry run read cannot be committed any more. */
const isGone = 'What this dry run read is not kept any more. Run it again.'

/**
 * The report of a dry run: what committing it would do, with samples, and what its rows suggest for the data type.
 * Undefined when there is no such run, or it has no report; Failure `conflict` while it is running.
 */
export async function preview(ctx: Context, request: NounRequest) {
  const job = await findById(ctx, request)
  if (!job) return undefined
  if (job.kind === 'dryRun' && openStatuses.some((status) => status === job.status))
    throw refuse('This dry run has not ended yet.')
  const row = await ctx.db.selectFrom('job').select('preview').where('id', '=', job.id).executeTakeFirst()
  const preview = row?.preview
  return preview ? { ...preview, counts: job.counts, heldUntil: findHoldEnd(ctx, job) } : undefined
}

/** Null once it is over, committed or let go. */
function findHoldEnd(ctx: Context, { kind, heldUntil: until }: { kind: string; heldUntil: Date | null }) {
  return kind === 'dryRun' && until !== null && until > ctx.now() ? until : null
}

/**
 * Commits the rows of a dry run: the run continues where it stopped, without fetching again, and does exactly what it
 * reported or nothing. Returns the queued run. Failure `conflict` where the report is outdated: the source's data or the
 * data type have changed, or its rows were deleted. Undefined when there is no such run.
 */
export async function commit(ctx: Context, request: NounRequest) {
  const importer = await findImporter(ctx, request)
  const job = importer && (await findById(ctx, request))
  if (!job) return undefined
  if (job.kind !== 'dryRun') throw refuse('Only a dry run that was not committed yet can be committed.')
  if (job.status !== 'succeeded') throw refuse('Only a dry run that ended well can be committed.')
  if (await isOn(ctx.db, 'importersHalted')) throw refuse(haltMessage)
  if (!importer.enabled) throw refuse(switchedOff)
  if (await openJob(ctx, importer.id)) throw refuse(alreadyRunningMessage)
  await requireSame(ctx, job)
  const { name, placeId } = importer
  const wasCommitted = await ctx
    .transaction(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('job')
        .set({
          ...getRunStarter(ctx),
          ...{
            kind: 'run',
            status: 'queued',
            attempts: 0,
            startedAt: null,
            finishedAt: null,
            heldUntil: null,
          },
          ...{ queuedAt: sql<Date>`now()`, dueAt: sql<Date>`now()`, heartbeatAt: sql<Date>`now()` },
        })
        .where('id', '=', job.id)
        .where('kind', '=', 'dryRun')
        .where('status', '=', 'succeeded')
        .where('heldUntil', '>', sql<Date>`now()`)
        .executeTakeFirstOrThrow()
      if (!numUpdatedRows) return false
      await recordActivity(tx, ctx, { verb: 'updated', type: 'job', id: job.id, name, placeId })
      return true
    })
    .catch((error: unknown) => {
      // Another run began meanwhile: an importer has only one open run.
      throw (error as { code?: unknown }).code === '23505' ? refuse(alreadyRunningMessage) : error
    })
  if (!wasCommitted) throw refuse(isGone)
  ctx.wake('jobs')
  return findById(ctx, request)
}

/** The report of a dry run must still hold; checked again when it is committed. */
async function requireSame(
  ctx: Context,
  { id, sourceId, comparedWith }: { id: string; sourceId: string; comparedWith: number | null },
): Promise<void> {
  const source = await ctx.db
    .selectFrom('job')
    .innerJoin('source', 'source.id', 'job.sourceId')
    .select(['source.dataVersion'])
    .select(sql<number | null>`(job.cursor->>'typeVersion')::int`.as('typeVersion'))
    .select(sql<boolean>`coalesce(job.held_until > now(), false)`.as('isHeld'))
    .where('job.id', '=', id)
    .executeTakeFirst()
  const type = await findSourceDataType(ctx, sourceId)
  if (source?.dataVersion !== comparedWith) throw refuse(sourceChanged)
  if (type && source?.typeVersion !== null && type.typeVersion !== source?.typeVersion)
    throw refuse(typeChanged)
  if (!source?.isHeld) throw refuse(isGone)
}
