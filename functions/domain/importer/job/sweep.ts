import { sql } from 'kysely'
import { isAnyDue, type JobTrigger } from './claim.ts'
import type { JobKind } from './cursor.ts'
import { endRun } from './end-run.ts'
import { StaleRunError } from './errors.ts'
import { removeUnder } from './objects.ts'
import { startDue } from './queue.ts'
import { clearStaged } from './staging.ts'
import { recordMinutelyJob } from '#functions/domain/internals/daily-work.ts'
import type { Context } from '#functions/context.ts'

const silentFor = '5 minutes'
/** If the sweep itself has not run for this long, workers may not have been able to renew their leases either. */
const pauseSeconds = 120
const keptFor = '30 days'
const atOnce = 100
/** Staged rows of a dry run are kept a little longer than they can be committed, for a commit at the last moment. */
const heldBeyond = '1 hour'

/**
 * Called every minute: starts due importers and fails runs whose lease was not renewed for five minutes. True where runs
 * wait for a worker, including those whose queue message was lost.
 */
export async function maintainJobs(ctx: Context): Promise<boolean> {
  await startDue(ctx)
  await forgivePause(ctx)
  await failSilentRuns(ctx)
  return isAnyDue(ctx)
}

/**
 * After a time in which the database was read-only, or a restore, no run has heartbeats of that time: their five minutes
 * start again, and the next worker continues them.
 */
async function forgivePause(ctx: Context): Promise<void> {
  await ctx.transaction(async (tx) => {
    const seconds = await recordMinutelyJob(tx, 'runs')
    if (seconds === null || seconds < pauseSeconds) return
    await sql`update job set heartbeat_at = now()
      where status in ('running', 'stopping') and lease_until < now()`.execute(tx)
  })
}

/**
 * Fails claimed runs without heartbeats; a worker that is still alive loses its fence. Released runs may wait for long
 * behind others and are not affected.
 */
async function failSilentRuns(ctx: Context): Promise<void> {
  const error = 'There was no sign of life of this run for five minutes.'
  const { rows } = await sql<{
    id: string
    importerId: string
    placeId: string
    trigger: JobTrigger
    kind: JobKind
    fence: number
  }>`
    update job set fence = fence + 1 where id in (
      select id from job where status in ('running', 'stopping')
        and coalesce(heartbeat_at, started_at, queued_at) < now() - ${silentFor}::interval
        and lease_until < now()
      order by queued_at limit ${atOnce}::int for update skip locked)
    returning id, importer_id, place_id, trigger, kind, fence`.execute(ctx.db)
  for (const job of rows)
    await ctx
      .transaction((tx) => endRun(tx, ctx, job, { status: 'failed', counts: null, error }))
      .catch((error: unknown) => {
        // Another worker has claimed it meanwhile.
        if (!(error instanceof StaleRunError)) throw error
      })
}

/**
 * Once a day: deletes what ended runs left behind (expired staged rows, pages), and after 30 days their logs, issues and
 * reports. `isOnly`: whether there is no other database, whose runs are unknown here (`checkImports`). Returns the
 * number of deleted objects.
 */
export async function sweepJobs(ctx: Context, isOnly = true): Promise<{ objects: number }> {
  const { rows: rest } = await sql<{ id: string }>`
    with recursive staged as (
      (select job_id from import_batch order by job_id limit 1)
      union all
      select (select r.job_id from import_batch r where r.job_id > s.job_id order by r.job_id limit 1)
      from staged s where s.job_id is not null)
    select s.job_id as id from staged s where s.job_id is not null and not exists (
      select from job where id = s.job_id and (status in ('queued', 'running', 'stopping', 'waiting')
        or held_until > now() - ${heldBeyond}::interval))`.execute(ctx.db)
  for (const job of rest) await clearStaged(ctx.db, job)
  await sql`delete from import_object o using job j
    where j.id = o.job_id and j.status not in ('queued', 'running', 'stopping', 'waiting')`.execute(ctx.db)
  for (const table of ['job_log', 'import_reject'])
    await sql`delete from ${sql.table(table)} l using job j
      where j.id = l.job_id and j.finished_at < now() - ${keptFor}::interval`.execute(ctx.db)
  await sql`update job set preview = null
    where preview is not null and finished_at < now() - ${keptFor}::interval`.execute(ctx.db)
  return { objects: await sweepObjects(ctx, isOnly) }
}

async function sweepObjects(ctx: Context, isOnly: boolean): Promise<number> {
  const folders = new Set<string>()
  let cursor: string | undefined
  do {
    const listing = await ctx.files.list({ prefix: 'imports/', ...(cursor && { cursor }) })
    for (const { key } of listing.objects) folders.add(key.split('/').slice(0, 3).join('/'))
    cursor = listing.truncated ? listing.cursor : undefined
  } while (cursor)
  let count = 0
  for (const folder of folders) {
    const [, jobId = '', kind] = folder.split('/')
    const { rows } = await sql<{ isOpen: boolean; isOld: boolean }>`
      select status in ('queued', 'running', 'stopping', 'waiting') as is_open,
        coalesce(finished_at < now() - ${keptFor}::interval, false) as is_old
      from job where id = ${jobId}`.execute(ctx.db)
    const [job] = rows
    if (!job && !isOnly) continue
    if (!job || (!job.isOpen && (kind !== 'rejects' || job.isOld)))
      count += await removeUnder(ctx.files, `${folder}/`)
  }
  return count
}
