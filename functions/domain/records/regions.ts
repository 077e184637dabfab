import { sql, type RawBuilder } from 'kysely'
import type { MultiPolygon } from 'geojson'
import { dataTable } from '#db/data-table.ts'
import type { Tx } from '#db/schema.ts'
import { readBuiltInAreas } from '#functions/engine/picture/built-in-sets.ts'
import { areaFinder } from '#functions/engine/region/inside.ts'
import type { Context } from '#functions/context.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import { computeCentroid } from '#functions/shapes/fields/centroid.ts'
import type { Geometry } from '#functions/shapes/fields/geometry.ts'
import { isBuiltInSet } from '#functions/shapes/region-sets.ts'
import type { Change } from './change.ts'
import type { Column } from './columns.ts'
import {
  selectPriorColumns,
  parsePriorRecord,
  buildHistoryInsert,
  rowsPerStatement,
  type BeforeRow,
} from './write.ts'

/** A point, or the centroid of a shape, as longitude and latitude; null for a record without one. */
type Point = readonly [number, number] | null
type Area = { code: string; name: string }
type FindArea = (lon: number, lat: number) => Area | null

/** Where areas are read: those of organizations from the database, those that everyone has from their files. */
export interface AreasFrom {
  tx: Tx
  ctx: Pick<Context, 'tiles'>
}

/** From this number of points all areas of a set are read, once for the write; for fewer only those around the points. */
const manyPoints = 500
/** Vertices that are indexed at a time: an isolate has not enough memory for 1,000,000 positions as lists. */
const cornersAtOnce = 100_000
const areasAtOnce = 100

/** The keys of calculated fields, for which values in records are ignored. */
export function calculatedKeys(schema: FieldSchema): string[] {
  return Object.entries(schema).flatMap(([key, { regionOf }]) => (regionOf ? [key] : []))
}

/** Whole sets that a transaction has read, cached for its duration. */
const findersByTx = new WeakMap<Tx, Map<string, Promise<FindArea>>>()

/**
 * Sets the calculated values of rows: code or name of the area that contains their point, or the centroid of their
 * line or area; null without one or outside of all areas. `isWhole`: all areas of the sets are read, once for the transaction.
 */
export async function fillRegions(
  from: AreasFrom,
  columns: readonly Column[],
  rows: readonly { data: Record<string, unknown> }[],
  isWhole = false,
): Promise<void> {
  for (const { key, field } of columns) {
    if (!field.regionOf) continue
    const { point, boundarySetId, value } = field.regionOf
    const points = rows.map(({ data }) => toPoint(data[point]))
    const find = await finderFor(from, boundarySetId, points, isWhole)
    rows.forEach(({ data }, i) => {
      const at = points[i]
      data[key] = at ? (find(at[0], at[1])?.[value] ?? null) : null
    })
  }
}

/**
 * Calculates the regions of all records of a source again. Only records whose area has changed are updated, with an undo
 * snapshot. `alive` is called before each batch.
 */
export async function fillRegionsAgain(
  pendingChange: Change,
  ctx: Pick<Context, 'tiles'>,
  alive: () => void = () => {},
): Promise<void> {
  const { tx, target } = pendingChange
  const table = dataTable(target.table)
  for (const column of target.columns) {
    const regionLookup = column.field.regionOf
    const point = target.columns.find(({ key }) => key === regionLookup?.point)
    if (!regionLookup || !point) continue
    // A million points as GeoJSON would take several times as long to read.
    const place =
      point.field.type === 'point'
        ? sql`ST_X(${point.name}) as x, ST_Y(${point.name}) as y, null::json as shape`
        : sql`null::float8 as x, null::float8 as y, ST_AsGeoJSON(${point.name}, 15)::json as shape`
    for (let last = '0'; ;) {
      alive()
      const { rows } = await sql<LocatedRow>`
        select id::text, ${place}, ${column.name} as value from ${table}
        where source_id = ${target.sourceId} and id > ${last}::bigint order by id limit ${rowsPerStatement}::int`.execute(
        tx.withoutPlugins(),
      )
      const points = rows.map(({ x, y, shape }) =>
        x === null || y === null ? toPoint(shape) : ([x, y] as const),
      )
      const find = await finderFor({ tx, ctx }, regionLookup.boundarySetId, points)
      const changes = rows.flatMap(({ id, value }, i) => {
        const at = points[i]
        const now = at ? (find(at[0], at[1])?.[regionLookup.value] ?? null) : null
        return now === value ? [] : [{ id, now }]
      })
      if (changes.length > 0) await rewrite(pendingChange, column, changes)
      if (rows.length < rowsPerStatement) break
      last = rows.at(-1)?.id ?? last
    }
  }
}

/** A record with its point, or its shape, and its stored value. */
interface LocatedRow {
  id: string
  x: number | null
  y: number | null
  shape: Geometry | null
  value: string | null
}

async function rewrite(pendingChange: Change, column: Column, changes: { id: string; now: string | null }[]) {
  const { tx, target } = pendingChange
  const table = dataTable(target.table)
  const { rows } = await sql<BeforeRow & { now: string | null }>`
    with sent as materialized (
      select * from unnest(${changes.map(({ id }) => id)}::bigint[], ${changes.map(({ now }) => now)}::text[]) as sent (id, now)
    ), before as materialized (
      select d.* from ${table} d join sent on sent.id = d.id where d.source_id = ${target.sourceId}
    ), written as (
      update ${table} d set ${column.name} = sent.now, updated_at = now() from sent
      where d.id = sent.id and d.source_id = ${target.sourceId} returning d.id, d.external_id
    )${buildHistoryInsert(target, sql`written w join before b on b.id = w.id`, sql`w.external_id`)}
    select sent.now, b.external_id, ${selectPriorColumns(target.columns)} from written w
    join before b on b.id = w.id join sent on sent.id = w.id`.execute(tx.withoutPlugins())
  for (const row of rows) {
    const before = parsePriorRecord(target.columns, row)
    if (before)
      pendingChange.countReplaced(before, { ...before, data: { ...before.data, [column.key]: row.now } })
  }
}

/** Notes that the regions of a source, of a data type or of all that use one of some sets are to be calculated again. Needs the product's own identity for sources of other places. */
export async function queueRegions(
  tx: Tx,
  which: { sourceId: string } | { dataTypeId: string } | { boundarySetIds: readonly string[] },
): Promise<void> {
  const of =
    'sourceId' in which
      ? sql`source.id = ${which.sourceId}`
      : 'dataTypeId' in which
        ? sql`source.data_type_id = ${which.dataTypeId}`
        : sql`source.data_type_id in (select id from data_type where ${isCalculatedBy(sql`any(${which.boundarySetIds}::text[])`)})`
  await sql`
    update source_stat set regions_due_at = clock_timestamp() from source
    where source.id = source_stat.source_id and ${of}`.execute(tx)
}

/** A condition for rows of `data_type` with a field that is calculated from the set, of an id or a column. */
export function isCalculatedBy(boundarySetId: string | RawBuilder<unknown>) {
  return sql<boolean>`exists (select from json_each(data_type.schema::json) f
    where f.value -> 'regionOf' ->> 'boundarySetId' = ${boundarySetId})`
}

/** A condition for rows of `data_type` with a field whose values name regions of the set, of an id or a column. */
export function hasRegionField(boundarySetId: string | RawBuilder<unknown>) {
  return sql<boolean>`exists (select from json_each(data_type.schema::json) f
    where f.value ->> 'region' = ${boundarySetId})`
}

function toPoint(value: unknown): Point {
  const geometry = value as Geometry | null | undefined
  return geometry ? computeCentroid(geometry) : null
}

async function finderFor(
  { tx, ctx }: AreasFrom,
  boundarySetId: string,
  points: readonly Point[],
  isWhole = false,
): Promise<FindArea> {
  const sets = findersByTx.get(tx) ?? new Map<string, Promise<FindArea>>()
  findersByTx.set(tx, sets)
  const whole = sets.get(boundarySetId)
  if (whole) return whole
  if (isBuiltInSet(boundarySetId)) {
    const read = readBuiltInSet(ctx.tiles, boundarySetId)
    sets.set(boundarySetId, read)
    return read
  }
  if (!isWhole && points.length < manyPoints) return readFinder(tx, boundarySetId, computeBox(points))
  const read = readFinder(tx, boundarySetId, [-180, -90, 180, 90])
  sets.set(boundarySetId, read)
  return read
}

type Box = [west: number, south: number, east: number, north: number]

function computeBox(points: readonly Point[]): Box {
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
  for (const point of points)
    if (point) {
      box[0] = Math.min(box[0], point[0])
      box[1] = Math.min(box[1], point[1])
      box[2] = Math.max(box[2], point[0])
      box[3] = Math.max(box[3], point[1])
    }
  return box
}

/** Reads a built-in set from its file, whose outlines are those of maps. */
async function readBuiltInSet(tiles: R2Bucket, setId: string): Promise<FindArea> {
  const areas = await readBuiltInAreas(tiles, setId)
  const find = areaFinder(
    areas.map(({ code, name, geometry }) => ({
      key: { code, name },
      rings: geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat(),
    })),
  )
  return (lon, lat) => find(lon, lat)[0] ?? null
}

/** Reads a public set only: whoever sees the records sees the calculated values. */
async function readFinder(tx: Tx, boundarySetId: string, box: Box): Promise<FindArea> {
  const finders: ReturnType<typeof areaFinder<Area>>[] = []
  let outlines: Parameters<typeof areaFinder<Area>>[0][number][] = []
  let corners = 0
  if (!box.every(Number.isFinite)) return () => null
  for (let last = 0; ;) {
    const { rows } = await sql<Area & { number: number; area: MultiPolygon }>`
      select a.number, a.code, a.name, ST_AsGeoJSON(a.area, 15)::json as area
      from boundary_set s join boundary_set_area a on a.boundary_set_id = s.id and a.edition = s.edition
      where s.id = ${boundarySetId} and s.visibility = 'public' and s.deleted_at is null and a.number > ${last}::int
        and a.area && ST_MakeEnvelope(${box[0]}::float8, ${box[1]}::float8, ${box[2]}::float8, ${box[3]}::float8, 4326)
      order by a.number limit ${areasAtOnce}::int`.execute(tx)
    for (const { code, name, area } of rows) {
      const rings = area.coordinates.flat()
      for (const ring of rings) corners += ring.length
      outlines.push({ key: { code, name }, rings })
      if (corners < cornersAtOnce) continue
      finders.push(areaFinder(outlines))
      outlines = []
      corners = 0
    }
    if (rows.length < areasAtOnce) break
    last = rows.at(-1)?.number ?? last
  }
  if (outlines.length > 0) finders.push(areaFinder(outlines))
  return (lon, lat) => {
    for (const find of finders) {
      const [first] = find(lon, lat)
      if (first) return first
    }
    return null
  }
}
