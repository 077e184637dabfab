import { sql } from 'kysely'
import { whereNearBox, reachOfAll } from '../near.ts'
import {
  cellsPerTileBits,
  keyLevel,
  positionAt,
  pyramidZoom,
  type Box,
} from '#functions/engine/tile/morton.ts'
import { singleColumns, toSingle, sumByCell, type MapReader } from './cells.ts'
import {
  deepestLevel,
  toGroup,
  compareSingles,
  type Group,
  type GroupRow,
  type Single,
  type SingleRow,
} from '#functions/engine/tile/cells.ts'
import { drawShape } from '#functions/engine/tile/draw.ts'
import { pointLayers, recordProperties, type TilePlace } from '#functions/engine/tile/features.ts'
import { isFew } from '#functions/engine/tile/groups.ts'
import { extent, type TileFeature } from '#functions/engine/tile/mvt.ts'
import { maxSingles, computeKeyRange, type PointsRequest } from '#functions/engine/tile/points.ts'
import { decodeBase64, readTwkb } from '#functions/engine/tile/twkb.ts'

/** Most shapes drawn in one tile, the largest first; the others are counted. */
const maxShapes = 5000
/** Most records examined for one tile; with more, their number is shown instead of their shapes. */
const maxNear = 20_000
/** The margin around the tile that is searched too: an eighth of a tile is enough for any line width. */
const around = 1 / 8

/**
 * The shapes of a tile, by layer. `shapes`: those of a pixel or more, clipped to the tile. `centres`: their
 * centroids in this tile, for labels. `clusters` and `points`: the other shapes whose centroid is in this
 * tile. So each record counts in exactly one tile. `cut`: one point that says that not all were drawn. Null
 * where there are too many candidates to examine.
 */
export async function shapesIn(
  reader: MapReader,
  request: PointsRequest,
): Promise<Record<string, TileFeature[]> | null> {
  const { tile } = request
  if (tile.z <= pyramidZoom && !(await isFew(reader, tile.z, [computeKeyRange(tile)], maxNear))) return null
  const { sources } = reader.dataset
  const box = computeTileBox(tile, around)
  const [wide, high] = [box.xmax - box.xmin, box.ymax - box.ymin]
  const reach = reachOfAll(sources)
  const isLong = !reach || reach[0] > wide || reach[1] > high
  // If a few large shapes extend so far that everything is a candidate, only the surroundings are searched.
  for (const isNarrow of isLong ? [false, true] : [false]) {
    const wider = {
      xmin: box.xmin - wide,
      ymin: box.ymin - high,
      xmax: box.xmax + wide,
      ymax: box.ymax + high,
    }
    const isNear = isNarrow ? whereNearBox([], wider) : whereNearBox(sources, box)
    if (!isNear && reader.count > maxNear) continue
    const row = await candidates(reader, request, isNear, box)
    if (row) return buildLayers(request, row, isNarrow)
  }
  return null
}

/** The box of a tile, enlarged by a share of its size on each side. */
function computeTileBox({ z, x, y }: TilePlace, share: number): Box {
  const side = 2 ** (keyLevel - z)
  const [xmin, ymax] = positionAt({ x: (x - share) * side, y: (y - share) * side })
  const [xmax, ymin] = positionAt({ x: (x + 1 + share) * side, y: (y + 1 + share) * side })
  return { xmin, ymin, xmax, ymax }
}

interface Candidates {
  large: (Single & { twkb: string })[]
  groups: Group[]
  singles: Single[]
  level: number
  /** How many shapes of a pixel or more are counted but not drawn. */
  left: number
}

/**
 * A row of `candidates`: a cell of small shapes, a single shape, or neither, which only carries the counts.
 */
type ShapeRow = { looked: string; left: string; twkb: string | null } & (
  | (GroupRow & { id: null })
  | (SingleRow & { cell: null })
  | { cell: null; id: null }
)

/**
 * In one statement: the shapes to draw, and how many others have their centroid in the tile. Null: too many
 * candidates.
 */
async function candidates(
  reader: MapReader,
  { tile, narrowing, shownFields: fields }: PointsRequest,
  isNear: ReturnType<typeof whereNearBox>,
  { xmin, ymin, xmax, ymax }: Box,
): Promise<Candidates | null> {
  const { scope } = reader.dataset
  const [low, high] = computeKeyRange(tile)
  const degree = (512 * 2 ** tile.z) / 360
  const digits = Math.max(0, Math.min(7, Math.ceil(Math.log10(degree * (extent / 512)))))
  const level = Math.min(tile.z + cellsPerTileBits, deepestLevel)
  const conditions = [...scope.where, ...narrowing.where, ...(isNear ? [isNear] : []), sql`t.key is not null`]
  const values = fields.map((_, i) => sql.id(`f${i}`))
  const isHere = sql`key >= ${low}::bigint and key < ${high}::bigint`
  const names = sql.join([sql`key`, sql`id`, ...values])
  const noNames = sql.join([sql`key`, sql`null`, ...values.map(() => sql`null`)])
  const rows = await reader.askOfSame<ShapeRow>(sql`
    with near as materialized (
      select ${singleColumns(fields)}, t.geometry as shape from ${scope.from}
      where ${sql.join(conditions, sql` and `)} limit ${maxNear + 1}::int),
    sized as materialized (
      select *, ${degree}::double precision * greatest(st_xmax(shape) - st_xmin(shape),
        (st_ymax(shape) - st_ymin(shape)) / cos(radians(least(85, abs(st_ymax(shape) + st_ymin(shape)) / 2)))) as size
      from near where (${isHere}) or (
        st_xmax(shape) >= ${xmin}::double precision and st_xmin(shape) <= ${xmax}::double precision
        and st_ymax(shape) >= ${ymin}::double precision and st_ymin(shape) <= ${ymax}::double precision)),
    ranked as materialized (
      select *, size >= 1 and row_number() over (order by size desc, id::bigint) <= ${maxShapes}::int as is_drawn
      from sized),
    others as materialized (select * from ranked where not is_drawn and ${isHere}),
    mode as materialized (select count(*) <= ${maxSingles}::int as whole from others),
    ${sumByCell(level, sql`key`, sql`from others where not (select whole from mode)`)}
    select n.looked, n.left, a.* from (
      select (select count(*) from near) as looked,
        (select count(*) from ranked where size >= 1 and not is_drawn) as left) n
    left join (
      select null::bigint as cell, null::numeric as n, null::numeric as x, null::numeric as y, ${names},
        encode(st_astwkb(shape, ${digits}::int), 'base64') as twkb from ranked where is_drawn
      union all
      select null, null, null, null, ${names}, null from others where (select whole from mode)
      union all
      select cell, n, x, y, ${noNames}, null from p
    ) a on true`)
  const [first] = rows
  if (Number(first?.looked ?? 0) > maxNear) return null
  const result: Candidates = { large: [], groups: [], singles: [], level, left: Number(first?.left ?? 0) }
  for (const row of rows) {
    if (row.cell !== null) result.groups.push(toGroup(row, level))
    if (row.id === null) continue
    const single = toSingle(row, fields)
    if (row.twkb === null) result.singles.push(single)
    else result.large.push({ ...single, twkb: row.twkb })
  }
  result.groups.sort((a, b) => a.cell - b.cell)
  result.singles.sort(compareSingles)
  result.large.sort(compareSingles)
  return result
}

function buildLayers(
  { tile, shownFields: fields }: PointsRequest,
  row: Candidates,
  isNarrow: boolean,
): Record<string, TileFeature[]> {
  const [low, high] = computeKeyRange(tile)
  const shapes = row.large.flatMap((record): TileFeature[] => {
    const shape = readTwkb(decodeBase64(record.twkb))
    const geometry = shape ? drawShape(shape, tile) : []
    if (!shape || shape.type === 'point' || geometry.length === 0) return []
    return [
      { id: Number(record.id), type: shape.type, geometry, properties: recordProperties(record, fields) },
    ]
  })
  const here = row.large.filter(({ key }) => key >= low && key < high)
  const { clusters, points } = pointLayers(tile, fields, row)
  const { points: centres } = pointLayers(tile, fields, { groups: [], singles: here })
  const properties = { shown: shapes.length, left: row.left }
  const cut: TileFeature[] =
    row.left > 0 || isNarrow ? [{ type: 'point', geometry: [[extent / 2, extent / 2]], properties }] : []
  return { shapes, centres, clusters, points, cut }
}
