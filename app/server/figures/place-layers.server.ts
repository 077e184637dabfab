import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { Feature, Geometry } from 'geojson'
import { axisTitle, formatValue } from '#functions/engine/chart/format.ts'
import type { ChartToken } from '#functions/engine/chart/palette.ts'
import type { Bounds, MapPoint as Listed } from '#app/islands/map-data.ts'
import type { MapPoint } from '#functions/engine/map/dots.ts'
import { mapFields, type MapFields } from '#functions/engine/map/map-fields.ts'
import { boxOf } from '#functions/engine/picture/shapes.ts'
import type { Datum } from '#functions/shapes/datum.ts'
import type { Field, FieldSchema } from '#functions/shapes/field.ts'
import { isHidden } from '#functions/edge/hub/hub-pages.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from '../load.server.ts'
import type { ReaderSettings } from './figure.server.ts'

/** Sources on one map at most: more colours cannot be told apart. The style sheet has as many switches. */
const mostLayers = 6
/** Records that the lists of all layers name together. */
const mostNamed = 240
/** Zooms beyond the one at which the box is a tile: dots of a picture are gathered in 1/256 of it. */
const fineness = 5

/** One source of a place on its map. */
export interface PlaceLayer {
  /** What its switch and its layers are called. */
  key: string
  token: ChartToken
  source: {
    id: string
    placeId: string
    dataTypeId: string
    name: string
    count: number
    dataVersion: number
    isPublic: boolean
    extent: Bounds | null
  }
  fields: MapFields
  /** The field that says when its records are; absent: none does, or several might. */
  time?: { key: string; field: Field }
  /** Where its records are, near ones together. */
  dots: MapPoint[]
  /** How many records the dots stand for: those with a place in the box. */
  pointCount: number
  /** The newest records with a place, by name: what the list names. */
  namedPoints: (Listed & { lines: string[]; data: Record<string, unknown> })[]
}

/**
 * The sources of the active place that have places, as layers of its map: the public ones on its hub, those this person may
 * see in the workspace. `left`: how many more there are than a map shows.
 */
export async function placeLayers(
  args: LoaderFunctionArgs,
  box: Bounds | null,
  reading: ReaderSettings,
): Promise<{ layers: PlaceLayer[]; leftOutCount: number }> {
  const { site } = args.context.ctx
  const { sources } = await load(args, {
    sources: {
      endpoint: v1.place.source.find,
      options: {
        includes: 'dataType',
        limit: '200',
        ...(site.mode === 'hub' ? { maxVisibility: 'public' } : {}),
      },
    },
  })
  const candidates = sources.results.flatMap((source) => {
    const dataType = source.dataType as LayerType | null | undefined
    if (!source.extent || !dataType || isHidden(source.placeId, source.dataTypeId)) return []
    const time = timeOf(dataType)
    return [{ source, fields: mapFields(dataType.schema, dataType.mappingLabelSchema), time }]
  })
  const firstSources = candidates.slice(0, mostLayers)
  const mostOfEach = Math.floor(mostNamed / Math.max(1, firstSources.length))
  const layers = await Promise.all(
    firstSources.map(async ({ source, fields, time }, at) => ({
      ...(await layerOf(args, { source, fields, at, namedCount: mostOfEach, box }, reading)),
      ...(time && { time }),
    })),
  )
  return { layers, leftOutCount: candidates.length - firstSources.length }
}

/** As much of a source, as the API gives it, as its layer needs. */
export type LayerSource = Pick<
  PlaceLayer['source'],
  'id' | 'placeId' | 'dataTypeId' | 'name' | 'dataVersion'
> & { count: unknown; visibility: string; extent: unknown }

interface PlacedSource {
  source: LayerSource
  fields: MapFields
  /** Its number among the layers of the map, from 0. */
  at: number
  /** How many of its records are named; 0: none are read. */
  namedCount: number
  box: Bounds | null
}

/** One source as a layer: its dots in a box, and its newest records with a place. */
export async function layerOf(
  args: LoaderFunctionArgs,
  { source, fields, at, namedCount: mostPoints, box }: PlacedSource,
  reading: ReaderSettings,
): Promise<PlaceLayer> {
  const params = { placeId: source.placeId, sourceId: source.id }
  const withPlace = fields.geometry ? { filters: { [`data.${fields.geometry}`]: { $ne: null } } } : {}
  const [clusters, records] = await Promise.all([
    Promise.all(
      questionsForView(box).map(async (options) => {
        const endpoint = v1.place.source.datum.cluster
        return (await load(args, { clusters: { endpoint, params, options } })).clusters
      }),
    ),
    mostPoints === 0
      ? []
      : load(args, {
          records: {
            endpoint: v1.place.source.datum.find,
            params,
            options: { limit: String(mostPoints), count: 'none', ...withPlace },
          },
        }).then(({ records }) => records.results as Datum[]),
  ])
  const key = `layer-${at + 1}`
  const { id, placeId, dataTypeId, name, dataVersion } = source
  return {
    key,
    token: `--cat-${(at + 1) as 1 | 2 | 3 | 4 | 5 | 6}`,
    source: {
      ...{ id, placeId, dataTypeId, name, dataVersion, count: Number(source.count) },
      isPublic: source.visibility === 'public',
      extent: source.extent as Bounds | null,
    },
    fields,
    dots: dotsOf(clusters.flatMap(({ features }) => features)),
    pointCount: clusters.reduce((sum, { meta }) => sum + meta.total, 0),
    namedPoints: records
      .flatMap((record) => namedRecord(key, record, fields, reading))
      .sort((a, b) => a.name.localeCompare(b.name, reading.locale, { numeric: true })),
  }
}

interface LayerType {
  schema: FieldSchema
  mappingLabelSchema: Labels
  temporal?: { primary: string } | null
}

function timeOf({ schema, temporal }: LayerType): PlaceLayer['time'] {
  const dates = Object.entries(schema).filter(([, { type }]) => type === 'date')
  const [key, field] =
    dates.find(([each]) => each === temporal?.primary) ?? (dates.length === 1 ? dates[0]! : [])
  return key !== undefined && field ? { key, field } : undefined
}

export type Labels = Record<string, string> | null

/** The questions for the dots in a box, or of the whole earth: a box that crosses the antimeridian is one on each side of it. */
function questionsForView(box: Bounds | null) {
  if (!box) return [{ zoom: '4' }]
  const [west, ymin, east, ymax] = box
  const span = Math.max(east - west, ymax - ymin, 0.01)
  const zoom = String(Math.min(14, Math.max(0, Math.floor(Math.log2(360 / span)) + fineness)))
  const behind = east - 360
  const sides =
    behind >= west
      ? [[-180, 180]]
      : behind > -180
        ? [
            [west, 180],
            [-180, behind],
          ]
        : [[west, east]]
  return sides.map(([xmin, xmax]) => ({ zoom, within: { xmin, ymin, xmax, ymax } }))
}

/** Dots with their counts; without any where each is one record, as dots of one size say it better. */
function dotsOf(features: Feature[]): MapPoint[] {
  const countOf = ({ properties }: Feature) => Number(properties?.point_count ?? 1)
  const isCounted = features.some((feature) => countOf(feature) > 1)
  return features.flatMap((feature) => {
    // From zoom 16 on there would be shapes as well: no view of a place asks for that.
    if (feature.geometry.type !== 'Point') return []
    const [lon = 0, lat = 0] = feature.geometry.coordinates
    return isCounted ? { lon, lat, value: countOf(feature) } : { lon, lat }
  })
}

function namedRecord(
  key: string,
  { id, externalId, data, geometry }: Datum,
  { name, lines }: MapFields,
  reading: ReaderSettings,
): PlaceLayer['namedPoints'] {
  if (!geometry) return []
  const where = whereOf(geometry as Geometry)
  if (!where) return []
  const label = name === null ? undefined : data[name]
  return [
    {
      key: `${key}:${id}`,
      id,
      name: label === undefined || label === '' ? externalId : String(label as string),
      ...where,
      data,
      lines: lines.flatMap(({ key: field, label, field: about }) => {
        const value = data[field]
        if (value === undefined || value === '') return []
        const title = axisTitle({ ...about, name: label })
        return [`${title}: ${formatValue(value, about, { ...reading, unit: '' })}`]
      }),
    },
  ]
}

function whereOf(geometry: Geometry): { at: [number, number] } | { bounds: Bounds } | null {
  if (geometry.type === 'Point') {
    const [lon = 0, lat = 0] = geometry.coordinates
    return { at: [lon, lat] }
  }
  const box = boxOf({ geometry })
  return box[0] <= box[2] ? { bounds: box } : null
}
