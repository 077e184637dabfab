import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { Output } from '#functions/shapes/analytics.ts'
import type { UsageDay } from '#functions/shapes/usage.ts'
import { v1 } from '#functions/v1/index.ts'
import type { Answered } from './figures/answered.server.ts'
import { showInsight } from './figures/figure.server.ts'
import { load } from './load.server.ts'
import { readingOf } from './reading.server.ts'
import { guard } from './session.server.ts'

/** The ranges that are offered, in days. */
export const ranges = [7, 30, 90] as const

/** How a place's hub and its data are used, over the days the address says; 30 when it says nothing. */
export async function usageScreen(args: LoaderFunctionArgs) {
  const { placeId } = guard(args, 'orgAdmin')
  const asked = Number(new URL(args.request.url).searchParams.get('days'))
  const range = ranges.find((days) => days === asked) ?? 30
  const [reading, { usage }] = await Promise.all([
    readingOf(args),
    load(args, { usage: { endpoint: v1.place.usage, options: { days: range } } }),
  ])
  const { days, ...held } = usage
  const draw = (id: keyof UsageDay, name: string) =>
    showInsight(args.context.ctx, perDay(placeId, id, name, days), reading)
  const [requests, exports] = await Promise.all([
    draw('requests', 'Requests per day'),
    draw('exports', 'Downloads per day'),
  ])
  const sum = (name: 'requests' | 'exports') => days.reduce((all, day) => all + day[name], 0)
  return {
    range,
    held,
    sums: { requests: sum('requests'), exports: sum('exports') },
    figures: { requests, exports },
  }
}

/** A count of each day as an answer, so that it is drawn like any other. Days are UTC. */
function perDay(placeId: string, alias: keyof UsageDay, name: string, days: readonly UsageDay[]): Answered {
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
    visualization: { type: 'bar', settings: { x: 'day', y: alias } },
    output,
    rows: days.map((day) => ({ day: `${day.day}T00:00:00.000Z`, [alias]: day[alias] })),
    question: { placeId, dataTypeId: '', sourceId: null, visibility: 'private', query: {} },
    timeZone: 'UTC',
  }
}
