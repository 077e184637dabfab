import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { packed } from '#app/components/builder/address.ts'
import type { MapWithListProps } from '#app/components/hub/map-page.tsx'
import { words } from '#app/components/hub/words.ts'
import type { Bounds, MapData } from '#app/islands/map-data.ts'
import { mapFields } from '#app/maps/map-fields.ts'
import { placeMap as drawPlace } from '#app/maps/place-map.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { v1 } from '#functions/v1/index.ts'
import { livePlace } from './figures/live-place.server.ts'
import { landAround, type PlaceArea } from './figures/place-area.server.ts'
import { layerOf, type Labels, type LayerSource, type PlaceLayer } from './figures/place-layers.server.ts'
import { load } from './load.server.ts'
import { shownLayer } from './place-map.server.ts'
import { readingOf } from './reading.server.ts'
import { landOf, mapDraft } from './source-chart.server.ts'
import type { Reading } from './figures/figure.server.ts'

/** Records that the list beside the map names. */
const mostNamed = 240

const size = { width: 640, height: 420 }

/**
 * Where the records of a source lie, and the newest of them as a list; live it shows all of them. `to`: where another map is
 * made of them; null for sources without a field of points. Null where no record has a place.
 */
export async function sourceMap(
  args: LoaderFunctionArgs,
  source: MappedSource,
): Promise<(MapWithListProps & { to: string | null }) | null> {
  const found = await mapped(args, source)
  if (!found) return null
  const { area, layer, reading, draft } = found
  const w = words(reading.locale)
  const { name, id, count } = layer.source
  const isCounted = layer.dots.some(({ value }) => value !== undefined)
  const svg = drawPlace({
    ...{ regions: area.regions, boundary: area.boundary, projection: area.projection, ...size },
    isOnPoints: area.box !== null,
    layers: [{ points: layer.dots, fill: `var(${layer.token})` }],
    title: name,
    description: [w.records(count), ...(isCounted ? [w.largerCircles] : [])].join('. '),
    id: 'source-map',
  })
  const shown = shownLayer(null, layer, reading)
  return {
    map: {
      ...{ title: name, svg, locale: reading.locale, variant: 'plain' },
      mapHref: `/sources/${encodeURIComponent(id)}/map/live`,
      ...(isCounted ? { note: w.largerCircles } : {}),
    },
    items: [],
    layers: [shown],
    locale: reading.locale,
    to: draft ? `/insights/create?q=${await packed(draft)}` : null,
  }
}

/** What makes the map of a source live, for the person who asks; null where there is none. */
export async function liveSourceMap(args: LoaderFunctionArgs): Promise<MapData | null> {
  const { source } = await load(args, {
    source: { endpoint: v1.source.findById, options: { includes: [{ resource: 'dataType' }] } },
  })
  const found = await mapped(args, source)
  return found && livePlace(args.context.ctx, found.area, [found.layer], null, null)
}

interface Mapped {
  area: PlaceArea
  layer: PlaceLayer
  reading: Reading
  draft: ReturnType<typeof mapDraft>
}

/** A source as the API gives it, with its data type. */
type MappedSource = LayerSource & { dataType?: unknown }

async function mapped(args: LoaderFunctionArgs, source: MappedSource): Promise<Mapped | null> {
  const reading = await readingOf(args)
  const extent = source.extent as Bounds | null
  const { schema, mappingLabelSchema } = (source.dataType ?? {}) as {
    schema?: FieldSchema
    mappingLabelSchema?: Labels
  }
  if (!extent || !schema) return null
  const area = await landAround(args.context.ctx, landOf(extent), extent)
  const fields = mapFields(schema, mappingLabelSchema ?? null)
  const layer = await layerOf(args, { source, fields, at: 0, named: mostNamed, box: area.box }, reading)
  const charted = { id: source.id, dataTypeId: source.dataTypeId, schema, primary: null }
  return { area, layer, reading, draft: mapDraft(charted, extent) }
}
