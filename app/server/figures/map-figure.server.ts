import type { ChartInput } from '#functions/engine/chart/frame.ts'
import { memoize } from '#functions/platform/cache/memo.ts'
import type { Context } from '#functions/context.ts'
import {
  findBlankReason,
  drawMap,
  mapKeys,
  mapView,
  nothingLeft,
  getPopupColumns,
  describeMapGaps,
} from '#functions/engine/picture/map.ts'
import { findViewGround } from './ground.server.ts'
import { liveMap } from './live-map.server.ts'
import { createRegionReader } from './own-regions.server.ts'
import type { AnsweredInsight } from './load-answer.server.ts'
import { dataCredit } from './credit.server.ts'
import { mapTiles } from './map-tiles.server.ts'

const size = { width: 640, height: 420 }

/**
 * Renders the map of an insight as SVG with legend, the file that hydrates it, and which parts of the result it lacks. An empty map is
 * not drawn: a sentence says why.
 */
export async function mapFigure(
  ctx: Context,
  input: ChartInput,
  names: { id: string; description: string },
  { question, sources = [] }: Pick<AnsweredInsight, 'question' | 'sources'>,
) {
  const keys = await mapKeys(ctx.tiles, input, createRegionReader(ctx))
  if (input.rows.length > 0 && findBlankReason(keys) !== null)
    return { svg: '', missing: describeMapGaps(keys, nothingLeft, input) }
  // Home page, stories and the page of the source share the map, so it is rendered once.
  const name = JSON.stringify([
    'map',
    names,
    input.title,
    input.locale,
    input.dateLocale,
    input.visualization,
  ])
  const { svg, legend, outside, hidden } = await memoize(ctx, 'hub', name, async () =>
    drawMap(
      keys,
      input,
      { ...names, title: input.title },
      size,
      await findViewGround(ctx, mapView(keys, size)),
    ),
  )
  // Files beside a figure are stored only for hubs, so only those have live maps.
  const tiles =
    ctx.site.mode === 'hub' ? await mapTiles(ctx, question, keys, getPopupColumns(keys, input)) : null
  const live = await liveMap(ctx, keys, input, legend.classes, {
    ...{ tiles, credit: dataCredit(sources, input) },
  })
  return {
    svg,
    legend,
    missing: describeMapGaps(keys, { outside, hidden }, input),
    ...(live ? { mapHref: await ctx.attach('application/json', JSON.stringify(live)) } : {}),
  }
}
