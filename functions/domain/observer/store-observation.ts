import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { Failure } from '#functions/errors.ts'
import { parseDuration } from '#functions/engine/query/library/duration.ts'
import { release, type ClaimedObserver } from './claim.ts'
import { dueAfter } from './due.ts'
import { evaluateObservation } from './evaluate.ts'
import type { ObservationResult } from './query-observed.ts'
import { notifyRecipients } from './notify-recipients.ts'

const longestWaitMs = 24 * 3600_000

/**
 * Stores the result of an observation in one transaction: the observer's new state, its alert or recovery,
 * and the emails and webhook of it. Requires the newest fence and an observer that was not changed meanwhile;
 * otherwise nothing is stored and the result is false. So concurrent or repeated observations notify only
 * once.
 */
export async function storeObservation(
  ctx: Context,
  observer: ClaimedObserver,
  { sight, seen: current }: ObservationResult,
): Promise<boolean> {
  const { condition, isCrossed, isTold, isLookedAt, at, lastAlertAt } = observer
  const before = { isCrossed, isTold, lastValue: isLookedAt ? observer.lastValue : undefined }
  const quietUntil = lastAlertAt && new Date(lastAlertAt.getTime() + cooldownMs(observer.cooldown))
  const isQuiet = quietUntil !== null && quietUntil > at
  const {
    standing: status,
    notice,
    isHeld,
  } = sight
    ? evaluateObservation(condition, before, sight, isQuiet)
    : { standing: before, notice: null, isHeld: false }
  // New records whose alert is held back stay new.
  const keptSeen = isHeld && condition.operator === 'each' ? (observer.seen ?? current) : current
  const dueAt = earliest(dueAfter(observer, at), isHeld ? quietUntil : null)
  const isEnded = await ctx.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('observer')
      .set({
        isCrossed: status.isCrossed,
        isTold: status.isTold,
        lastValue: JSON.stringify(status.lastValue ?? null),
        seen: JSON.stringify(keptSeen),
        evaluatedAt: at,
        leaseUntil: null,
        dueAt: sql<Date | null>`least(due_at, ${dueAt}::timestamptz)`,
        failures: 0,
        error: null,
        ...(notice?.kind === 'alert' && { lastAlertAt: at }),
      })
      .where('id', '=', observer.id)
      .where('fence', '=', observer.fence)
      .where('version', '=', observer.version)
      .where('deletedAt', 'is', null)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) return false
    if (notice) await notifyRecipients(tx, ctx, observer, notice)
    return true
  })
  if (!isEnded) await release(ctx, observer)
  return isEnded
}

/**
 * Stores the failure of an observation: the state does not change, the reason is stored for readers, and it
 * is tried again after 2, 4, 8 … minutes, at most a day, or when its data or the observer changes, or by its
 * schedule.
 */
export async function settleFailed(ctx: Context, observer: ClaimedObserver, error: unknown): Promise<void> {
  const failures = observer.failures + 1
  const wait = Math.min(60_000 * 2 ** Math.min(failures, 12), longestWaitMs)
  const dueAt = dueAfter(observer, observer.at) ?? new Date(observer.at.getTime() + wait)
  const { numUpdatedRows } = await ctx.db
    .updateTable('observer')
    .set({
      failures,
      error: describeError(error),
      leaseUntil: null,
      dueAt: sql<Date | null>`least(due_at, ${dueAt}::timestamptz)`,
    })
    .where('id', '=', observer.id)
    .where('fence', '=', observer.fence)
    .where('version', '=', observer.version)
    .executeTakeFirstOrThrow()
  if (!numUpdatedRows) await release(ctx, observer)
}

/** The reason shown to the people of the place; a general sentence for unexpected errors. */
function describeError(error: unknown): string {
  if (!(error instanceof Failure)) return 'Something went wrong. It is looked at again later.'
  const [issue] = error.issues
  return (issue ? `${issue.path.join('.')}: ${issue.message}` : error.message).slice(0, 500)
}

/** The cooldown between two alerts in milliseconds; a month is 30 days and a year 365. */
function cooldownMs(cooldown: string | null): number {
  const { days = 0, seconds = 0 } = (cooldown !== null && parseDuration(cooldown)) || {}
  return (days * 86_400 + seconds) * 1000
}

function earliest(...dates: (Date | null)[]): Date | null {
  const times = dates.flatMap((date) => (date ? [date.getTime()] : []))
  return times.length > 0 ? new Date(Math.min(...times)) : null
}
