import { dependsOn } from '#functions/platform/cache/depends.ts'
import { sourcesOf } from '#functions/domain/insight/answers.ts'
import type { NounRequest } from '#functions/domain/noun/requests.ts'
import { analytics as ask } from '#functions/domain/dataset/dataset.ts'
import { exportRows } from '#functions/domain/dataset/export.ts'
import { observerOf } from './observers.ts'
import type { Context } from '#functions/context.ts'
import { readsClock } from '#functions/engine/query/index.ts'
import type { AnalyticsOptions, ExportOptions } from '#functions/shapes/datum.ts'

/**
 * What an observer watches, asked as the reader likes: its own filters always hold. Without aggregations of the reader's
 * the answer has the observer's own as `value`; one that watches each record gives the records. Undefined when there is
 * no such observer.
 */
export async function analytics(ctx: Context, request: NounRequest<AnalyticsOptions>) {
  const watched = await watchedBy(ctx, request)
  if (!watched) return undefined
  const { options } = request
  const { condition } = watched
  const aggregation = 'aggregation' in condition ? condition.aggregation : undefined
  const aggregations =
    says(options.aggregations) || aggregation === undefined
      ? options.aggregations
      : [{ alias: 'value', value: aggregation }]
  return ask(ctx, watched.scope, { ...options, aggregations, where: both(options.where, watched.filters) })
}

/** The records that an observer watches as a file; further filters narrow them. Undefined when there is no such observer. */
export async function exported(ctx: Context, request: NounRequest<ExportOptions>) {
  const watched = await watchedBy(ctx, request)
  if (!watched) return undefined
  const { options } = request
  return exportRows(ctx, watched.scope, { ...options, where: both(options.where, watched.filters) })
}

/** Only sources that everyone in the place may see: an observer tells all of them the same. */
async function watchedBy(ctx: Context, request: Pick<NounRequest, 'params'>) {
  const observer = await observerOf(ctx, request)
  if (!observer) return undefined
  const { placeId, dataTypeId, sourceId, filters, condition } = observer
  // Whoever reads the clock is told nothing of versions: not here, and not where the records are opened.
  if (!readsClock([filters, condition]))
    await dependsOn(ctx, { versions: { [`observer:${observer.id}`]: observer.version } })
  const sources = await sourcesOf(ctx, { placeId, dataTypeId, sourceId, visibility: 'place' })
  return {
    filters,
    condition,
    scope: { placeId, dataTypeId, sourceIds: sources.map(({ id }) => id), readers: 'place' as const },
  }
}

/** The reader's condition keeps its place, so that what is wrong with it is said where it stands. */
function both(request: unknown, own: unknown): unknown {
  const first = Array.isArray(request) ? (request as unknown[]) : says(request) ? [request] : []
  return says(own) ? [...first, own] : request
}

function says(clause: unknown): boolean {
  return Array.isArray(clause) ? clause.length > 0 : clause !== undefined && clause !== null && clause !== ''
}
