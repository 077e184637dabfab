import { sql, type RawBuilder } from 'kysely'
import type { Feature, FeatureCollection, Point } from 'geojson'
import type { Context } from '#functions/context.ts'
import type { ClusterOptions } from '#functions/shapes/datum.ts'
import {
  cellCount,
  cellsPerTileBits,
  deinterleave,
  keyLevel,
  positionAt,
  pyramidZoom,
  rangesOf,
  touches,
  type Box,
  type KeyRange,
} from '../records/morton.ts'
import { dataOf, rowColumns, type Row } from '../records/read.ts'
import { open, rowsOf, run, type Dataset, type Scope } from './open.ts'

/** From this zoom on there are no clusters. */
const plainZoom = 16
const maxFeatures = 5000
/** A box that has more cells at the zoom asked for is answered at a coarser one. */
const maxCells = 16_384

const world: Box = { xmin: -180, ymin: -85.0511287798, xmax: 180, ymax: 85.0511287798 }

/** `zoom` is the one answered for. `total` counts the records shown; `isCut`: there were more than 5,000 to show singly. */
export interface Clusters extends FeatureCollection {
  meta: { zoom: number; total: number; isCut: boolean }
}

/** Some records of a map cell: how many, and the sums of their columns and rows in cells of key level. */
interface Group {
  cell: number
  n: number
  x: number
  y: number
}

/**
 * Records on a map of a zoom: one point for each cell of an eighth of a tile, at the middle of its records, as a
 * cluster when there are several. Shapes count where their centre is. Without filters zooms to 9 read kept counts. From
 * zoom 16 on the records themselves with their geometry, at most 5,000.
 */
export async function cluster(ctx: Context, scope: Scope, options: ClusterOptions): Promise<Clusters> {
  const { zoom: asked, maxVisibility, within, ...query } = options
  const dataset = await open(ctx, scope, { maxVisibility, question: query })
  const { where } = rowsOf(dataset, query)
  const box = boxOf(dataset, within)
  if (asked >= plainZoom) return plainFeatures(ctx, dataset, where, box, asked)
  let zoom = asked
  while (zoom > 0 && cellCount(box, zoom + cellsPerTileBits) > maxCells) zoom -= 1
  const level = zoom + cellsPerTileBits
  const isKept = where.length === 0 && zoom <= pyramidZoom
  const groups = await (isKept ? kept(ctx, dataset, box, zoom) : counted(ctx, dataset, where, box, level))
  const isInside = touches(box, level)
  const shown = groups.filter(({ cell }) => isInside(deinterleave(cell)))
  const singles = await singlesIn(ctx, dataset, where, level, shown)
  const features = shown.map((group) => {
    const single = singles.get(group.cell)
    return single ?? clusterFeature(group, zoom)
  })
  const total = shown.reduce((sum, { n }) => sum + n, 0)
  return { type: 'FeatureCollection', features, meta: { zoom, total, isCut: false } }
}

/** The box of `within`, checked by the query language; the whole world without one. */
function boxOf(dataset: Dataset, within: unknown): Box {
  if (within === undefined || within === null || within === '') return world
  rowsOf(dataset, { within })
  const { xmin, ymin, xmax, ymax } = within as Record<keyof Box, unknown>
  return { xmin: Number(xmin), ymin: Number(ymin), xmax: Number(xmax), ymax: Number(ymax) }
}

async function kept(ctx: Context, { sourceIds }: Dataset, box: Box, zoom: number): Promise<Group[]> {
  const level = zoom + cellsPerTileBits
  const shrink = 4 ** (keyLevel - level)
  const ranges = rangesOf(box, level).map(([low, high]): KeyRange => [low / shrink, high / shrink])
  const found = await run(
    ctx,
    sql<Record<keyof Group, string | number>>`
      select p.cell, sum(p.n) as n, sum(p.sum_x) as x, sum(p.sum_y) as y from cluster_pyramid p
      join ${rangeTable(ranges)} on p.cell >= r.low and p.cell < r.high
      where p.source_id = any(${sourceIds}::text[]) and p.z = ${zoom}::smallint group by p.cell`,
  )
  return found.map(({ cell, n, x, y }) => ({ cell: Number(cell), n: Number(n), x: Number(x), y: Number(y) }))
}

/** Counts the records themselves. A cell's middle is known to a sixteenth of its width, which four bits of each axis say. */
async function counted(
  ctx: Context,
  { scope }: Dataset,
  where: RawBuilder<boolean>[],
  box: Box,
  level: number,
): Promise<Group[]> {
  const bits = 2 * (keyLevel - level)
  const found = await run(
    ctx,
    sql<Record<keyof Group, string | number>>`
      select key >> ${bits}::int as cell, count(*) as n,
        sum((m & 1) + ((m >> 1) & 2) + ((m >> 2) & 4) + ((m >> 3) & 8)) as x,
        sum(((m >> 1) & 1) + ((m >> 2) & 2) + ((m >> 3) & 4) + ((m >> 4) & 8)) as y
      from (select t.key, ((t.key >> ${bits - 8}::int) & 255)::int as m from ${scope.from}
        join ${rangeTable(rangesOf(box, level))} on t.key >= r.low and t.key < r.high
        where ${sql.join([...scope.where, ...where], sql` and `)}) rows
      group by 1`,
  )
  const width = 2 ** (keyLevel - level)
  return found.map((row) => {
    const [cell, n] = [Number(row.cell), Number(row.n)]
    const { x, y } = deinterleave(cell)
    const middle = (corner: number, sixteenths: number) =>
      n * corner * width + ((sixteenths + n / 2) * width) / 16
    return { cell, n, x: middle(x, Number(row.x)), y: middle(y, Number(row.y)) }
  })
}

/** The records that are alone in their cell, by cell. */
async function singlesIn(
  ctx: Context,
  { scope }: Dataset,
  where: RawBuilder<boolean>[],
  level: number,
  groups: Group[],
): Promise<Map<number, Feature<Point>>> {
  const cells = groups.filter(({ n }) => n === 1).map(({ cell }) => cell)
  if (cells.length === 0) return new Map()
  const grow = 4 ** (keyLevel - level)
  const ranges = cells.map((cell): KeyRange => [cell * grow, (cell + 1) * grow])
  const found = await run(
    ctx,
    sql<{ id: string; key: string }>`
      select t.id::text as id, t.key from ${scope.from}
      join ${rangeTable(ranges)} on t.key >= r.low and t.key < r.high
      where ${sql.join([...scope.where, ...where], sql` and `)}`,
  )
  return new Map(
    found.map(({ id, key }) => {
      const { x, y } = deinterleave(Number(key))
      const feature: Feature<Point> = { type: 'Feature', id, geometry: pointAt(x, y), properties: { id } }
      return [Math.floor(Number(key) / grow), feature]
    }),
  )
}

async function plainFeatures(
  ctx: Context,
  { scope, readings }: Dataset,
  where: RawBuilder<boolean>[],
  box: Box,
  zoom: number,
): Promise<Clusters> {
  const level = Math.min(keyLevel, zoom + cellsPerTileBits)
  const found = await run(
    ctx,
    sql<Row>`select ${rowColumns(readings, 7)} from ${scope.from}
      join ${rangeTable(rangesOf(box, level))} on t.key >= r.low and t.key < r.high
      where ${sql.join([...scope.where, ...where], sql` and `)} order by t.id limit ${maxFeatures + 1}::int`,
  )
  const scalars = readings.filter(({ isGeometry }) => !isGeometry)
  const features = found.slice(0, maxFeatures).map((row): Feature => ({
    type: 'Feature',
    id: row.id,
    geometry: row.geometry as Feature['geometry'],
    properties: { ...dataOf(scalars, row), id: row.id },
  }))
  const meta = { zoom, total: features.length, isCut: found.length > maxFeatures }
  return { type: 'FeatureCollection', features, meta }
}

function rangeTable(ranges: KeyRange[]): RawBuilder<unknown> {
  const [lows, highs] = [ranges.map(([low]) => low), ranges.map(([, high]) => high)]
  return sql`unnest(${lows}::bigint[], ${highs}::bigint[]) as r(low, high)`
}

function clusterFeature({ cell, n, x, y }: Group, zoom: number): Feature<Point> {
  return {
    type: 'Feature',
    geometry: pointAt(x / n, y / n),
    properties: {
      cluster: true,
      cluster_id: cell * 32 + zoom,
      point_count: n,
      point_count_abbreviated: abbreviated(n),
    },
  }
}

/** The middle of a cell of key level; about 0.6 m wide, so six decimals of a degree say all of it. */
function pointAt(x: number, y: number): Point {
  const [longitude, latitude] = positionAt({ x: x + 0.5, y: y + 0.5 })
  return { type: 'Point', coordinates: [Math.round(longitude * 1e6) / 1e6, Math.round(latitude * 1e6) / 1e6] }
}

function abbreviated(n: number): string | number {
  if (n >= 10_000) return `${Math.round(n / 1000)}k`
  return n >= 1000 ? `${Math.round(n / 100) / 10}k` : n
}
