import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { pack } from '#app/components/builder/address.ts'
import type { FigureProps } from '#app/components/hub/figure.tsx'
import type { MapWithListProps } from '#app/components/hub/map-page.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'
import type { Bounds, MapData } from '#app/islands/map-data.ts'
import { mapFields } from '#functions/engine/map/map-fields.ts'
import {
  describeCount,
  describeLiveMap,
  describeManyShapes,
  describePictureCounts,
} from '#functions/engine/map/words.ts'
import { boxOfMost } from '#functions/engine/map/initial-view.ts'
import { outlines } from '#functions/domain/dataset/outlines.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { v1 } from '#functions/v1/index.ts'
import { placeMapOnGround } from './figures/ground.server.ts'
import { isTiled, livePlace } from './figures/live-place.server.ts'
import { landAround, type PlaceArea } from './figures/place-area.server.ts'
import {
  loadPlaceLayer,
  findTimeField,
  type Labels,
  type LayerSource,
  type PlaceLayer,
} from './figures/place-layers.server.ts'
import { placeTime } from './figures/place-time.server.ts'
import { load } from './load.server.ts'
import { buildPageLayer } from './place-map.server.ts'
import { loadReaderSettings } from './page-language.server.ts'
import { chooseLandSet, mapDraft } from './source-chart.server.ts'
import { storeDrawing, type ReaderSettings } from './figures/figure.server.ts'

/** Maximum number of records in the list beside the map. */
const maxNamed = 240

const size = { width: 640, height: 420 }

/** The maximum share of records outside of a picture, which reports their number. */
const maxOutside = 0.02

/**
 * The positions of a source's records, and the newest of them as a list; the live map shows all. `to`: the link to make a map insight;
 * null without a point field. Null if no record has a position.
 */
export async function sourceMap(
  args: LoaderFunctionArgs,
  source: MappedSource,
): Promise<(MapWithListProps & { to: string | null }) | null> {
  const map = await loadSourceMap(args, source, maxNamed)
  if (!map) return null
  const { layer, reading, draft } = map
  const { name, id, count: records } = layer.source
  const { svg, sentence, legend, note } = await drawSourceMap(args, map)
  const { length } = layer.namedPoints
  const onLive =
    isTiled(layer) || length === layer.pointCount ? null : describeLiveMap(length, records, reading.locale)
  return {
    map: {
      ...{ title: name, svg, sentence, locale: reading.locale, variant: 'plain', ...legend },
      mapHref: `/sources/${encodeURIComponent(id)}/map/live`,
      note: [note, onLive].filter(Boolean).join(' '),
    },
    items: [],
    layers: [buildPageLayer(null, layer, reading)],
    locale: reading.locale,
    to: draft ? `/insights/create?q=${await pack(draft)}` : null,
  }
}

/**
 * The map on the page of a source without a map insight: all of its records, clustered. Null if none has a position. Its table is that
 * of the page.
 */
export async function recordsFigure(
  args: LoaderFunctionArgs,
  source: MappedSource,
): Promise<FigureProps | null> {
  const { ctx } = args.context
  // Tiles show all records, so the page lists none; without tiles the live map has the listed ones.
  const fields = pickMapFields(source)
  const hasTiles =
    fields !== null && isTiled({ source: { isPublic: source.visibility === 'public' }, fields })
  const map = await loadSourceMap(args, source, hasTiles ? 0 : maxNamed)
  if (!map) return null
  const { layer, reading } = map
  const { svg, sentence, legend, note } = await drawSourceMap(args, map)
  const isWhole = hasTiles || layer.namedPoints.length === layer.pointCount
  const live = isWhole && ctx.site.mode === 'hub' ? await liveData(args, map) : null
  return {
    ...{ title: source.name, svg, sentence, locale: reading.locale, ...legend },
    // Beside the chart, whose name is that of the source.
    name: `${source.id}-map`,
    ...(note ? { note } : {}),
    ...(await storeDrawing(ctx, source.id, { svg }, reading.locale)),
    ...(live ? { mapHref: await ctx.attach('application/json', JSON.stringify(live)) } : {}),
  }
}

/** Draws all records of a source, with a note on those that the picture cannot show. */
async function drawSourceMap(
  { context: { ctx } }: LoaderFunctionArgs,
  { area, layer, reading }: SourceMapData,
) {
  const w = hubTexts(reading.locale)
  const { name, count: records, extent, id: sourceId, placeId } = layer.source
  const isCounted = layer.dots.some(({ value }) => value !== undefined)
  const { hasShapes } = layer.fields
  const shapes =
    hasShapes && extent ? await outlines(ctx, { placeId, sourceId }, computeHalfPixel(extent)) : null
  const draw = async ({ regions, boundary, projection, box, opens }: PlaceArea) => {
    const { svg, layers } = await placeMapOnGround(ctx, {
      ...{ regions, boundary, projection, ...size, isOnPoints: box !== null, opens },
      layers: [{ points: layer.dots, fill: `var(${layer.token})`, ...(shapes && { shapes }) }],
      format: (value) => describeCount(value, 'records', reading.locale),
      locale: reading.locale,
      title: name,
      description: [w.records(records), ...(isCounted && !shapes ? [w.largerCircles] : [])].join('. '),
      id: 'source-map',
    })
    const [first] = layers
    const { circles: marks = 0, classes = [], amount = 0, outside = 0, areShapes = false } = first ?? {}
    return { svg, marks, classes, drawnCount: amount, outside, areShapes }
  }
  const first = await draw(area)
  // The projection of the United States lacks its territories: a few records there are mentioned, with more the world is drawn.
  const isCut = first.outside > maxOutside * records && area.projection === 'albersUsa' && extent !== null
  const drawing = isCut ? await draw(await landAround(ctx, 'world-countries', extent)) : first
  const { svg, classes, areShapes, ...counts } = drawing
  const note = [
    hasShapes && !areShapes ? describeManyShapes(reading.locale) : '',
    counts.marks < counts.drawnCount ? w.largerCircles : '',
  ]
  return {
    svg,
    sentence: describePictureCounts({ records, ...counts }, reading.locale),
    note: note.filter(Boolean).join(' '),
    legend: classes.length > 0 && isCounted ? { legend: { classes } } : {},
  }
}

/** Half a unit of the picture in degrees. */
function computeHalfPixel([west, south, east, north]: Bounds): number {
  return Math.max((east - west) / size.width, (north - south) / size.height, 1e-6) / 2
}

/** The data that hydrates the map of a source, with the permissions of the person; null without one. */
export async function liveSourceMap(args: LoaderFunctionArgs): Promise<MapData | null> {
  const { source } = await load(args, {
    source: { endpoint: v1.source.findById, options: { includes: [{ resource: 'dataType' }] } },
  })
  const map = await loadSourceMap(args, source, maxNamed)
  return map && liveData(args, map)
}

/** Its data, with a time slider where its records have dates. */
async function liveData(args: LoaderFunctionArgs, { area, layer, reading }: SourceMapData) {
  const time = await placeTime(args, [layer])
  return livePlace(args.context.ctx, area, [layer], null, null, reading.locale, time)
}

interface SourceMapData {
  area: PlaceArea
  layer: PlaceLayer
  reading: ReaderSettings
  draft: ReturnType<typeof mapDraft>
}

/** A source as returned by the API, with its data type. */
type MappedSource = LayerSource & { dataType?: unknown }

/** The map fields of a source; null if its data type is unknown. */
function pickMapFields({ dataType }: MappedSource) {
  const { schema, mappingLabelSchema, temporal } = (dataType ?? {}) as {
    schema?: FieldSchema
    mappingLabelSchema?: Labels
    temporal?: { primary: string } | null
  }
  if (!schema) return null
  const time = findTimeField({ schema, temporal })
  return { ...mapFields(schema, mappingLabelSchema ?? null), schema, ...(time && { time }) }
}

async function loadSourceMap(
  args: LoaderFunctionArgs,
  source: MappedSource,
  mostPoints: number,
): Promise<SourceMapData | null> {
  const reading = await loadReaderSettings(args)
  const extent = source.extent as Bounds | null
  const fields = pickMapFields(source)
  if (!extent || !fields) return null
  const loadLand = (box: Bounds) => landAround(args.context.ctx, chooseLandSet(box), box)
  const { time, schema } = fields
  const layerIn = async (box: PlaceArea['box']) => ({
    ...(await loadPlaceLayer(args, { source, fields, at: 0, namedCount: mostPoints, boxes: [box] }, reading)),
    ...(time && { time }),
  })
  const whole = await loadLand(extent)
  const first = await layerIn(whole.box)
  // A wide map is narrowed to most of the records: a few outliers, or the antimeridian, would otherwise show the whole earth.
  const most = whole.box === null ? boxOfMost(first.dots) : null
  const area = most ? await loadLand(most) : whole
  // A narrower area has finer clusters.
  const isFiner = area.box !== null && area.box !== whole.box
  const layer = isFiner ? await layerIn(area.box) : first
  const chartSource = { id: source.id, dataTypeId: source.dataTypeId, schema, primary: null }
  return { area, layer, reading, draft: mapDraft(chartSource, extent) }
}
