import type { ChartInput } from '#functions/engine/chart/frame.ts'
import { memoize } from '#functions/platform/cache/memo.ts'
import type { Context } from '#functions/context.ts'
import {
  blankOf,
  drawMap,
  mapKeys,
  mapView,
  nothingLeft,
  popupOf,
  tellMissingOf,
} from '#functions/engine/picture/map.ts'
import { groundOf } from './ground.server.ts'
import { liveMap } from './live-map.server.ts'
import { ownRegions } from './own-regions.server.ts'
import { mapTiles, type Question } from './map-tiles.server.ts'

const size = { width: 640, height: 420 }

/**
 * The map of an insight as SVG with its legend, the file that makes it live, and what it has not of its answer. A map with
 * nothing on it is not drawn: it says why.
 */
export async function mapFigure(
  ctx: Context,
  input: ChartInput,
  names: { id: string; description: string },
  question: Question,
) {
  const keys = await mapKeys(ctx.tiles, input, ownRegions(ctx))
  if (input.rows.length > 0 && blankOf(keys) !== null)
    return { svg: '', missing: tellMissingOf(keys, nothingLeft, input) }
  // Home, stories and the page of the source show the same map: drawn once for all of them.
  const name = JSON.stringify(['map', names, input.title, input.locale, input.visualization])
  const { svg, legend, outside, hidden } = await memoize(ctx, 'hub', name, async () =>
    drawMap(keys, input, { ...names, title: input.title }, size, await groundOf(ctx, mapView(keys, size))),
  )
  // Files beside a figure are kept for hubs only, and so are live maps.
  const tiles = ctx.site.mode === 'hub' ? await mapTiles(ctx, question, keys, popupOf(keys, input)) : null
  const live = await liveMap(ctx, keys, input, legend.classes, tiles)
  return {
    svg,
    legend,
    missing: tellMissingOf(keys, { outside, hidden }, input),
    ...(live ? { mapHref: await ctx.attach('application/json', JSON.stringify(live)) } : {}),
  }
}
