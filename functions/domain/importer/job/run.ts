import type { ClaimedRun, Lease } from './claim.ts'
import type { JobCounts } from '#functions/shapes/job-status.ts'
import type { JobCursor, Plan } from './cursor.ts'
import { RunStoppedError } from './errors.ts'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import type { Ports } from '#functions/engine/import/fetch/index.ts'

/** How the work on a run is divided into steps. */
export interface Work {
  ports: Ports
  /** Milliseconds after which a step releases its run at the next point where that is possible. */
  budgetMs: number
  /** Rows of a batch, which is read, checked and stored in one transaction. */
  batchRows: number
}

/** A line of the log of a run. */
export interface LogLine {
  level: 'info' | 'warn' | 'error'
  message: string
  row?: number
  url?: string
}

const maxLines = 10_000

/** A run within a step. */
export interface Run {
  ctx: Context
  job: ClaimedRun
  plan: Plan
  work: Work
  lease: Lease
  /** Aborted when the run exceeds its time limit or is told to stop. */
  signal: AbortSignal
  cursor: JobCursor
  counts: JobCounts
  /** When the step has to release the run, in milliseconds since 1970. */
  until: number
}

/** Key prefixes in the bucket for a run's pages, issues, and column profiles. */
export const pagesPrefix = (jobId: string) => `imports/${jobId}/pages/`
export const rejectsPrefix = (jobId: string) => `imports/${jobId}/rejects/`
export const profilePrefix = (jobId: string) => `imports/${jobId}/profile/`

/** Whether the step has used up its time. */
export const isOver = ({ ctx, until }: Run) => ctx.now().getTime() >= until

/**
 * Stores some work and the run's new cursor in one transaction. The cursor in memory advances only after the commit. Throws Stale
 * where another worker has taken the run over, or Stopped, after the commit, where the run was told to stop.
 */
export async function advance(
  run: Run,
  to: { cursor?: Partial<JobCursor>; counts?: JobCounts; lines?: LogLine[] },
  work?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const lines = (to.lines ?? []).slice(0, Math.max(0, maxLines - run.cursor.lines))
  const cursor = { ...run.cursor, ...to.cursor, lines: run.cursor.lines + lines.length }
  const counts = to.counts ?? run.counts
  await run.lease.settle()
  const isStopping = await run.ctx.transaction(async (tx) => {
    const isDone = await run.lease.storeCursor(tx, cursor, counts)
    await work?.(tx)
    await log(tx, run.job, lines)
    return isDone
  })
  run.cursor = cursor
  run.counts = counts
  if (isStopping) throw new RunStoppedError()
}

/** Adds lines to the log of a run. */
export async function log(tx: Tx, { id, placeId }: Pick<ClaimedRun, 'id' | 'placeId'>, lines: LogLine[]) {
  if (!lines.length) return
  await tx
    .insertInto('jobLog')
    .values(
      lines.map(({ level, message, row, url }) => ({
        jobId: id,
        placeId,
        level,
        message: storable(message),
        row: row === undefined ? null : String(row),
        url: url === undefined ? null : storable(url),
      })),
    )
    .execute()
}

/** Removes what Postgres rejects in text: U+0000 and lone surrogates. */
export const storable = (text: string) =>
  text
    .replaceAll('\0', '\ufffd')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
