import { sql, type RawBuilder } from 'kysely'
import type { Feature, GeoJsonProperties, Geometry, GeometryCollection, Point } from 'geojson'
import type { Context } from '#functions/context.ts'
import type { ClusterOptions } from '#functions/shapes/datum.ts'
import {
  cellCount,
  cellsPerTileBits,
  deinterleave,
  keyLevel,
  positionAt,
  prefix,
  pyramidZoom,
  computeKeyRanges,
  touches,
  type Box,
} from '#functions/engine/tile/morton.ts'
import { isOfSet } from '#functions/engine/query/index.ts'
import { countHeavy } from './budget.ts'
import { toRecordData, rowColumns, type Row } from '../records/read.ts'
import { fromRanges, MapReader } from './map/cells.ts'
import type { Group, Single } from '#functions/engine/tile/cells.ts'
import { clusterProperties } from '#functions/engine/tile/features.ts'
import { groupsIn, isFew } from '#functions/engine/tile/groups.ts'
import { narrowing, createTooManyRecordsError } from './map/narrow.ts'
import { apart } from '#functions/engine/tile/points.ts'
import { open, compileRows, run, type Dataset, type Scope } from './open.ts'

/** From this zoom on, records are shown one by one. */
const plainZoom = 16
const maxFeatures = 5000
/** A box with more cells than this is answered at a coarser zoom. */
const maxCells = 16_384
/** A box with more records than this is answered at zoom 9 at most, where counts are stored. */
const maxInBox = 200_000

const world: Box = { xmin: -180, ymin: -85.0511287798, xmax: 180, ymax: 85.0511287798 }

/** A record or a cluster of them; only records have an id. */
type MapFeature = Feature<Exclude<Geometry, GeometryCollection>, Exclude<GeoJsonProperties, null>> & {
  id?: string
}

/**
 * `zoom`: the zoom of the answer, which may be coarser than requested. `total`: the number of records shown.
 * `isCut`: there were more than 5,000 to show one by one.
 */
interface Clusters {
  type: 'FeatureCollection'
  features: MapFeature[]
  meta: { zoom: number; total: number; isCut: boolean }
}

/**
 * Records for a map at a zoom: one point per cell (an eighth of a tile), at the centre of its records, as a
 * cluster if there are several; the numbers agree with those of the tiles. Lines and polygons count at their
 * centroid. From zoom 16 on, the records themselves with their geometry, at most 5,000. Failure `invalid`
 * where a filter would have to count too many records; its message says what to request instead.
 */
export async function cluster(ctx: Context, scope: Scope, options: ClusterOptions): Promise<Clusters> {
  const { zoom: count, maxVisibility, within, ...query } = options
  const isRegion = isOfSet(within)
  const dataset = await open(ctx, scope, { maxVisibility, question: { ...query, within } })
  // A box selects cells; for areas each record is tested.
  const bounds = narrowing(dataset, isRegion ? { ...query, within } : query)
  await countHeavy(ctx, compileRows(dataset, query).steps)
  const box = isRegion ? (dataset.env.set?.region.box ?? world) : toBox(dataset, within)
  if (count >= plainZoom) return readUnclusteredFeatures(ctx, dataset, bounds.where, box, count)
  const reader = new MapReader(ctx, dataset)
  let answerZoom = count
  while (answerZoom > 0 && cellCount(box, answerZoom + cellsPerTileBits) > maxCells) answerZoom -= 1
  if (
    answerZoom > pyramidZoom &&
    !(await isFew(reader, pyramidZoom, computeKeyRanges(box, answerZoom + cellsPerTileBits), maxInBox))
  ) {
    if (bounds.by === 'records') throw createTooManyRecordsError(dataset)
    answerZoom = pyramidZoom
  }
  const row = await groupsIn(reader, bounds, answerZoom, computeKeyRanges(box, answerZoom + cellsPerTileBits))
  const { level } = row
  const { groups, singles } = await apart(reader, { narrowing: bounds, shownFields: [] }, row.groups)
  const zoom = level - cellsPerTileBits
  const isInside = touches(box, level)
  const groupsInside = groups.filter(({ cell }) => isInside(deinterleave(cell)))
  const alone = singles.filter(({ key }) => isInside(deinterleave(prefix(key, keyLevel - level))))
  const features = [...groupsInside.map((group) => clusterFeature(group, level)), ...alone.map(singleFeature)]
  const total = groupsInside.reduce((sum, { n }) => sum + n, alone.length)
  return { type: 'FeatureCollection', features, meta: { zoom, total, isCut: false } }
}

/**
 * The box of `within`, validated by the query language; the whole world without one. Its corners are any two
 * opposite ones, as in lists.
 */
function toBox(dataset: Dataset, within: unknown): Box {
  if (within === undefined || within === null || within === '') return world
  compileRows(dataset, { within })
  const { xmin, ymin, xmax, ymax } = within as Record<keyof Box, unknown>
  const [x, y] = [
    [Number(xmin), Number(xmax)],
    [Number(ymin), Number(ymax)],
  ] as const
  return { xmin: Math.min(...x), ymin: Math.min(...y), xmax: Math.max(...x), ymax: Math.max(...y) }
}

async function readUnclusteredFeatures(
  ctx: Context,
  dataset: Dataset,
  where: RawBuilder<boolean>[],
  box: Box,
  zoom: number,
): Promise<Clusters> {
  const { scope, readings } = dataset
  const level = Math.min(keyLevel, zoom + cellsPerTileBits)
  const rows = await run(
    ctx,
    dataset,
    sql<Row>`select ${rowColumns(readings, 7)} ${fromRanges(scope.from, sql`t.key`, computeKeyRanges(box, level))}
      and ${sql.join([...scope.where, ...where], sql` and `)} order by t.id limit ${maxFeatures + 1}::int`,
  )
  const scalars = readings.filter(({ isGeometry }) => !isGeometry)
  const features = rows.slice(0, maxFeatures).map((row): MapFeature => ({
    type: 'Feature',
    id: row.id,
    geometry: row.geometry as MapFeature['geometry'],
    properties: { ...toRecordData(scalars, row), id: row.id },
  }))
  const meta = { zoom, total: features.length, isCut: rows.length > maxFeatures }
  return { type: 'FeatureCollection', features, meta }
}

function clusterFeature(group: Group, level: number): MapFeature {
  const { n, x, y } = group
  return { type: 'Feature', geometry: pointAt(x / n, y / n), properties: clusterProperties(group, level) }
}

function singleFeature({ id, key }: Single): MapFeature {
  const { x, y } = deinterleave(key)
  return { type: 'Feature', id, geometry: pointAt(x, y), properties: { id } }
}

/** The centre of a cell at key level, which is about 0.6 m wide, so six decimals are enough. */
function pointAt(x: number, y: number): Point {
  const [longitude, latitude] = positionAt({ x: x + 0.5, y: y + 0.5 })
  return { type: 'Point', coordinates: [Math.round(longitude * 1e6) / 1e6, Math.round(latitude * 1e6) / 1e6] }
}
