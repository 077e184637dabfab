import { sql, type Selectable } from 'kysely'
import type { PublishFailureTable } from '#db/schema-hub.ts'
import { param, requirePlaceId, type NounRequest } from '#functions/domain/noun/requests.ts'
import { write } from '#functions/domain/outbox/outbox.ts'
import { retryNow } from './failures.ts'
import type { Context } from '#functions/context.ts'
import type { Page } from '#functions/shapes/options.ts'

type Row = Selectable<PublishFailureTable>

/**
 * The publishing status of a place's hub for its people: whether readers see what is saved, and if not, why.
 */
export async function find(ctx: Context, request: NounRequest) {
  const placeId = param(request, 'placeId')
  const place = await ctx.db
    .selectFrom('place')
    .leftJoin('hub', 'hub.placeId', 'place.id')
    .select(['place.isHub', 'place.timeZone', 'hub.publishedAt'])
    .where('place.id', '=', placeId)
    .where('place.deletedAt', 'is', null)
    .executeTakeFirst()
  if (!place) return undefined
  const rows = await ctx.db
    .selectFrom('publishFailure')
    .selectAll()
    .where('placeId', '=', placeId)
    // Pages first, then the rest.
    .orderBy(sql`target <> 'pages'`)
    .orderBy('target')
    .limit(20)
    .execute()
  return {
    isHub: place.isHub,
    publishedAt: place.publishedAt,
    isHealthy: rows.length === 0,
    problems: rows.map((row) => toProblem(row, place)),
  }
}

type AnyProblem = ReturnType<typeof toProblem> & { placeId: string; placeName: string }

/** The publishing failures of all places, longest failing first, at most 100. For the operator. */
export async function findAll(ctx: Context): Promise<Page<AnyProblem>> {
  const rows = await ctx.db
    .selectFrom('publishFailure')
    .innerJoin('place', 'place.id', 'publishFailure.placeId')
    .leftJoin('hub', 'hub.placeId', 'place.id')
    .selectAll('publishFailure')
    .select(['place.displayName', 'place.timeZone', 'hub.publishedAt'])
    .select(sql<number>`(count(*) over ())::int`.as('total'))
    .orderBy('failingSince')
    .orderBy('publishFailure.placeId')
    .orderBy('target')
    .limit(100)
    .execute()
  return {
    results: rows.map((row) => ({
      placeId: row.placeId,
      placeName: row.displayName,
      ...toProblem(row, row),
    })),
    meta: { results: rows.length, total: rows[0]?.total ?? 0 },
  }
}

/** Retries the failures of a place at once. Returns how many there were. */
export async function publishNow(ctx: Context, request: NounRequest): Promise<{ count: number }> {
  const count = await write(ctx, (tx) => retryNow({ db: tx }, requirePlaceId(request)))
  return { count }
}

function toProblem(row: Row, place: { timeZone: string; publishedAt: Date | null }) {
  const { target, kind, path, failures, failingSince, lastErrorAt, nextAttemptAt, probeAt } = row
  return {
    target,
    kind,
    message: describeProblem(row, place),
    path,
    attempts: failures,
    since: failingSince,
    lastErrorAt,
    nextAttemptAt: probeAt && probeAt < nextAttemptAt ? probeAt : nextAttemptAt,
  }
}

function describeProblem(
  { target, path, reason, failingSince }: Row,
  { timeZone, publishedAt }: { timeZone: string; publishedAt: Date | null },
): string {
  if (target === 'state')
    return `What is public may be out of date since ${momentIn(failingSince, timeZone)}, because ${reason}.`
  if (target !== 'pages')
    return `The address ${target} does not know what has changed since ${momentIn(failingSince, timeZone)}, because ${reason}.`
  if (publishedAt === null) return `The hub could not be made yet, because ${reason}.`
  if (path !== null)
    return `Part of the hub shows a version from before ${momentIn(failingSince, timeZone)}, because ${reason}.`
  return `The hub shows the version of ${momentIn(publishedAt, timeZone)}, because ${reason}.`
}

/** "Tuesday 17 November, 14:05" in a time zone. */
function momentIn(date: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' },
    hourCycle: 'h23',
    timeZone,
  }).formatToParts(date)
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  return `${part('weekday')} ${part('day')} ${part('month')}, ${part('hour')}:${part('minute')}`
}
