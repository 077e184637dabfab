import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { FigureProps } from '#app/components/hub/figure.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'
import type { MapListItem, MapPageProps } from '#app/components/hub/map-page.tsx'
import { formatValue } from '#functions/engine/chart/format.ts'
import { mapKeys } from '#functions/engine/picture/map.ts'
import { mapAnswer } from '#functions/engine/picture/cluster-by-region.ts'
import { v1 } from '#functions/v1/index.ts'
import { loadFirstAnswer, type AnsweredInsight } from './figures/load-answer.server.ts'
import { showInsight, type ReaderSettings } from './figures/figure.server.ts'
import { maxListed } from './figures/live-map.server.ts'
import { createRegionReader } from './figures/own-regions.server.ts'
import { load } from './load.server.ts'
import { count } from './page-language.server.ts'

/** The first public insight of the place that is a map, with its items as a list. */
export async function insightMap(args: LoaderFunctionArgs, reading: ReaderSettings): Promise<MapPageProps> {
  const { ctx } = args.context
  const maps = await mapInsights(args)
  // A map of regions covers the whole place, so it comes before one of points.
  const isRegionMap = ({ visualization }: (typeof maps)[number]) => hasRegions(visualization)
  const insight = await loadFirstAnswer(args, [
    ...maps.filter(isRegionMap),
    ...maps.filter((each) => !isRegionMap(each)),
  ])
  if (!insight) return { title: hubTexts(reading.locale).maps, items: [], locale: reading.locale }
  const [view, items] = await Promise.all([
    showInsight(ctx, insight, reading),
    buildListItems(ctx, insight, reading),
  ])
  const all = insight.output.total ?? items.length
  const listCount = Math.min(items.length, maxListed)
  return {
    title: insight.name,
    ...(insight.notes ? { sentence: insight.notes } : {}),
    ...(view.kind === 'figure' ? { map: { ...onSite(ctx, view.figure), variant: 'plain' as const } } : {}),
    items: items.slice(0, maxListed),
    ...(listCount < all
      ? { left: hubTexts(reading.locale).firstListed(count(listCount, reading), count(all, reading)) }
      : {}),
    locale: reading.locale,
  }
}

/** Files beside a figure are stored only for hubs; elsewhere the figure omits them. */
function onSite(ctx: LoaderFunctionArgs['context']['ctx'], figure: FigureProps): FigureProps {
  if (ctx.site.mode === 'hub') return figure
  const { mapHref: _map, csvHref: _csv, ...picture } = figure
  return picture
}

/** The public insights of the active place that are maps. */
export async function mapInsights(args: LoaderFunctionArgs) {
  const { insights } = await load(args, {
    insights: { endpoint: v1.place.insight.find, options: { maxVisibility: 'public', limit: '200' } },
  })
  return insights.results.filter(({ visualization }) => visualization.type === 'map')
}

/** Whether a map shows regions; with `setId`, whether these may be of that set. */
export function hasRegions(visualization: object, setId?: string): boolean {
  const { region, boundarySetId } = (visualization as AnsweredInsight['visualization']).settings ?? {}
  return Boolean(region) && (setId === undefined || boundarySetId === undefined || setId === boundarySetId)
}

/** The rows of a map as list items: the name of each, and its value if it has one. */
async function buildListItems(
  ctx: LoaderFunctionArgs['context']['ctx'],
  insight: AnsweredInsight,
  reading: ReaderSettings,
): Promise<MapListItem[]> {
  const { output, ...facts } = await mapAnswer(ctx.tiles, insight, reading.locale, createRegionReader(ctx))
  const keys = await mapKeys(ctx.tiles, { ...facts, output }, createRegionReader(ctx))
  const { measureAlias } = keys
  const field = output.schema[measureAlias ?? '']
  return keys.rows.map(({ key, row }) => ({
    key,
    name: keys.getRowName(row) || key,
    ...(measureAlias ? { value: formatValue(row[measureAlias], field, reading) } : {}),
  }))
}
