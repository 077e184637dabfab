import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { findNextRun } from '#functions/engine/import/schedule.ts'
import type { ClaimedObserver, SeenVersions } from './claim.ts'
import { readCurrentVersions } from './query-observed.ts'

type ScheduleRow = Pick<ClaimedObserver, 'schedule' | 'timeZone'>

/**
 * The next time of a schedule after `at`, in the place's time zone; null: when the data changes, or never
 * again.
 */
export function dueAfter({ schedule, timeZone }: ScheduleRow, at: Date): Date | null {
  return schedule === 'onData' ? null : findNextRun(schedule, timeZone, at)
}

/**
 * The columns that make a changed observer due: at once, or at the next time of its schedule. The new fence
 * invalidates an observation in progress.
 */
export async function dueAnew(ctx: Context, { schedule, placeId }: { schedule: string; placeId: string }) {
  const noLease = { leaseUntil: null, fence: sql<number>`fence + 1` }
  if (schedule === 'onData') return { ...noLease, dueAt: sql<Date>`now()` }
  const place = await ctx.db
    .selectFrom('place')
    .select(['timeZone', sql<Date>`now()`.as('at')])
    .where('id', '=', placeId)
    .executeTakeFirstOrThrow()
  return { ...noLease, dueAt: dueAfter({ schedule, timeZone: place.timeZone }, place.at) }
}

/** The initial state of an observer: the current data count as seen, and nothing was notified. */
export async function beginning(
  ctx: Context,
  subject: Pick<ClaimedObserver, 'placeId' | 'dataTypeId' | 'sourceId'>,
) {
  const current: SeenVersions = await readCurrentVersions(ctx, subject)
  return {
    seen: JSON.stringify(current),
    lastValue: null,
    isCrossed: false,
    isTold: false,
    evaluatedAt: null,
    lastAlertAt: null,
    failures: 0,
    error: null,
  }
}
