import { claim, Lease, type ClaimedRun } from './claim.ts'
import { commitRows } from './commit-rows.ts'
import { compareRun } from './compare-rows.ts'
import { endRun, type RunResult } from './end-run.ts'
import {
  isPassing,
  RunRefusal,
  describeError,
  StaleRunError,
  RunStoppedError,
  RunTimeoutError,
} from './errors.ts'
import { fetchPages } from './fetch-pages.ts'
import { removeUnder } from './objects.ts'
import { profilePages } from './profile-pages.ts'
import { readRows } from './read-rows.ts'
import { rollBackRun } from './roll-back.ts'
import { pagesPrefix, profilePrefix, type Run, type Work } from './run.ts'
import { FetchError } from '#functions/engine/import/fetch/index.ts'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'

/** The most interruptions without progress: a run that kills its worker must not do so forever. */
const maxCuts = 10
const [firstWaitSeconds, longestWaitSeconds] = [15, 600]

/** Claims one run and works on it until the time limit, its end or a delay. False: none was due. */
export async function step(ctx: Context, work: Work): Promise<boolean> {
  const job = await claim(ctx)
  if (!job) return false
  const lease = new Lease(ctx, job)
  try {
    await continueRun(ctx, job, lease, work)
  } catch (error) {
    await lease.settle()
    await settle(ctx, job, lease, error).catch((fault: unknown) => {
      // Nothing is lost: the lease expires, and the next worker continues from the stored cursor.
      if (!(fault instanceof StaleRunError)) ctx.report(fault, { during: 'job', job: job.id })
    })
  }
  return true
}

async function continueRun(ctx: Context, job: ClaimedRun, lease: Lease, work: Work): Promise<void> {
  if (job.status === 'stopping') throw new RunStoppedError()
  if (!job.plan) throw new RunRefusal('The importer of this run has been deleted.')
  if (job.attempts > maxCuts + job.plan.retries)
    throw new RunRefusal('This run was cut short too often without getting on.')
  const leftMs = job.plan.timeoutSeconds * 1000 - job.age * 1000
  if (leftMs <= 0) throw new RunTimeoutError()
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(new RunTimeoutError()), leftMs)
  try {
    const { plan, cursor, counts } = job
    const until = ctx.now().getTime() + work.budgetMs
    const run: Run = { ctx, job, plan, work, lease, signal: end.signal, cursor, counts, until }
    if (await stages(run)) await clean(ctx, job)
    else await lease.free()
  } finally {
    clearTimeout(timer)
  }
}

/** True when the run is done. */
async function stages(run: Run): Promise<boolean> {
  if (run.job.kind === 'rollback') return rollBackRun(run)
  const isDry = run.job.kind === 'dryRun'
  const isFirst = run.cursor.stage
  if (run.cursor.stage === 'fetch' && !(await fetchPages(run))) return false
  if (isFirst !== run.cursor.stage && run.ctx.now().getTime() >= run.until) return false
  if (run.cursor.stage === 'read' && !(await readRows(run))) return false
  if (isDry && !(await profilePages(run))) return false
  if (run.ctx.now().getTime() >= run.until && isFirst !== 'commit') return false
  return isDry ? compareRun(run) : commitRows(run)
}

/** Handles the error of a run. */
async function settle(ctx: Context, job: ClaimedRun, lease: Lease, error: unknown): Promise<void> {
  // Taken over, or told to stop when it was about to succeed: its row says which.
  if (error instanceof StaleRunError) return settleStale(ctx, job)
  if (error instanceof RunStoppedError) return end(ctx, job, { status: 'stopped', counts: null, error: null })
  if (error instanceof RunTimeoutError || (error instanceof Error && error.name === 'TimedOut')) {
    const text = `The run took longer than the ${job.plan?.timeoutSeconds ?? 0} seconds it may take.`
    return end(ctx, job, { status: 'timedOut', counts: null, error: text })
  }
  const { sentence, isInternal } = describeError(error)
  // A source that is locked, or whose data type has changed, is no failed attempt: the run only waits.
  const isTurn = error instanceof Failure
  if (isPassing(error) && (isTurn || job.attempts <= (job.plan?.retries ?? 0)))
    return lease.wait(computeWaitSeconds(job, error), sentence)
  if (isInternal) ctx.report(error, { during: 'job', job: job.id })
  await end(ctx, job, { status: 'failed', counts: null, error: sentence })
}

/** A run that was told to stop during its commit is still ours to stop. */
async function settleStale(ctx: Context, job: ClaimedRun): Promise<void> {
  const ownJob = await ctx.db
    .selectFrom('job')
    .select('id')
    .where('id', '=', job.id)
    .where('fence', '=', job.fence)
    .where('status', '=', 'stopping')
    .executeTakeFirst()
  if (ownJob) await end(ctx, job, { status: 'stopped', counts: null, error: null })
}

async function end(ctx: Context, job: ClaimedRun, ending: RunResult): Promise<void> {
  await ctx.transaction((tx) => endRun(tx, ctx, job, ending))
  await clean(ctx, job)
  ctx.wake()
}

/** Deletes the temporary objects of an ended run; the daily sweep deletes what is left. */
async function clean(ctx: Context, { id }: ClaimedRun): Promise<void> {
  for (const prefix of [pagesPrefix(id), profilePrefix(id)])
    await removeUnder(ctx.files, prefix).catch((error: unknown) =>
      ctx.report(error, { during: 'job', job: id }),
    )
}

/** Seconds until the next attempt: doubled each time, half of it random; not before the server's Retry-After. */
function computeWaitSeconds({ attempts }: ClaimedRun, error: unknown): number {
  const most = Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** (attempts - 1))
  const requestedSeconds = error instanceof FetchError ? (error.retryAfterMs ?? 0) / 1000 : 0
  return Math.max(requestedSeconds, most / 2 + (Math.random() * most) / 2)
}
