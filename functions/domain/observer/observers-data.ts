import { dependsOn } from '#functions/platform/cache/depends.ts'
import { listSources } from '#functions/domain/insight/answers.ts'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { analytics as ask, hasClause } from '#functions/domain/dataset/dataset.ts'
import { exportRows } from '#functions/domain/dataset/export.ts'
import { findObserver } from './observers.ts'
import type { Context } from '#functions/context.ts'
import { readsClock } from '#functions/engine/query/index.ts'
import type { AnalyticsOptions, ExportOptions } from '#functions/shapes/datum.ts'

/**
 * Answers a reader's query on what an observer watches; the observer's filters always apply. Without
 * aggregations in the query the answer has the observer's own as `value`; one that watches each record
 * returns records. Undefined when there is no such observer.
 */
export async function analytics(ctx: Context, request: NounRequest<AnalyticsOptions>) {
  const subject = await watchedBy(ctx, request)
  if (!subject) return undefined
  const { options } = request
  const { condition } = subject
  const aggregation = 'aggregation' in condition ? condition.aggregation : undefined
  const aggregations =
    hasClause(options.aggregations) || aggregation === undefined
      ? options.aggregations
      : [{ alias: 'value', value: aggregation }]
  return ask(ctx, subject.scope, {
    ...options,
    aggregations,
    where: combineConditions(options.where, subject.filters),
  })
}

/**
 * Exports the records that an observer watches; further filters narrow them. Undefined when there is no such
 * observer.
 */
export async function exportData(ctx: Context, request: NounRequest<ExportOptions>) {
  const subject = await watchedBy(ctx, request)
  if (!subject) return undefined
  const { options } = request
  return exportRows(ctx, subject.scope, {
    ...options,
    where: combineConditions(options.where, subject.filters),
  })
}

/**
 * What an observer watches: only sources that everyone in the place may see, because it notifies all of them
 * alike.
 */
async function watchedBy(ctx: Context, request: Pick<NounRequest, 'params'>) {
  const observer = await findObserver(ctx, request)
  if (!observer) return undefined
  const { placeId, dataTypeId, sourceId, filters, condition } = observer
  // Queries that use the current time report no versions: neither here nor where the records are opened.
  if (!readsClock([filters, condition]))
    await dependsOn(ctx, { versions: { [`observer:${observer.id}`]: observer.version } })
  const sources = await listSources(ctx, { placeId, dataTypeId, sourceId, visibility: 'place' })
  return {
    filters,
    condition,
    scope: { placeId, dataTypeId, sourceIds: sources.map(({ id }) => id), readers: 'place' as const },
  }
}

/** The reader's condition keeps its position, so that paths of issues in it are right. */
function combineConditions(request: unknown, own: unknown): unknown {
  const first = Array.isArray(request) ? (request as unknown[]) : hasClause(request) ? [request] : []
  return hasClause(own) ? [...first, own] : request
}
