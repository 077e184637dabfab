import { sql } from 'kysely'
import { backoffSeconds, probeWaitSeconds } from './backoff.ts'
import type { PublishFailureTable } from '#db/schema-hub.ts'
import type { Context } from '#functions/context.ts'

/** Why something could not be published, worded for the people of the place. */
export interface Reason {
  kind: PublishFailureTable['kind']
  /** Continues "… because". Never contains a statement, a stack or an internal address. */
  reason: string
  /** The page that could not be made; null where it was not about one page. */
  path: string | null
}

/**
 * The parts of a place that are published independently: its pages, its public state, and (by host) the
 * snapshot of a host at the edge.
 */
type FailureTarget = 'pages' | 'state' | (string & {})

const addSecondsToNow = (seconds: number) =>
  sql<Date>`clock_timestamp() + make_interval(secs => ${seconds}::float8)`

/**
 * Counts a failed attempt and schedules the next one by the database's clock, with growing delays and without
 * end. `isProbed`: the storage was unavailable, so it is probed every few seconds and the next attempt
 * follows as soon as it answers. `events`: ids of the outbox events, which get the reason. Wakes the queue
 * for then. Returns the seconds until then. Must run as the system actor.
 */
export async function countFailure(
  ctx: Context,
  { placeId, target, events = [] }: { placeId: string; target: FailureTarget; events?: readonly string[] },
  why: Reason,
  isProbed = false,
): Promise<number> {
  const { failures } = await ctx.db
    .insertInto('publishFailure')
    .values({
      placeId,
      target,
      failures: 1,
      ...why,
      failingSince: sql<Date>`now()`,
      lastErrorAt: sql<Date>`now()`,
    })
    .onConflict((conflict) =>
      conflict.columns(['placeId', 'target']).doUpdateSet((eb) => ({
        failures: eb('publishFailure.failures', '+', 1),
        lastErrorAt: sql<Date>`now()`,
        ...why,
      })),
    )
    .returning('failures')
    .executeTakeFirstOrThrow()
  const wait = backoffSeconds(failures)
  const probe = isProbed ? probeWaitSeconds() : null
  await ctx.db
    .updateTable('publishFailure')
    .set({ nextAttemptAt: addSecondsToNow(wait), probeAt: probe === null ? null : addSecondsToNow(probe) })
    .where('placeId', '=', placeId)
    .where('target', '=', target)
    .execute()
  if (events.length > 0)
    await ctx.db
      .updateTable('outbox')
      .set((eb) => ({ attempts: eb('attempts', '+', 1), lastError: why.reason }))
      .where('id', 'in', [...events])
      .execute()
  const seconds = Math.min(wait, probe ?? wait)
  ctx.wake('outbox', seconds)
  return seconds
}

/** The storage is still unavailable: schedules the next probe, which does not count as an attempt. */
export async function delayProbe(ctx: Context, placeId: string, target: FailureTarget): Promise<void> {
  const seconds = probeWaitSeconds()
  await ctx.db
    .updateTable('publishFailure')
    .set({
      probeAt: addSecondsToNow(seconds),
      lastErrorAt: sql<Date>`now()`,
    })
    .where('placeId', '=', placeId)
    .where('target', '=', target)
    .execute()
  ctx.wake('outbox', seconds)
}

/** Deletes the failures of these targets after a success. */
export async function clearFailures(
  ctx: Context,
  placeId: string,
  targets: readonly FailureTarget[],
): Promise<void> {
  if (targets.length === 0) return
  await ctx.db
    .deleteFrom('publishFailure')
    .where('placeId', '=', placeId)
    .where('target', 'in', [...targets])
    .execute()
}

/**
 * Makes a place due at once. Only for a person's request and for what must be removed from the hub; other
 * events wait until the place is due. Returns how many failures there were.
 */
export async function retryNow(ctx: Pick<Context, 'db'>, placeId: string): Promise<number> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('publishFailure')
    .set({ nextAttemptAt: sql<Date>`least(next_attempt_at, clock_timestamp())`, probeAt: null })
    .where('placeId', '=', placeId)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** The current failures of a place, by target. */
export async function listFailures(ctx: Context, placeId: string) {
  return ctx.db
    .selectFrom('publishFailure')
    .selectAll()
    .where('placeId', '=', placeId)
    .orderBy('target')
    .execute()
}

/** Places with a due failure other than of pages, at most 100, longest due first. */
export async function dueEdges(ctx: Context): Promise<string[]> {
  const { rows } = await sql<{ placeId: string }>`
    select place_id from publish_failure
    where target <> 'pages' and least(next_attempt_at, probe_at) <= clock_timestamp()
    group by place_id order by min(least(next_attempt_at, probe_at)) limit 100`.execute(ctx.db)
  return rows.map(({ placeId }) => placeId)
}
