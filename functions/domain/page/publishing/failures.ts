import { sql } from 'kysely'
import { backoffSeconds, probeWaitSeconds } from './backoff.ts'
import type { PublishFailureTable } from '#db/schemaHub.ts'
import type { Context } from '#functions/context.ts'

/** Why something could not be published, in words for the people of the place. */
export interface Reason {
  kind: PublishFailureTable['kind']
  /** The end of "… because". Never a statement, a stack or an address of ours. */
  reason: string
  /** The page that could not be made. */
  path: string | null
}

/** What of a place can fail by itself: its pages, what is public of it, and (by host) what the edge knows of a host. */
type FailureTarget = 'pages' | 'state' | (string & {})

const inSeconds = (seconds: number) =>
  sql<Date>`clock_timestamp() + make_interval(secs => ${seconds}::float8)`

/**
 * Counts a failed attempt and says when the next one is due, by the clock of the database: later each time, without end.
 * `isProbed`: the storage did not answer, so it is asked every few seconds and the next attempt is as soon as it does.
 * `events`: what was to be told, which keeps the reason. Wakes the queue for then; gives the seconds until then. Needs the
 * product's own identity.
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
    .set({ nextAttemptAt: inSeconds(wait), probeAt: probe === null ? null : inSeconds(probe) })
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

/** The storage still does not answer: it is asked again in a few seconds, which is no attempt. */
export async function delayProbe(ctx: Context, placeId: string, target: FailureTarget): Promise<void> {
  const seconds = probeWaitSeconds()
  await ctx.db
    .updateTable('publishFailure')
    .set({
      probeAt: inSeconds(seconds),
      lastErrorAt: sql<Date>`now()`,
    })
    .where('placeId', '=', placeId)
    .where('target', '=', target)
    .execute()
  ctx.wake('outbox', seconds)
}

/** It is right again. */
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
 * Has a place tried again at once, however long it would wait. Only who asks for it, and what must go from the hub, does this:
 * what else happens there waits until the place is due.
 */
export async function retryNow(ctx: Pick<Context, 'db'>, placeId: string): Promise<number> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('publishFailure')
    .set({ nextAttemptAt: sql<Date>`least(next_attempt_at, clock_timestamp())`, probeAt: null })
    .where('placeId', '=', placeId)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** What of a place fails now, by target. */
export async function failuresOf(ctx: Context, placeId: string) {
  return ctx.db
    .selectFrom('publishFailure')
    .selectAll()
    .where('placeId', '=', placeId)
    .orderBy('target')
    .execute()
}

/** The places of which something else than pages is due to be written again, at most 100, the longest due first. */
export async function dueEdges(ctx: Context): Promise<string[]> {
  const { rows } = await sql<{ placeId: string }>`
    select place_id from publish_failure
    where target <> 'pages' and least(next_attempt_at, probe_at) <= clock_timestamp()
    group by place_id order by min(least(next_attempt_at, probe_at)) limit 100`.execute(ctx.db)
  return rows.map(({ placeId }) => placeId)
}
