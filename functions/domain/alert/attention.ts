import { sql } from 'kysely'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { waitingReview } from '#functions/domain/archive/review.ts'
import * as hub from '#functions/domain/page/publishing/status.ts'
import { whereSeen } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import { isAllowed, noSubject } from '#functions/domain/access/allowed.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import { grantsOf } from '#functions/domain/access/grants.ts'
import { dayInPlace, dueDay, lastDay } from '#functions/domain/source/late.ts'
import { openStatuses } from '#functions/shapes/job.ts'

/** Data of which nobody said how often they come are old when they did not change for so many days: a quarter of a year. */
const staleDays = 90

/** Most rows of each kind; the totals count the others. */
const most = 10

/**
 * What in a place needs someone, of what the actor may see: the importers whose last run failed or refused rows (that they run by hand or
 * by a schedule is all the same; those that are switched off wait for no one), the sources whose data are late, webhooks that were given
 * up, sets of boundaries without tiles, an archive that nobody has looked through, why readers of the hub do not see what is saved, and how many reports of readers nobody has
 * looked into yet, for those who may read them.
 */
export async function attentionOf(ctx: Context, request: NounRequest) {
  const placeId = param(request, 'placeId')
  const grants = await grantsOf(ctx)
  const may = (operation: OperationName) => isAllowed(ctx.actor, operation, { ...noSubject, placeId }, grants)
  const [importers, refusing, sources, calls, boundarySets, errorReports, imported, status] =
    await Promise.all([
      lastRuns(ctx, placeId, 'failed'),
      lastRuns(ctx, placeId, 'refused'),
      lateSources(ctx, placeId),
      may('observer.read') ? deadCalls(ctx, placeId) : [],
      setsWithoutTiles(ctx, placeId),
      may('errorReport.read') ? openErrorReports(ctx, placeId) : 0,
      may('place.archive') ? waitingReview(ctx, placeId) : null,
      hub.find(ctx, request),
    ])
  return {
    hub: status?.problems ?? [],
    importers: importers.map(({ total: _total, counts: _counts, ...row }) => row),
    importersTotal: importers[0]?.total ?? 0,
    refusing: refusing.map(({ total: _total, failures: _failures, error: _error, counts, ...row }) => ({
      ...row,
      ...{ rejected: counts.rejected, read: counts.read },
    })),
    refusingTotal: refusing[0]?.total ?? 0,
    staleSources: sources.map(({ total: _total, ...row }) => row),
    staleSourcesTotal: sources[0]?.total ?? 0,
    webhooks: calls,
    boundarySets,
    imported,
    openErrorReports: errorReports,
  }
}

/** The last first. A run that is under way counts for nothing yet: the one before it says how things are. */
function lastRuns(ctx: Context, placeId: string, outcome: 'failed' | 'refused') {
  const isEnd =
    outcome === 'failed'
      ? sql<boolean>`${sql.ref('last.status')} = 'failed'`
      : sql<boolean>`${sql.ref('last.status')} = 'succeeded' and (${sql.ref('last.counts')} ->> 'rejected')::int > 0`
  return ctx.db
    .selectFrom('importer')
    .innerJoin('source', 'source.id', 'importer.sourceId')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('job')
          .select(['job.id', 'job.status', 'job.error', 'job.finishedAt', 'job.counts'])
          .whereRef('job.importerId', '=', 'importer.id')
          .where('job.kind', '=', 'run')
          .where('job.status', 'not in', [...openStatuses])
          .orderBy('job.queuedAt', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select([
      'importer.id',
      'importer.name',
      'importer.sourceId',
      'source.name as sourceName',
      'last.id as jobId',
      'importer.failures',
      'last.error',
      'last.finishedAt',
      'last.counts',
      sql<number>`(count(*) over ())::int`.as('total'),
    ])
    .where('source.placeId', '=', placeId)
    .where(whereSeen(ctx, 'source'))
    .where('importer.deletedAt', 'is', null)
    .where('importer.enabled', '=', true)
    .where(isEnd)
    .orderBy('last.finishedAt', (order) => order.desc().nullsLast())
    .orderBy('importer.id')
    .limit(most)
    .execute()
}

/**
 * The oldest first. A source that never had data is not old, it is new; one that is not meant to change any more, or at no fixed time,
 * is never late. Days are those of the place, as on its hub.
 */
function lateSources(ctx: Context, placeId: string) {
  const today = dayInPlace(sql`${ctx.now()}::timestamptz`)
  return ctx.db
    .selectFrom('source')
    .innerJoin('place', 'place.id', 'source.placeId')
    .select([
      'source.id',
      'source.name',
      'source.dataUpdatedAt',
      sql<string | null>`to_char(${dueDay}, 'YYYY-MM-DD')`.as('expected'),
      sql<number>`(count(*) over ())::int`.as('total'),
    ])
    .where('source.placeId', '=', placeId)
    .where(whereSeen(ctx, 'source'))
    .where('source.dataUpdatedAt', 'is not', null)
    .where(
      sql<boolean>`case when ${sql.ref('source.cadence')} is null then ${lastDay} + ${staleDays}::int < ${today}
        else coalesce(${dueDay} < ${today}, false) end`,
    )
    .orderBy('source.dataUpdatedAt')
    .orderBy('source.id')
    .limit(most)
    .$narrowType<{ dataUpdatedAt: Date }>()
    .execute()
}

/** The observers whose calls were given up in the last week, those with most first. One that is switched off calls nobody. */
async function deadCalls(ctx: Context, placeId: string) {
  return ctx.db
    .selectFrom('delivery')
    .innerJoin('observer', 'observer.id', 'delivery.observerId')
    .select([
      'observer.id as observerId',
      'observer.dataTypeId',
      'observer.name',
      sql<number>`count(*)::int`.as('calls'),
      sql<
        string | null
      >`(array_agg(${sql.ref('delivery.error')} order by ${sql.ref('delivery.endedAt')} desc))[1]`.as(
        'error',
      ),
    ])
    .where('observer.placeId', '=', placeId)
    .where('observer.deletedAt', 'is', null)
    .where('observer.enabled', '=', true)
    .where('observer.webhookUrl', 'is not', null)
    .where('delivery.status', '=', 'dead')
    .where('delivery.endedAt', '>', new Date(ctx.now().getTime() - 7 * 86_400_000))
    .groupBy(['observer.id', 'observer.dataTypeId', 'observer.name'])
    .orderBy('calls', 'desc')
    .orderBy('observer.id')
    .limit(most)
    .execute()
}

/** Public sets that wait for their tiles though nobody changed them for an hour: making them fails, and is tried again and again. */
function setsWithoutTiles(ctx: Context, placeId: string) {
  return ctx.db
    .selectFrom('boundarySet')
    .select(['boundarySet.id', 'boundarySet.name'])
    .where('boundarySet.placeId', '=', placeId)
    .where(whereSeen(ctx, 'boundarySet'))
    .where('boundarySet.tilesDueAt', 'is not', null)
    .where('boundarySet.updatedAt', '<', new Date(ctx.now().getTime() - 3_600_000))
    .orderBy('boundarySet.id')
    .limit(most)
    .execute()
}

/** How many reports of readers are open. */
async function openErrorReports(ctx: Context, placeId: string): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('errorReport')
    .innerJoin('source', 'source.id', 'errorReport.sourceId')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('errorReport.placeId', '=', placeId)
    .where('errorReport.status', '=', 'open')
    .where('source.deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
