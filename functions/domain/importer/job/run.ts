import type { Claimed, Lease } from './claim.ts'
import type { JobCounts } from '#functions/shapes/jobStatus.ts'
import type { JobCursor, Plan } from './cursor.ts'
import { Stopped } from './errors.ts'
import type { Tx } from '#db/schema.ts'
import type { Context } from '#functions/context.ts'
import type { Ports } from '#functions/engine/import/fetch/index.ts'

/** How work on runs is cut into steps. */
export interface Work {
  ports: Ports
  /** Milliseconds after which a step lets go of its run at the next boundary. */
  budgetMs: number
  /** Rows of a batch: read, checked and kept in one transaction. */
  batchRows: number
}

/** A line of the log of a run. */
export interface LogLine {
  level: 'info' | 'warn' | 'error'
  message: string
  row?: number
  url?: string
}

const mostLines = 10_000

/** A run within a step. */
export interface Run {
  ctx: Context
  job: Claimed
  plan: Plan
  work: Work
  lease: Lease
  /** Aborted when the run has had its time, or is to stop. */
  signal: AbortSignal
  cursor: JobCursor
  counts: JobCounts
  /** When the step has to let go, in milliseconds since 1970. */
  until: number
}

/** Where in the bucket a run's pages are, its refused rows, and what is known of its columns. */
export const pagesPrefix = (jobId: string) => `imports/${jobId}/pages/`
export const rejectsPrefix = (jobId: string) => `imports/${jobId}/rejects/`
export const profilePrefix = (jobId: string) => `imports/${jobId}/profile/`

/** Whether the step has used up its time. */
export const isOver = ({ ctx, until }: Run) => ctx.now().getTime() >= until

/**
 * Keeps what was done with where the run then stands, in one transaction: all of it or nothing. Only when it is committed
 * does the run in memory stand there too. Throws Stale, or Stopped after it was kept.
 */
export async function advance(
  run: Run,
  to: { cursor?: Partial<JobCursor>; counts?: JobCounts; lines?: LogLine[] },
  work?: (tx: Tx) => Promise<void>,
): Promise<void> {
  const lines = (to.lines ?? []).slice(0, Math.max(0, mostLines - run.cursor.lines))
  const cursor = { ...run.cursor, ...to.cursor, lines: run.cursor.lines + lines.length }
  const counts = to.counts ?? run.counts
  await run.lease.settle()
  const isStopping = await run.ctx.transaction(async (tx) => {
    const isDone = await run.lease.keep(tx, cursor, counts)
    await work?.(tx)
    await log(tx, run.job, lines)
    return isDone
  })
  run.cursor = cursor
  run.counts = counts
  if (isStopping) throw new Stopped()
}

/** Adds lines to the log of a run. */
export async function log(tx: Tx, { id, placeId }: Pick<Claimed, 'id' | 'placeId'>, lines: LogLine[]) {
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

/** A text as the database takes it: without U+0000 and halves of characters. */
export const storable = (text: string) =>
  text
    .replaceAll('\0', '\ufffd')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
