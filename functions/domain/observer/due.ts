import { sql } from 'kysely'
import type { Context } from '#functions/context.ts'
import { nextRun } from '#functions/engine/import/schedule.ts'
import type { Claimed, SeenVersions } from './claim.ts'
import { seenNow } from './look.ts'

type Scheduled = Pick<Claimed, 'schedule' | 'timeZone'>

/** When a schedule comes true next, by clocks in the place; null: when the data changes, or never again. */
export function dueAfter({ schedule, timeZone }: Scheduled, at: Date): Date | null {
  return schedule === 'onData' ? null : nextRun(schedule, timeZone, at)
}

/**
 * What makes an observer that was changed be looked at: at once, or when its schedule comes true. Whoever looks at it now
 * can change nothing any more.
 */
export async function dueAnew(ctx: Context, { schedule, placeId }: { schedule: string; placeId: string }) {
  const taken = { leaseUntil: null, fence: sql<number>`fence + 1` }
  if (schedule === 'onData') return { ...taken, dueAt: sql<Date>`now()` }
  const place = await ctx.db
    .selectFrom('place')
    .select(['timeZone', sql<Date>`now()`.as('at')])
    .where('id', '=', placeId)
    .executeTakeFirstOrThrow()
  return { ...taken, dueAt: dueAfter({ schedule, timeZone: place.timeZone }, place.at) }
}

/** Where an observer stands that begins, or begins anew: what there is now is known to it, and nothing was told. */
export async function beginning(ctx: Context, watched: Pick<Claimed, 'placeId' | 'dataTypeId' | 'sourceId'>) {
  const seen: SeenVersions = await seenNow(ctx, watched)
  return {
    seen: JSON.stringify(seen),
    lastValue: null,
    isCrossed: false,
    isTold: false,
    evaluatedAt: null,
    lastAlertAt: null,
    failures: 0,
    error: null,
  }
}
