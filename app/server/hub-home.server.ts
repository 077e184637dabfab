import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { HubHomeProps } from '#app/components/hub/hub-home.tsx'
import type { StorySummary } from '#app/components/hub/story-card.tsx'
import { words } from '#app/components/hub/words.ts'
import { isHidden } from '#functions/site/hub-pages.ts'
import { v1 } from '#functions/v1/index.ts'
import { answered } from './figures/answered.server.ts'
import { showInsight } from './figures/figure.server.ts'
import { publicSources, sourcesOf } from './hub-frame.server.ts'
import { load } from './load.server.ts'
import { count, day, readingOf, toHub } from './reading.server.ts'
import type { Reading } from './figures/figure.server.ts'

const featured = 3
const shownInsights = 50

/** A hub's first page: the place, its numbers, one chart, its newest stories, its domains, its map. */
export async function hubHome(args: LoaderFunctionArgs): Promise<HubHomeProps> {
  const { ctx } = args.context
  const placeId = ctx.placeId ?? ''
  const [reading, { place, dataTypes, insights, sources }, stories] = await Promise.all([
    readingOf(args),
    load(args, {
      place: v1.place.findById,
      dataTypes: { endpoint: v1.place.dataType.find, options: publicSources(placeId) },
      sources: { endpoint: v1.place.source.find, options: { maxVisibility: 'public', limit: '1000' } },
      insights: {
        endpoint: v1.place.insight.find,
        options: { maxVisibility: 'public', limit: String(shownInsights) },
      },
    }),
    storySummaries(args, featured),
  ])
  // The page says how many records there are, so it follows the data of every source.
  for (const { id } of sources.results) ctx.depends.add(`source:${id}`)
  const first = (isWanted: (type: string) => boolean) =>
    insights.results.find(({ visualization }) => isWanted(String(visualization.type)))
  const number = first((type) => type === 'number')
  const chart = first((type) => type === 'line' || type === 'area' || type === 'bar')
  const map = first((type) => type === 'map')
  const [shownNumber, shownChart, shownMap] = await Promise.all(
    [number, chart, map].map(async (insight) =>
      insight ? showInsight(ctx, await answered(args, insight.id), reading) : null,
    ),
  )
  const records = sources.results.reduce((sum, source) => sum + Number(source.count), 0)
  const { locale } = reading
  const w = words(locale)
  const to = toHub(ctx)
  return {
    title: place.displayName,
    ...(place.description ? { intro: place.description } : {}),
    numbers: [
      ...(shownNumber?.kind === 'number' ? [{ ...shownNumber.number }] : []),
      { label: w.publicRecords, value: count(records, reading) },
      { label: w.indicatorsTitle, value: count(sources.meta.total, reading), href: to('/domains') },
    ],
    ...(shownChart?.kind === 'figure' ? { lead: shownChart.figure } : {}),
    stories,
    domains: dataTypes.results
      .filter((dataType) => !isHidden(placeId, dataType.id))
      .map((dataType) => {
        const [source] = sourcesOf(dataType)
        return {
          id: dataType.id,
          name: dataType.name,
          href: to(source ? `/domains/${dataType.id}/source/${source.id}` : '/domains'),
          sourcesCount: sourcesOf(dataType).length,
        }
      }),
    ...(shownMap?.kind === 'figure' && place.hasMap ? { map: shownMap.figure } : {}),
    locale,
    base: to(''),
  }
}

/** The published public stories of the place, newest first. */
export async function storySummaries(args: LoaderFunctionArgs, limit: number): Promise<StorySummary[]> {
  const reading = await readingOf(args)
  const { pages } = await load(args, {
    pages: {
      endpoint: v1.place.page.find,
      options: {
        visibility: 'public',
        filters: { publish: 'published', type: ['blank', 'storytelling'] },
        // Stories before plain pages ('storytelling' after 'blank'), the newest first.
        orderings: [
          { value: { field: 'type' }, direction: 'desc' },
          { value: { field: 'updatedAt' }, direction: 'desc' },
        ],
        limit: String(limit),
      },
    },
  })
  const to = toHub(args.context.ctx)
  return pages.results.map((page) => summaryOf(page, reading, to))
}

type PageRow = {
  id: string
  title: string
  description: string
  type: string
  publishedAt: Date | string | null
}

function summaryOf(page: PageRow, reading: Reading, to: (path: string) => string): StorySummary {
  return {
    id: page.id,
    title: page.title,
    href: to(`/pages/${page.type}/${page.id}/preview`),
    ...(page.description ? { summary: page.description } : {}),
    ...(page.publishedAt
      ? { date: day(page.publishedAt, reading), dateTime: new Date(page.publishedAt).toISOString() }
      : {}),
  }
}
