import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { pack } from '#app/components/builder/address.ts'
import type { FigureProps } from '#app/components/hub/figure.tsx'
import type { MapWithListProps } from '#app/components/hub/map-page.tsx'
import { words } from '#app/components/hub/words.ts'
import type { Bounds, MapData } from '#app/islands/map-data.ts'
import { mapFields } from '#functions/engine/map/map-fields.ts'
import { tellCount, tellLive, tellManyShapes, tellPictured } from '#functions/engine/map/words.ts'
import { boxOfMost } from '#functions/engine/map/most-of.ts'
import { outlines } from '#functions/domain/dataset/outlines.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { v1 } from '#functions/v1/index.ts'
import { placeMapOnGround } from './figures/ground.server.ts'
import { isTiled, livePlace } from './figures/live-place.server.ts'
import { landAround, type PlaceArea } from './figures/place-area.server.ts'
import { layerOf, type Labels, type LayerSource, type PlaceLayer } from './figures/place-layers.server.ts'
import { load } from './load.server.ts'
import { shownLayer } from './place-map.server.ts'
import { readingOf } from './reading.server.ts'
import { landOf, mapDraft } from './source-chart.server.ts'
import { storedDrawing, type ReaderSettings } from './figures/figure.server.ts'

/** Records that the list beside the map names. */
const mostNamed = 240

const size = { width: 640, height: 420 }

/** The share of the records that may lie outside of a picture, which says how many they are. */
const mostOutside = 0.02

/**
 * Where the records of a source lie, and the newest of them as a list; live it shows all of them. `to`: where another map is
 * made of them; null for sources without a field of points. Null where no record has a place.
 */
export async function sourceMap(
  args: LoaderFunctionArgs,
  source: MappedSource,
): Promise<(MapWithListProps & { to: string | null }) | null> {
  const map = await loadSourceMap(args, source, mostNamed)
  if (!map) return null
  const { layer, reading, draft } = map
  const { name, id, count: records } = layer.source
  const { svg, sentence, legend, note } = await drawSourceMap(args, map)
  const { length } = layer.namedPoints
  const onLive =
    isTiled(layer) || length === layer.pointCount ? null : tellLive(length, records, reading.locale)
  return {
    map: {
      ...{ title: name, svg, sentence, locale: reading.locale, variant: 'plain', ...legend },
      mapHref: `/sources/${encodeURIComponent(id)}/map/live`,
      note: [note, onLive].filter(Boolean).join(' '),
    },
    items: [],
    layers: [shownLayer(null, layer, reading)],
    locale: reading.locale,
    to: draft ? `/insights/create?q=${await pack(draft)}` : null,
  }
}

/**
 * The map that the page of a source has where no insight draws one: all of its records, near ones as one circle. Null where
 * none of them has a place. Its table are the records of the page itself.
 */
export async function recordsFigure(
  args: LoaderFunctionArgs,
  source: MappedSource,
): Promise<FigureProps | null> {
  const { ctx } = args.context
  // Tiles show all records without the page naming any; without tiles the live map has those that are named.
  const fields = fieldsOf(source)
  const hasTiles =
    fields !== null && isTiled({ source: { isPublic: source.visibility === 'public' }, fields })
  const map = await loadSourceMap(args, source, hasTiles ? 0 : mostNamed)
  if (!map) return null
  const { area, layer, reading } = map
  const { svg, sentence, legend, note } = await drawSourceMap(args, map)
  const isWhole = hasTiles || layer.namedPoints.length === layer.pointCount
  const live =
    isWhole && ctx.site.mode === 'hub'
      ? await livePlace(ctx, area, [layer], null, null, reading.locale)
      : null
  return {
    ...{ title: source.name, svg, sentence, locale: reading.locale, ...legend },
    ...(note ? { note } : {}),
    ...(await storedDrawing(ctx, source.id, { svg }, reading.locale)),
    ...(live ? { mapHref: await ctx.attach('application/json', JSON.stringify(live)) } : {}),
  }
}

/** The records of a source as a picture: all of them, and what is said of those that it cannot show. */
async function drawSourceMap(
  { context: { ctx } }: LoaderFunctionArgs,
  { area, layer, reading }: SourceMapData,
) {
  const w = words(reading.locale)
  const { name, count: records, extent, id: sourceId, placeId } = layer.source
  const isCounted = layer.dots.some(({ value }) => value !== undefined)
  const { hasShapes } = layer.fields
  const shapes = hasShapes && extent ? await outlines(ctx, { placeId, sourceId }, detailOf(extent)) : null
  const draw = async ({ regions, boundary, projection, box, opens }: PlaceArea) => {
    const { svg, layers } = await placeMapOnGround(ctx, {
      ...{ regions, boundary, projection, ...size, isOnPoints: box !== null, opens },
      layers: [{ points: layer.dots, fill: `var(${layer.token})`, ...(shapes && { shapes }) }],
      format: (value) => tellCount(value, 'records', reading.locale),
      title: name,
      description: [w.records(records), ...(isCounted && !shapes ? [w.largerCircles] : [])].join('. '),
      id: 'source-map',
    })
    const [first] = layers
    const { circles: marks = 0, classes = [], amount = 0, outside = 0, areShapes = false } = first ?? {}
    return { svg, marks, classes, drawn: amount, outside, areShapes }
  }
  const first = await draw(area)
  // The picture of the United States has no territories: a few records in them are said, of more the earth is drawn.
  const isCut = first.outside > mostOutside * records && area.projection === 'albersUsa' && extent !== null
  const drawing = isCut ? await draw(await landAround(ctx, 'world-countries', extent)) : first
  const { svg, classes, areShapes, ...counts } = drawing
  const note = [
    hasShapes && !areShapes ? tellManyShapes(reading.locale) : '',
    counts.marks < counts.drawn ? w.largerCircles : '',
  ]
  return {
    svg,
    sentence: tellPictured({ records, ...counts }, reading.locale),
    note: note.filter(Boolean).join(' '),
    legend: classes.length > 0 && isCounted ? { legend: { classes } } : {},
  }
}

/** How much of the earth, in degrees, is half a unit of the picture. */
function detailOf([west, south, east, north]: Bounds): number {
  return Math.max((east - west) / size.width, (north - south) / size.height, 1e-6) / 2
}

/** What makes the map of a source live, for the person who asks; null where there is none. */
export async function liveSourceMap(args: LoaderFunctionArgs): Promise<MapData | null> {
  const { source } = await load(args, {
    source: { endpoint: v1.source.findById, options: { includes: [{ resource: 'dataType' }] } },
  })
  const map = await loadSourceMap(args, source, mostNamed)
  return map && livePlace(args.context.ctx, map.area, [map.layer], null, null, map.reading.locale)
}

interface SourceMapData {
  area: PlaceArea
  layer: PlaceLayer
  reading: ReaderSettings
  draft: ReturnType<typeof mapDraft>
}

/** A source as the API gives it, with its data type. */
type MappedSource = LayerSource & { dataType?: unknown }

/** What maps say of the records of a source; null where its data type is not known. */
function fieldsOf({ dataType }: MappedSource) {
  const { schema, mappingLabelSchema } = (dataType ?? {}) as {
    schema?: FieldSchema
    mappingLabelSchema?: Labels
  }
  return schema ? { ...mapFields(schema, mappingLabelSchema ?? null), schema } : null
}

async function loadSourceMap(
  args: LoaderFunctionArgs,
  source: MappedSource,
  mostPoints: number,
): Promise<SourceMapData | null> {
  const reading = await readingOf(args)
  const extent = source.extent as Bounds | null
  const fields = fieldsOf(source)
  if (!extent || !fields) return null
  const around = (box: Bounds) => landAround(args.context.ctx, landOf(box), box)
  const layerIn = (box: PlaceArea['box']) =>
    layerOf(args, { source, fields, at: 0, namedCount: mostPoints, box }, reading)
  const whole = await around(extent)
  const first = await layerIn(whole.box)
  // What is wide is looked at again: a few far records, or the antimeridian, would make a map of the earth of it.
  const most = whole.box === null ? boxOfMost(first.dots) : null
  const area = most ? await around(most) : whole
  // A narrower part has finer circles.
  const isFiner = area.box !== null && area.box !== whole.box
  const layer = isFiner ? await layerIn(area.box) : first
  const { schema } = fields
  const chartSource = { id: source.id, dataTypeId: source.dataTypeId, schema, primary: null }
  return { area, layer, reading, draft: mapDraft(chartSource, extent) }
}
