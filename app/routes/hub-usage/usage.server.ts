import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { Output } from '#functions/shapes/analytics.ts'
import { Download } from '#functions/shapes/download.ts'
import { v1 } from '#functions/v1/index.ts'
import type { AnsweredInsight } from '#app/server/figures/load-answer.server.ts'
import { showInsight } from '#app/server/figures/figure.server.ts'
import { load } from '#app/server/load.server.ts'
import { loadReaderSettings } from '#app/server/page-language.server.ts'
import { requireAdmin } from '#app/server/require-permission.server.ts'
import { usageParts } from './usage-parts.server.ts'

/** The offered ranges in days. */
export const ranges = [7, 30, 90, 365] as const

/** With more days than this a line is drawn, as bars would be too thin. */
const maxBars = 90

/** The usage of a place's hub and data over the days in the URL; default 30. */
export async function usageScreen(args: LoaderFunctionArgs) {
  const { placeId } = await requireAdmin(args, 'see how the hub is used')
  const requestedDays = Number(new URL(args.request.url).searchParams.get('days'))
  const range = ranges.find((days) => days === requestedDays) ?? 30
  const options = { days: range }
  const [reading, { usage, hub }] = await Promise.all([
    loadReaderSettings(args),
    load(args, {
      usage: { endpoint: v1.place.usage, options },
      hub: { endpoint: v1.place.hubUsage, options: { ...options, format: 'json' } },
    }),
  ])
  if (hub instanceof Download) throw new Error('Usage was asked for as JSON.')
  const { days, ...figures } = usage
  const draw = async (alias: string, name: string, counts: { day: string; n: number }[]) =>
    counts.some(({ n }) => n > 0)
      ? showInsight(args.context.ctx, perDay(placeId, alias, name, counts), reading)
      : null
  const [views, visits, requests, exports] = await Promise.all([
    draw('views', 'Page views per day', dayBy(hub.days, 'views')),
    draw('visits', 'Visits per day', dayBy(hub.days, 'visits')),
    draw('requests', 'Requests per day', dayBy(days, 'requests')),
    draw('exports', 'Exports per day', dayBy(days, 'exports')),
  ])
  const sum = (name: 'requests' | 'exports') => days.reduce((all, day) => all + day[name], 0)
  return {
    range,
    held: figures,
    sums: {
      views: hub.views,
      visits: hub.visits,
      files: hub.downloads.reduce((all, { times }) => all + times, 0),
      requests: sum('requests'),
      exports: sum('exports'),
    },
    figures: { views, visits, requests, exports },
    parts: usageParts(hub),
    csvHref: `/v1/places/${placeId}/hubUsage?days=${range}&format=csv`,
  }
}

function dayBy<Name extends string>(days: readonly (Record<Name, number> & { day: string })[], name: Name) {
  return days.map((day) => ({ day: day.day, n: day[name] }))
}

/** Daily counts as a query result, so that they are charted like any other. Days are UTC. */
function perDay(
  placeId: string,
  alias: string,
  name: string,
  counts: { day: string; n: number }[],
): AnsweredInsight {
  const output: Output = {
    schema: {
      day: { name: 'Day', type: 'date', measurement: { type: 'bucket', value: 'day' } },
      [alias]: { name, type: 'number' },
    },
    aggregations: [{ alias, name }],
    groupings: [{ alias: 'day' }],
    orderings: [{ alias: 'day', direction: 'asc' }],
  }
  return {
    id: `usage-${alias}`,
    placeId,
    name,
    notes: '',
    visualization: {
      type: counts.length > maxBars ? 'area' : 'bar',
      settings: { x: 'day', y: alias },
    },
    output,
    rows: counts.map(({ day, n }) => ({ day: `${day}T00:00:00.000Z`, [alias]: n })),
    question: { placeId, dataTypeId: '', sourceId: null, visibility: 'private', query: {} },
    timeZone: 'UTC',
  }
}
