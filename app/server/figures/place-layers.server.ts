import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { Feature, Geometry } from 'geojson'
import { axisTitle, formatValue } from '#functions/engine/chart/format.ts'
import type { ChartToken } from '#functions/engine/chart/palette.ts'
import type { Bounds, MapPoint as Listed } from '#app/islands/map-data.ts'
import type { MapPoint } from '#functions/engine/map/dots.ts'
import { mapFields, type MapFields } from '#functions/engine/map/map-fields.ts'
import { computeFeatureBox } from '#functions/engine/picture/shapes.ts'
import type { Datum } from '#functions/shapes/datum.ts'
import type { Field, FieldSchema } from '#functions/shapes/field.ts'
import { isHidden } from '#functions/edge/hub/hub-pages.ts'
import { v1 } from '#functions/v1/index.ts'
import { load } from '../load.server.ts'
import { dataCredit, type CreditedSource } from './credit.server.ts'
import type { ReaderSettings } from './figure.server.ts'

/** Maximum number of sources on a map: more colours are indistinguishable. The style sheet has as many switches. */
const maxLayers = 6
/** Maximum number of records in the lists of all layers together. */
const maxNamed = 90
/** Zoom levels beyond the one at which the box is a tile: dots of a picture are clustered at 1/256 of it. */
const fineness = 5

/** A source as a layer of a place's map. */
export interface PlaceLayer {
  /** Key of its switch and its map layers. */
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
  /** Where its data are from, and their date. */
  credit: string
  /** The date field of its records; absent without one, or if it is ambiguous. */
  time?: { key: string; field: Field }
  /** The positions of its records, clustered. */
  dots: MapPoint[]
  /** The number of records in the dots: those with a position within the boxes. */
  pointCount: number
  /** The newest records within the boxes, for the list: a live map adds those that its reader pans to. */
  namedPoints: (Listed & { lines: string[]; data: Record<string, unknown> })[]
}

/**
 * The sources of the active place with positions, as layers of its map: the public ones on its hub, those visible to this person in
 * the workspace. `left`: how many more there are than a map shows.
 */
export async function placeLayers(
  args: LoaderFunctionArgs,
  boxes: readonly (Bounds | null)[],
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
    const time = findTimeField(dataType)
    return [{ source, fields: mapFields(dataType.schema, dataType.mappingLabelSchema), time }]
  })
  const firstSources = candidates.slice(0, maxLayers)
  const mostOfEach = Math.floor(maxNamed / Math.max(1, firstSources.length))
  const layers = await Promise.all(
    firstSources.map(async ({ source, fields, time }, at) => ({
      ...(await loadPlaceLayer(args, { source, fields, at, namedCount: mostOfEach, boxes }, reading)),
      ...(time && { time }),
    })),
  )
  return { layers, leftOutCount: candidates.length - firstSources.length }
}

/** The members of an API source that its layer needs. */
export type LayerSource = Pick<
  PlaceLayer['source'],
  'id' | 'placeId' | 'dataTypeId' | 'name' | 'dataVersion'
> &
  CreditedSource & { count: unknown; visibility: string; extent: unknown }

interface PlacedSource {
  source: LayerSource
  fields: MapFields
  /** Its index among the layers of the map, from 0. */
  at: number
  /** The number of records to list; 0 loads none. */
  namedCount: number
  /** The boxes of its dots, which do not overlap; null for the whole earth. */
  boxes: readonly (Bounds | null)[]
}

/** A source as a layer: its dots within some boxes, and its newest records there. */
export async function loadPlaceLayer(
  args: LoaderFunctionArgs,
  { source, fields, at, namedCount, boxes }: PlacedSource,
  reading: ReaderSettings,
): Promise<PlaceLayer> {
  const params = { placeId: source.placeId, sourceId: source.id }
  const views = boxes.flatMap(questionsForView)
  const [clusters, records] = await Promise.all([
    Promise.all(
      views.map(async (options) => {
        const endpoint = v1.place.source.datum.cluster
        return (await load(args, { clusters: { endpoint, params, options } })).clusters
      }),
    ),
    listNewestRecords(args, { params, fields, limit: namedCount, views }),
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
    credit: dataCredit([source], reading),
    dots: toDots(clusters.flatMap(({ features }) => features)),
    pointCount: clusters.reduce((sum, { meta }) => sum + meta.total, 0),
    namedPoints: records
      .flatMap((record) => toNamedPoints(key, record, fields, reading))
      .sort((a, b) => a.name.localeCompare(b.name, reading.locale, { numeric: true })),
  }
}

interface NewestOptions {
  params: { placeId: string; sourceId: string }
  fields: MapFields
  limit: number
  views: readonly ViewQuestion[]
}

/** The newest records with a position in some views, at most `limit` in all; none is asked for with 0. */
async function listNewestRecords(
  args: LoaderFunctionArgs,
  { params, fields, limit, views }: NewestOptions,
): Promise<Datum[]> {
  if (limit === 0) return []
  const withPlace = fields.geometry ? { filters: { [`data.${fields.geometry}`]: { $ne: null } } } : {}
  const lists = await Promise.all(
    views.map(async ({ within }) => {
      const options = { limit: String(limit), count: 'none', ...withPlace, ...(within && { within }) }
      const { records } = await load(args, {
        records: { endpoint: v1.place.source.datum.find, params, options },
      })
      return records.results as Datum[]
    }),
  )
  // A shape may reach into several views.
  return [...new Map(lists.flat().map((record) => [record.id, record])).values()].slice(0, limit)
}

interface LayerType {
  schema: FieldSchema
  mappingLabelSchema: Labels
  temporal?: { primary: string } | null
}

/** The date field of a data type's records: the temporal one, else the only one; undefined without. */
export function findTimeField({
  schema,
  temporal,
}: Pick<LayerType, 'schema' | 'temporal'>): PlaceLayer['time'] {
  const dates = Object.entries(schema).filter(([, { type }]) => type === 'date')
  const [key, field] =
    dates.find(([each]) => each === temporal?.primary) ?? (dates.length === 1 ? dates[0]! : [])
  return key !== undefined && field ? { key, field } : undefined
}

export type Labels = Record<string, string> | null

interface ViewQuestion {
  zoom: string
  within?: { xmin: number; ymin: number; xmax: number; ymax: number }
}

/** The queries for the dots within a box, or of the whole earth; a box across the antimeridian becomes one on each side. */
function questionsForView(box: Bounds | null): ViewQuestion[] {
  if (!box) return [{ zoom: '4' }]
  const [west, ymin, east, ymax] = box
  const span = Math.max(east - west, ymax - ymin, 0.01)
  const zoom = String(Math.min(14, Math.max(0, Math.floor(Math.log2(360 / span)) + fineness)))
  return splitLongitudes(west, east).map(([xmin, xmax]) => ({ zoom, within: { xmin, ymin, xmax, ymax } }))
}

/** The ranges of longitudes from -180 to 180 between a west and an east, which is beyond 180 across the antimeridian. */
function splitLongitudes(west: number, east: number): [west: number, east: number][] {
  if (east <= 180) return [[west, east]]
  if (east - west >= 360) return [[-180, 180]]
  return [
    [west, 180],
    [-180, east - 360],
  ]
}

/** Dots with their counts. Without clusters the counts are omitted, so that all dots have one size. */
function toDots(features: Feature[]): MapPoint[] {
  const getPointCount = ({ properties }: Feature) => Number(properties?.point_count ?? 1)
  const isCounted = features.some((feature) => getPointCount(feature) > 1)
  return features.flatMap((feature) => {
    // From zoom 16 on there are shapes as well; no view of a place goes that far.
    if (feature.geometry.type !== 'Point') return []
    const [lon = 0, lat = 0] = feature.geometry.coordinates
    return isCounted ? { lon, lat, value: getPointCount(feature) } : { lon, lat }
  })
}

function toNamedPoints(
  key: string,
  { id, externalId, data, geometry }: Datum,
  { name, lines }: MapFields,
  reading: ReaderSettings,
): PlaceLayer['namedPoints'] {
  if (!geometry) return []
  const where = findPosition(geometry as Geometry)
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

function findPosition(geometry: Geometry): { at: [number, number] } | { bounds: Bounds } | null {
  if (geometry.type === 'Point') {
    const [lon = 0, lat = 0] = geometry.coordinates
    return { at: [lon, lat] }
  }
  const box = computeFeatureBox({ geometry })
  return box[0] <= box[2] ? { bounds: box } : null
}
