import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { alertOffer } from './alert-list.tsx'
import { explainNoVisibleData } from '#app/components/observer/no-visible-data.ts'
import { recordTable } from '#functions/engine/table/record-table.ts'
import {
  conditionIn,
  describeCondition,
  valueWords,
  type ObserverCondition,
} from '#app/components/observer/words.ts'
import { call } from '#functions/api/call.ts'
import { asFailure } from '#functions/errors.ts'
import { describeErrorBriefly } from '#app/server/failure-words.server.ts'
import { v1 } from '#functions/v1/index.ts'
import { showInsight } from '#app/server/figures/figure.server.ts'
import { listRequest } from '#app/server/list.server.ts'
import { load, orNull, toErrorResponse } from '#app/server/load.server.ts'
import { observerNames } from '#app/server/observer-screen.server.ts'
import { loadReaderSettings } from '#app/server/page-language.server.ts'
import { hasPermission } from '#app/server/session.server.ts'
import { typeRights, typeWithSources } from '#app/server/type-screen.server.ts'

/** Number of days with records in the chart. */
const days = 90

/** Number of listed records. */
const shownRecords = 5

/** Number of listed webhook deliveries that were given up. */
const shownWebhooks = 10

/**
 * An observer: chart, current value, alerts, and (`?alert=`) one alert with its records. Opening an alert marks it as read, before the
 * list is loaded.
 */
export async function observerPage(args: LoaderFunctionArgs) {
  const { ctx } = args.context
  const url = new URL(args.request.url)
  const dataTypeId = args.params.dataTypeId ?? ''
  const { options, ...list } = await listRequest(args, alertOffer)
  const alertId = url.searchParams.get('alert')?.slice(0, 64)
  const [{ dataType, schema, sources }, { observer }, reading, names] = await Promise.all([
    typeWithSources(args),
    load(args, { observer: v1.place.observer.findById }),
    loadReaderSettings(args),
    observerNames(args, dataTypeId),
  ])
  const { alert } = alertId
    ? await load(args, { alert: { endpoint: v1.place.observer.alert.findById, params: { alertId } } })
    : { alert: null }
  const condition = conditionIn(observer.condition)
  const [{ alerts }, dead, records, figure, newest] = await Promise.all([
    load(args, { alerts: { endpoint: v1.place.observer.alert.find, options } }),
    deadWebhooks(args),
    alert?.datumIds.length
      ? load(args, {
          found: {
            endpoint: v1.place.dataType.datum.find,
            options: { filters: { id: { $in: alert.datumIds } }, limit: 100 },
          },
        })
      : null,
    watchedFigure(
      args,
      {
        ...{ observer, condition, primary: dataType.temporal?.primary ?? null },
        what: condition.operator === 'each' ? 'Records' : valueWords(condition.aggregation, names),
      },
      reading,
    ),
    listNewestRecords(args, observer),
  ])
  const source = sources.find(({ id }) => id === observer.sourceId)
  return {
    list: { ...list, total: alerts.meta.total },
    rights: typeRights(args, dataType),
    mayModify: hasPermission(ctx, 'observer.update'),
    mayDeleteAlerts: hasPermission(ctx, 'alert.delete'),
    dataType: { id: dataType.id, name: dataType.name },
    blind: explainNoVisibleData(sources, observer.sourceId),
    sourceName: observer.sourceId === null ? null : (source?.name ?? observer.sourceId),
    observer,
    words: describeCondition(condition, names),
    timeZone: reading.timeZone,
    alerts: alerts.results,
    dead: { ...dead, mayResend: hasPermission(ctx, 'observer.update') && callsWebhook(observer) },
    alert: alert && {
      ...alert,
      records: records && recordTable(schema, records.found.results, reading),
    },
    figure,
    newest: newest && recordTable(schema, newest, reading),
    exportPath: `/v1/places/${ctx.placeId ?? ''}/observers/${observer.id}/export`,
  }
}

/** The newest webhook deliveries of an observer that were given up, and their total. */
export async function deadWebhooks(args: LoaderFunctionArgs) {
  const { found: webhooks } = await load(args, {
    found: {
      endpoint: v1.place.observer.delivery.find,
      options: { filters: { status: 'dead' }, limit: shownWebhooks },
    },
  })
  return { webhooks: webhooks.results, total: webhooks.meta.total ?? webhooks.results.length }
}

const callsWebhook = ({ channels, webhookUrl }: { channels: string[]; webhookUrl: string | null }) =>
  channels.includes('webhook') && webhookUrl !== null

/** The newest watched records; null if the query fails. */
async function listNewestRecords(
  args: LoaderFunctionArgs,
  { sourceId, dataTypeId, filters }: { sourceId: string | null; dataTypeId: string; filters: unknown },
) {
  const { ctx } = args.context
  const options = { ...(filters ? { filters } : {}), limit: shownRecords, maxVisibility: 'place' }
  const answer = sourceId
    ? call(v1.source.datum.find, ctx, { params: { sourceId }, options })
    : call(v1.place.dataType.datum.find, ctx, { params: { placeId: ctx.placeId ?? '', dataTypeId }, options })
  return (await orNull(args, answer, ['invalid', 'unavailable', 'notFound']))?.results ?? null
}

interface WatchedObserver {
  observer: { id: string; placeId: string; dataTypeId: string; sourceId: string | null; name: string }
  condition: ObserverCondition
  primary: string | null
  /** The watched data in words. */
  what: string
}

/** The watched aggregation over time: by day of the main date, or a single value without one. An error message if the query fails. */
async function watchedFigure(
  args: LoaderFunctionArgs,
  { observer, condition, primary, what }: WatchedObserver,
  reading: Awaited<ReturnType<typeof loadReaderSettings>>,
) {
  const { ctx } = args.context
  const { placeId, dataTypeId, sourceId, id } = observer
  const value = condition.operator === 'each' ? { function: 'count' } : condition.aggregation
  const day = primary && { function: 'bucket', arguments: ['day', { field: `data.${primary}` }] }
  const isDrawn = day !== null && condition.operator !== 'change'
  const options = {
    aggregations: [
      ...(isDrawn ? [{ alias: 'day', value: day, name: 'Day' }] : []),
      { alias: 'value', value, name: what.slice(0, 64) },
    ],
    ...(isDrawn
      ? {
          groupings: [day],
          orderings: [{ value: day, direction: 'desc' as const }],
          limit: days,
          timezone: reading.timeZone,
        }
      : {}),
  }
  try {
    const answer = await call(v1.place.observer.analytics, ctx, {
      params: { placeId, observerId: id },
      options,
    })
    const output = answer.output
    const rows = answer.results as Record<string, unknown>[]
    return await showInsight(
      ctx,
      {
        ...{
          id: 'watched',
          placeId,
          name: isDrawn ? `${what} by day` : what,
          notes: '',
          output,
          timeZone: reading.timeZone,
        },
        // The latest days were queried in descending order; they are shown ascending.
        rows: isDrawn ? rows.toReversed() : rows,
        visualization: isDrawn ? { type: 'line', settings: { x: 'day', y: 'value' } } : { type: 'number' },
        question: { placeId, dataTypeId, sourceId, visibility: 'place', query: {} },
      },
      reading,
    )
  } catch (error) {
    const failure = asFailure(error)
    if (failure.kind !== 'invalid' && failure.kind !== 'unavailable') throw toErrorResponse(error, args)
    return describeErrorBriefly(failure)
  }
}
