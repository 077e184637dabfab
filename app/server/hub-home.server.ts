import { dependsOn } from '#functions/platform/cache/depends.ts'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { DomainSummary, HubHomeProps } from '#app/components/hub/hub-home.tsx'
import type { StorySummary } from '#app/components/hub/story-card.tsx'
import { words } from '#app/components/hub/words.ts'
import type { HubSection } from '#functions/shapes/hub-section.ts'
import { isHidden } from '#functions/edge/hub/hub-pages.ts'
import { v1 } from '#functions/v1/index.ts'
import { firstAnswered } from './figures/answered.server.ts'
import { showInsight } from './figures/figure.server.ts'
import { publicSources, sourcesOf } from './hub-frame.server.ts'
import { hubPictures } from './hub-pictures.server.ts'
import { load } from './load.server.ts'
import { count, day, readingOf, toHub } from './reading.server.ts'
import type { ReaderSettings } from './figures/figure.server.ts'

const featured = 3
const shownInsights = 50

/** A hub's first page: the place, and of its sections those it wants to show. The others are not asked for. */
export async function hubHome(args: LoaderFunctionArgs): Promise<HubHomeProps> {
  const { ctx } = args.context
  const [reading, { place }] = await Promise.all([readingOf(args), load(args, { place: v1.place.findById })])
  const sections = place.hubSections
  const shows = (name: HubSection) => sections.includes(name)
  const [{ header }, numbers, lead, stories, domains, map] = await Promise.all([
    hubPictures(ctx, place),
    shows('numbers') ? keyNumbers(args, reading, shows('domains')) : [],
    shows('chart') ? firstFigure(args, reading, ['line', 'area', 'bar']) : undefined,
    shows('stories') ? storySummaries(args, featured) : [],
    shows('domains') ? domainSummaries(args) : [],
    shows('map') && place.hasMap ? firstFigure(args, reading, ['map']) : undefined,
  ])
  return {
    ...{ title: place.displayName, sections, numbers, stories, domains },
    ...(place.description ? { intro: place.description } : {}),
    ...(header ? { headerImage: header } : {}),
    ...(lead ? { lead } : {}),
    ...(map ? { map } : {}),
    locale: reading.locale,
    base: toHub(ctx)(''),
  }
}

/** The first public insight that is drawn in one of some ways, with its answer. */
async function firstShown(args: LoaderFunctionArgs, reading: ReaderSettings, types: readonly string[]) {
  const { insights } = await load(args, {
    insights: {
      endpoint: v1.place.insight.find,
      options: { maxVisibility: 'public', limit: String(shownInsights) },
    },
  })
  const wanted = insights.results.filter(({ visualization }) => types.includes(String(visualization.type)))
  const insight = await firstAnswered(args, wanted)
  return insight ? showInsight(args.context.ctx, insight, reading) : null
}

async function firstFigure(args: LoaderFunctionArgs, reading: ReaderSettings, types: readonly string[]) {
  const shown = await firstShown(args, reading, types)
  return shown?.kind === 'figure' ? shown.figure : undefined
}

/** The first number of the place, and how much there is; the sources lead to the domains where the page shows these. */
async function keyNumbers(args: LoaderFunctionArgs, reading: ReaderSettings, hasDomains: boolean) {
  const { ctx } = args.context
  const [shown, { sources }] = await Promise.all([
    firstShown(args, reading, ['number']),
    load(args, {
      sources: { endpoint: v1.place.source.find, options: { maxVisibility: 'public', limit: '1000' } },
    }),
  ])
  // The page says how many records there are, so it follows the data of every source.
  dependsOn(ctx, { rows: { source: sources.results.map(({ id }) => id) } })
  const records = sources.results.reduce((sum, source) => sum + Number(source.count), 0)
  const w = words(reading.locale)
  return [
    ...(shown?.kind === 'number' ? [{ ...shown.number }] : []),
    { label: w.publicRecords, value: count(records, reading) },
    {
      ...{ label: w.indicatorsTitle, value: count(sources.meta.total, reading) },
      ...(hasDomains ? { href: toHub(ctx)('/domains') } : {}),
    },
  ]
}

/** The data types of which the place has public sources, each with the way to its first. */
async function domainSummaries(args: LoaderFunctionArgs): Promise<DomainSummary[]> {
  const { ctx } = args.context
  const placeId = ctx.placeId ?? ''
  const to = toHub(ctx)
  const { dataTypes } = await load(args, {
    dataTypes: { endpoint: v1.place.dataType.find, options: publicSources(placeId) },
  })
  return dataTypes.results
    .filter((dataType) => !isHidden(placeId, dataType.id))
    .map((dataType) => {
      const [source] = sourcesOf(dataType)
      return {
        id: dataType.id,
        name: dataType.name,
        href: to(source ? `/domains/${dataType.id}/source/${source.id}` : '/domains'),
        sourcesCount: sourcesOf(dataType).length,
      }
    })
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

function summaryOf(page: PageRow, reading: ReaderSettings, to: (path: string) => string): StorySummary {
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
