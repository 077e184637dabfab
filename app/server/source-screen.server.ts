import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { recordTable } from '#app/components/list/record-table.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { v1 } from '#functions/v1/index.ts'
import { answeredIfSeen } from './figures/answered.server.ts'
import { showInsight } from './figures/figure.server.ts'
import { load } from './load.server.ts'
import { apiUrl, publicSourceUrl } from './public-urls.server.ts'
import { readingOf } from './reading.server.ts'
import { guard, may } from './session.server.ts'

const pageSize = 25

/** A source as the workspace shows it: its facts, some of its records, a figure where an insight asks it, ways to take it away. */
export async function sourceScreen(args: LoaderFunctionArgs) {
  guard(args, 'signedIn')
  const { ctx } = args.context
  const page = Math.max(1, Math.floor(Number(new URL(args.request.url).searchParams.get('page')) || 1))
  const includes = [
    { resource: 'dataType' },
    { resource: 'place', attributes: ['id', 'displayName', 'isHub'] },
  ]
  const [reading, { source, data }] = await Promise.all([
    readingOf(args),
    load(args, {
      source: { endpoint: v1.source.findById, options: { includes } },
      data: { endpoint: v1.source.datum.find, options: { limit: pageSize, offset: (page - 1) * pageSize } },
    }),
  ])
  const { id, dataType, place, placeId } = source
  const { insights } = await load(args, {
    insights: { endpoint: v1.insight.find, options: { filters: { placeId, sourceId: id }, limit: 6 } },
  })
  const schema = (dataType?.schema ?? {}) as unknown as FieldSchema
  return {
    source,
    place: place?.displayName ?? placeId,
    dataType: { id: source.dataTypeId, name: dataType?.name ?? source.dataTypeId },
    table: recordTable(schema, data.results, reading),
    query: { page, pageSize },
    total: data.meta.total ?? 0,
    insights: insights.results.map(({ id, name }) => ({ id, name })),
    figure: await firstFigure(args, insights.results[0]),
    hubUrl: place?.isHub && source.visibility === 'public' ? publicSourceUrl(ctx, source) : null,
    isHub: place?.isHub ?? false,
    hasGeometry: source.extent !== null,
    api: apiUrl(ctx, `/sources/${id}/data?limit=10`),
    mayUpdate: may(ctx, 'source.update', placeId),
  }
}

/** The first insight that asks the source, drawn; null without one, or where it belongs to another place. */
async function firstFigure(args: LoaderFunctionArgs, insight: { id: string; placeId: string } | undefined) {
  const { ctx } = args.context
  if (!insight || insight.placeId !== ctx.placeId) return null
  const answered = await answeredIfSeen(args, insight.id)
  return answered && showInsight(ctx, answered, await readingOf(args))
}
