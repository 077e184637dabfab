import { dependsOn } from '#functions/platform/cache/depends.ts'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { DomainSummary, HubHomeProps } from '#app/components/hub/hub-home.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'
import { leadingTypes, type HubSection } from '#functions/shapes/hub-section.ts'
import { isHidden } from '#functions/edge/hub/hub-pages.ts'
import { domainPath } from '#functions/engine/address/urls.ts'
import { slugPath } from '#functions/shapes/topic.ts'
import { v1 } from '#functions/v1/index.ts'
import { loadFirstAnswer } from './figures/load-answer.server.ts'
import { showInsight } from './figures/figure.server.ts'
import { publicSources } from './hub-frame.server.ts'
import { hubPictures } from './hub-pictures.server.ts'
import { load } from './load.server.ts'
import {
  catalogueEntries,
  entriesByDomain,
  hubTopics,
  listSources,
  listAddress,
  getSourcePath,
  type CatalogueEntry,
} from './hub-catalogue.server.ts'
import { sourceChart } from './hub-source.server.ts'
import { storySummaries } from './hub-stories.server.ts'
import { count, loadReaderSettings, hubPathBuilder } from './page-language.server.ts'
import type { ReaderSettings } from './figures/figure.server.ts'

const maxFeatured = 3
const shownInsights = 50

/** A hub's home page: the place and its chosen sections. Hidden sections are not loaded. */
export async function hubHome(args: LoaderFunctionArgs): Promise<HubHomeProps> {
  const { ctx } = args.context
  const [reading, { place }] = await Promise.all([
    loadReaderSettings(args),
    load(args, { place: v1.place.findById }),
  ])
  const sections = place.hubSections
  const shows = (name: HubSection) => sections.includes(name)
  const [{ header }, numbers, lead, stories, data, map] = await Promise.all([
    hubPictures(ctx, place),
    shows('numbers') ? keyNumbers(args, reading, shows('domains')) : [],
    shows('chart') ? findFirstFigure(args, reading, leadingTypes) : undefined,
    shows('stories') ? storySummaries(args, maxFeatured) : [],
    shows('domains') ? dataSummaries(args, reading) : noData,
    shows('map') && place.hasMap ? findFirstFigure(args, reading, ['map']) : undefined,
  ])
  return {
    ...{ title: place.displayName, sections, numbers, stories, ...data },
    cards: sortCardsByChart(
      // The leading figure is not repeated in a card.
      data.cards.map((card) =>
        card.chart && (card.chart.name === lead?.name || isTall(card.chart.svg))
          ? { ...card, chart: { ...card.chart, svg: '' } }
          : card,
      ),
    ),
    ...(place.description ? { intro: place.description } : {}),
    ...(header ? { headerImage: header } : {}),
    ...(lead ? { lead } : {}),
    ...(map ? { map } : {}),
    locale: reading.locale,
    base: hubPathBuilder(ctx)(''),
  }
}

/** Whether a drawing is 1.5 times as tall as wide: unreadable in a card, which then shows only its sentence. */
function isTall(svg: string): boolean {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []
  return Number(height) > Number(width) * 1.5
}

/** Cards with a drawing before those without one, each by name: a short card beside a tall one leaves a gap. */
const sortCardsByChart = (cards: HubHomeProps['cards']) => [
  ...cards.filter(({ chart }) => chart && chart.svg !== ''),
  ...cards.filter(({ chart }) => !chart || chart.svg === ''),
]

/** The first public insight with one of some types of visualization, with its result. */
async function findFirstInsight(args: LoaderFunctionArgs, reading: ReaderSettings, types: readonly string[]) {
  const { insights } = await load(args, {
    insights: {
      endpoint: v1.place.insight.find,
      options: { maxVisibility: 'public', limit: String(shownInsights) },
    },
  })
  const suitable = insights.results.filter(({ visualization }) => types.includes(String(visualization.type)))
  const insight = await loadFirstAnswer(args, suitable)
  return insight ? showInsight(args.context.ctx, insight, reading) : null
}

async function findFirstFigure(args: LoaderFunctionArgs, reading: ReaderSettings, types: readonly string[]) {
  const view = await findFirstInsight(args, reading, types)
  return view?.kind === 'figure' ? view.figure : undefined
}

/** The first number of the place, and totals; the number of sources links to the domains section if it is shown. */
async function keyNumbers(args: LoaderFunctionArgs, reading: ReaderSettings, hasDomains: boolean) {
  const { ctx } = args.context
  const [view, { sources }] = await Promise.all([
    findFirstInsight(args, reading, ['number']),
    load(args, {
      sources: { endpoint: v1.place.source.find, options: { maxVisibility: 'public', limit: '1000' } },
    }),
  ])
  // The page shows the number of records, so it depends on the data of every source.
  dependsOn(ctx, { rows: { source: sources.results.map(({ id }) => id) } })
  const records = sources.results.reduce((sum, source) => sum + Number(source.count), 0)
  const w = hubTexts(reading.locale)
  return [
    ...(view?.kind === 'number' ? [{ ...view.number }] : []),
    { label: w.publicRecords, value: count(records, reading) },
    {
      ...{ label: w.indicatorsTitle, value: count(sources.meta.total, reading) },
      ...(hasDomains ? { href: hubPathBuilder(ctx)('/domains') } : {}),
    },
  ]
}

type DataSummaries = Pick<HubHomeProps, 'domains' | 'cards' | 'topics' | 'newest' | 'all'>
const noData: DataSummaries = { domains: [], cards: [], topics: [], newest: [] }

/** Up to so many sources have a card each; with more, topics, domains and the newest sources link to them. */
const maxCards = 4
const [mostTopics, mostDomains, mostNewest] = [12, 12, 6]

/** The data section: each source with its chart if there are few, else links to topics, domains and the newest. */
async function dataSummaries(args: LoaderFunctionArgs, reading: ReaderSettings): Promise<DataSummaries> {
  const { ctx } = args.context
  const to = hubPathBuilder(ctx)
  const entries = await catalogueEntries(args)
  const [domains, topics] = await Promise.all([domainSummaries(args, entries), hubTopics(args)])
  const common = {
    domains: [...domains].sort((a, b) => b.sourcesCount - a.sourcesCount).slice(0, mostDomains),
    // A single topic is not worth a list.
    topics: (topics.length < 2 ? [] : topics.slice(0, mostTopics)).map(({ name, slug, rows }) => ({
      ...{ name, href: to(slugPath(slug)), count: rows.length },
    })),
  }
  if (entries.length <= maxCards)
    return { ...common, cards: await buildCards(args, entries, reading), newest: [] }
  const w = hubTexts(reading.locale)
  // New data in any source may change which ones are newest.
  dependsOn(ctx, { rows: { source: entries.map(({ id }) => id) } })
  const newest = entries
    .filter(({ updatedAt }) => updatedAt !== null)
    .sort((a, b) => getUpdateTime(b) - getUpdateTime(a))
    .slice(0, mostNewest)
  return {
    ...{ ...common, cards: [], newest: await listSources(args, newest, { hasFormats: false }) },
    all: { href: listAddress(ctx), label: w.showAll(count(entries.length, reading)) },
  }
}

const getUpdateTime = ({ updatedAt }: CatalogueEntry) =>
  updatedAt === null ? 0 : new Date(updatedAt).getTime()

/** Each source with its chart and facts. */
async function buildCards(
  args: LoaderFunctionArgs,
  entries: readonly CatalogueEntry[],
  reading: ReaderSettings,
): Promise<HubHomeProps['cards']> {
  const lines = await listSources(args, entries)
  return Promise.all(
    entries.map(async ({ id, domain }, i) => {
      const params = { ...args.params, dataTypeId: domain.id, sourceId: id }
      const chart = await sourceChart({ ...args, params }, reading)
      return {
        ...(lines[i] ?? { id, title: id, href: '', facts: [] }),
        domain: domain.name,
        ...(chart && { chart }),
      }
    }),
  )
}

/** The data types with public sources, each with a link to its source, or to the list of them. */
async function domainSummaries(
  args: LoaderFunctionArgs,
  entries: readonly CatalogueEntry[],
): Promise<DomainSummary[]> {
  const { ctx } = args.context
  const placeId = ctx.placeId ?? ''
  const to = hubPathBuilder(ctx)
  const { dataTypes } = await load(args, {
    dataTypes: { endpoint: v1.place.dataType.find, options: publicSources(placeId) },
  })
  const byDomain = entriesByDomain(entries)
  return dataTypes.results
    .filter(({ id }) => !isHidden(placeId, id))
    .map(({ id, name }) => {
      const [source, ...others] = byDomain.get(id) ?? []
      const isOne = source !== undefined && others.length === 0
      const href = to(isOne ? getSourcePath(source) : domainPath(id))
      return { id, name, href, sourcesCount: byDomain.get(id)?.length ?? 0 }
    })
}
