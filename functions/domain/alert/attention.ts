import { sql } from 'kysely'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import { findPendingReview } from '#functions/domain/archive/review.ts'
import * as hub from '#functions/domain/page/publishing/status.ts'
import { whereRowsVisible } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import { isAllowed, noSubject } from '#functions/domain/access/allowed.ts'
import type { OperationName } from '#functions/domain/access/operations.ts'
import { loadGrants } from '#functions/domain/access/grants.ts'
import { dayInPlace, dueDay, lastDay } from '#functions/domain/source/late.ts'
import { openStatuses } from '#functions/shapes/job.ts'

/** Data without a stated update frequency are stale after this many days without a change: a quarter of a year. */
const staleDays = 90

/** Most rows of each kind; the totals count the others. */
const most = 10

/**
 * Everything in a place that needs attention and that the actor may see: importers whose last run failed or rejected
 * rows (enabled ones only, manual or scheduled), sources with overdue data, webhooks that were given up, boundary sets
 * without tiles, an imported archive that awaits review, why the hub does not show the latest state, and the number of
 * open error reports of readers, for those who may read them.
 */
export async function readAttention(ctx: Context, request: NounRequest) {
  const placeId = param(request, 'placeId')
  const grants = await loadGrants(ctx)
  const may = (operation: OperationName) => isAllowed(ctx.actor, operation, { ...noSubject, placeId }, grants)
  const [importers, refusing, sources, calls, boundarySets, errorReports, imported, status] =
    await Promise.all([
      listLastRuns(ctx, placeId, 'failed'),
      listLastRuns(ctx, placeId, 'refused'),
      lateSources(ctx, placeId),
      may('observer.read') ? deadCalls(ctx, placeId) : [],
      setsWithoutTiles(ctx, placeId),
      may('errorReport.read') ? openErrorReports(ctx, placeId) : 0,
      may('place.archive') ? findPendingReview(ctx, placeId) : null,
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

/** Newest first. A run in progress does not count yet: the one before it does. */
function listLastRuns(ctx: Context, placeId: string, outcome: 'failed' | 'refused') {
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
    .where(whereRowsVisible(ctx, 'source'))
    .where('importer.deletedAt', 'is', null)
    .where('importer.enabled', '=', true)
    .where(isEnd)
    .orderBy('last.finishedAt', (order) => order.desc().nullsLast())
    .orderBy('importer.id')
    .limit(most)
    .execute()
}

/**
 * Oldest first. A source that never had data is not stale but new; one that is not updated any more, or irregularly, is
 * never overdue. Days are in the time zone of the place, as on its hub.
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
    .where(whereRowsVisible(ctx, 'source'))
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

/** The observers with webhook calls that were given up in the last week, most calls first. Disabled ones are left out. */
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

/** Public sets without tiles though they have not changed for an hour: building them fails, and is retried again and again. */
function setsWithoutTiles(ctx: Context, placeId: string) {
  return ctx.db
    .selectFrom('boundarySet')
    .select(['boundarySet.id', 'boundarySet.name'])
    .where('boundarySet.placeId', '=', placeId)
    .where(whereRowsVisible(ctx, 'boundarySet'))
    .where('boundarySet.tilesDueAt', 'is not', null)
    .where('boundarySet.updatedAt', '<', new Date(ctx.now().getTime() - 3_600_000))
    .orderBy('boundarySet.id')
    .limit(most)
    .execute()
}

/** The number of open error reports of readers. */
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
