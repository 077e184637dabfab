import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { hubTexts } from '#app/components/hub/texts.ts'
import type { LayerNote } from '#app/components/hub/figure.tsx'
import type { MapPageLayer, MapPageProps } from '#app/components/hub/map-page.tsx'
import type { MapData } from '#app/islands/map-data.ts'
import { describeCount, describeUnshownRecords } from '#functions/engine/map/words.ts'
import { regionValues } from '#functions/engine/picture/map.ts'
import { v1 } from '#functions/v1/index.ts'
import type { ReaderSettings } from './figures/figure.server.ts'
import { placeMapOnGround } from './figures/ground.server.ts'
import { livePlace, namesSwitch } from './figures/live-place.server.ts'
import { getRecordBoxes, placeArea, type PlaceArea } from './figures/place-area.server.ts'
import { placeLayers, type PlaceLayer } from './figures/place-layers.server.ts'
import { buildColouring, placeValues, valuesLayer, type PlaceValues } from './figures/place-values.server.ts'
import { placeTime } from './figures/place-time.server.ts'
import { insightMap } from './insight-map.server.ts'
import { load } from './load.server.ts'
import { count, loadReaderSettings, hubPathBuilder } from './page-language.server.ts'

const size = { width: 640, height: 480 }

/** The path from which the workspace loads the data that hydrates its map; a hub stores a file. */
const livePath = '/map/live'

/**
 * The place's map: its boundary and surrounding borders, its sources as layers, and all of it as a list. A place without boundary and
 * positions shows its first map insight instead.
 */
export async function placeMap(args: LoaderFunctionArgs): Promise<MapPageProps> {
  const { ctx } = args.context
  const { reading, place, area, layers, values, leftOutCount } = await loadMapData(args)
  const isBare = area.boundary.features.length === 0 && layers.length === 0
  if (isBare) return insightMap(args, reading)
  const w = hubTexts(reading.locale)
  const title = w.placeMap(place.name)
  const isCounted = layers.some(({ dots }) => dots.some(({ value }) => value !== undefined))
  const records = layers.map(({ source }) => `${source.name}: ${w.records(source.count)}`)
  const { svg, layers: drawnLayers } = await placeMapOnGround(args.context.ctx, {
    ...{ regions: area.regions, boundary: area.boundary, projection: area.projection, far: area.far },
    ...{ origins: area.origins, title, ...size },
    layers: layers.map(({ dots, token }) => ({ points: dots, fill: `var(${token})` })),
    format: (value) => describeCount(value, 'records', reading.locale),
    locale: reading.locale,
    ...(values ? { values: buildColouring(values, reading) } : {}),
    description: [
      ...(values?.sentence ? [values.sentence.replace(/\.$/, '')] : []),
      ...records,
      ...(isCounted ? [w.largerCircles] : []),
    ].join('. '),
    id: 'place-map',
  })
  const { showStateLabel } = place.mapConfiguration
  const note = buildLayerNotes(layers, drawnLayers, reading.locale)
  return {
    title,
    map: {
      ...{ title, svg, locale: reading.locale, variant: 'plain' },
      ...(values
        ? { ...(values.sentence && { sentence: values.sentence }), legend: buildLegend(values, area) }
        : {}),
      ...(note.length > 0 ? { note } : {}),
      ...(await findLiveMapLink(args, { place, area, layers, values }, reading.locale)),
    },
    items: [],
    layers: [
      ...(values ? [valuesLayer(args, values)] : []),
      ...layers.map((layer) =>
        buildPageLayer(ctx.site.mode === 'hub' ? hubPathBuilder(ctx) : null, layer, reading),
      ),
    ],
    ...(area.borders === null ? {} : { names: { key: namesSwitch, isOn: showStateLabel === true } }),
    ...(leftOutCount > 0 ? { left: w.moreSources(leftOutCount) } : {}),
    locale: reading.locale,
  }
}

/** For each layer what its circles mean, and how many of its records are not in the picture. */
function buildLayerNotes(
  layers: PlaceLayer[],
  drawnLayers: { amount: number }[],
  locale: string,
): LayerNote[] {
  return layers.flatMap(({ key, source, dots }, at) => {
    const isCounted = dots.some(({ value }) => value !== undefined)
    const unshown = source.count - (drawnLayers[at]?.amount ?? 0)
    const lines = [
      isCounted ? hubTexts(locale).largerCircles : '',
      describeUnshownRecords(unshown, locale),
    ].filter(Boolean)
    if (lines.length === 0) return []
    // With several layers on it would not be clear whose records they are.
    const name = layers.length > 1 ? `${source.name}: ` : ''
    return [{ layer: key, text: name + lines.join(' ') }]
  })
}

/** The data that hydrates the map of the active place, with the permissions of the person; null if the basemap tiles were not built. */
export async function livePlaceMap(args: LoaderFunctionArgs): Promise<MapData | null> {
  const { place, area, layers, values, reading } = await loadMapData(args)
  const time = await placeTime(args, layers)
  return livePlace(args.context.ctx, area, layers, values, getPlaceColour(place), reading.locale, time)
}

interface PlaceMapData {
  place: { name: string; theme: Record<string, string>; mapConfiguration: Record<string, unknown> }
  area: PlaceArea
  layers: PlaceLayer[]
  values: PlaceValues | null
}

async function loadMapData(
  args: LoaderFunctionArgs,
): Promise<PlaceMapData & { reading: ReaderSettings; leftOutCount: number }> {
  const [reading, { place }] = await Promise.all([
    loadReaderSettings(args),
    load(args, { place: v1.place.findById }),
  ])
  const area = await placeArea(args.context.ctx, place)
  const [{ layers, leftOutCount }, values] = await Promise.all([
    placeLayers(args, getRecordBoxes(area), reading),
    placeValues(args, area, reading),
  ])
  return { reading, place, area, layers, values, leftOutCount }
}

/** The colour in the place's style sheet. */
const getPlaceColour = ({ theme, mapConfiguration }: PlaceMapData['place']) =>
  mapConfiguration.layerColor ?? theme.primaryColor

async function findLiveMapLink(
  args: LoaderFunctionArgs,
  { place, area, layers, values }: PlaceMapData,
  locale: string,
) {
  const { ctx } = args.context
  if (ctx.site.mode !== 'hub') return { mapHref: livePath }
  const time = await placeTime(args, layers)
  const live = await livePlace(ctx, area, layers, values, getPlaceColour(place), locale, time)
  return live ? { mapHref: await ctx.attach('application/json', JSON.stringify(live)) } : {}
}

/** The legend of the region colours. */
function buildLegend({ insight, keys, classes, unit }: PlaceValues, { regions }: PlaceArea) {
  // A region whose row has no number is hatched like one without a row.
  const values = regionValues(keys)
  const missing = regions.features.filter(
    ({ properties }) => (values.get(String(properties?.gid)) ?? null) === null,
  )
  return { classes, unit: unit ? `${insight.name} (${unit})` : insight.name, missing: missing.length }
}

/** A layer as shown on the page: its switch and its part of the list. */
export function buildPageLayer(
  toHub: ((path: string) => string) | null,
  { key, token, source, namedPoints }: PlaceLayer,
  reading: ReaderSettings,
): MapPageLayer {
  const w = hubTexts(reading.locale)
  const { id, dataTypeId, name } = source
  return {
    ...{ key, name, fill: `var(${token})`, count: w.records(source.count) },
    href: toHub ? toHub(`/domains/${dataTypeId}/source/${id}`) : `/sources/${id}`,
    items: namedPoints.map(({ key: item, name: pointName, lines }) => ({
      key: item,
      name: pointName,
      ...(lines[0] ? { value: lines[0] } : {}),
    })),
    ...(namedPoints.length < source.count
      ? { countNote: w.firstListed(count(namedPoints.length, reading), count(source.count, reading)) }
      : {}),
  }
}
