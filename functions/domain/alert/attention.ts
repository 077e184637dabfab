import { sql } from 'kysely'
import { param, type NounRequest } from '#functions/domain/noun/requests.ts'
import * as hub from '#functions/domain/page/publishing/status.ts'
import { whereSeen } from '#functions/domain/noun/visible.ts'
import type { Context } from '#functions/context.ts'
import { isAllowed, noSubject } from '#functions/domain/access/allowed.ts'
import { grantsOf } from '#functions/domain/access/grants.ts'
import { openStatuses } from '#functions/shapes/job.ts'

/** Data that did not change for so long are old: a quarter of a year. */
const staleMs = 90 * 86_400_000

/** Most rows of each kind; the totals count the others. */
const most = 10

/**
 * What in a place needs someone, of what the actor may see: the importers whose last run failed (that they run by hand or
 * by a schedule is all the same; those that are switched off wait for no one), the sources whose data grew old, and why readers
 * of the hub do not see what is saved, and how many reports of readers nobody has looked into yet, for those who may read them.
 */
export async function attentionOf(ctx: Context, request: NounRequest) {
  const placeId = param(request, 'placeId')
  const [importers, sources, errorReports, status] = await Promise.all([
    failing(ctx, placeId),
    stale(ctx, placeId),
    openErrorReports(ctx, placeId),
    hub.find(ctx, request),
  ])
  return {
    hub: status?.problems ?? [],
    importers: importers.map(({ total: _total, ...row }) => row),
    importersTotal: importers[0]?.total ?? 0,
    staleSources: sources.map(({ total: _total, ...row }) => row),
    staleSourcesTotal: sources[0]?.total ?? 0,
    openErrorReports: errorReports,
  }
}

/** The last first. A run that is under way counts for nothing yet: the one before it says how things are. */
function failing(ctx: Context, placeId: string) {
  return ctx.db
    .selectFrom('importer')
    .innerJoin('source', 'source.id', 'importer.sourceId')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('job')
          .select(['job.id', 'job.status', 'job.error', 'job.finishedAt'])
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
      sql<number>`(count(*) over ())::int`.as('total'),
    ])
    .where('source.placeId', '=', placeId)
    .where(whereSeen(ctx, 'source'))
    .where('importer.deletedAt', 'is', null)
    .where('importer.enabled', '=', true)
    .where('last.status', '=', 'failed')
    .orderBy('last.finishedAt', (order) => order.desc().nullsLast())
    .orderBy('importer.id')
    .limit(most)
    .execute()
}

/** The oldest first. A source that never had data is not old, it is new. */
function stale(ctx: Context, placeId: string) {
  return ctx.db
    .selectFrom('source')
    .select([
      'source.id',
      'source.name',
      'source.dataUpdatedAt',
      sql<number>`(count(*) over ())::int`.as('total'),
    ])
    .where('source.placeId', '=', placeId)
    .where(whereSeen(ctx, 'source'))
    .where('source.dataUpdatedAt', '<', new Date(ctx.now().getTime() - staleMs))
    .orderBy('source.dataUpdatedAt')
    .orderBy('source.id')
    .limit(most)
    .$narrowType<{ dataUpdatedAt: Date }>()
    .execute()
}

/** How many reports of readers are open; 0 for who may not read them. */
async function openErrorReports(ctx: Context, placeId: string): Promise<number> {
  if (!isAllowed(ctx.actor, 'errorReport.read', { ...noSubject, placeId }, await grantsOf(ctx))) return 0
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
