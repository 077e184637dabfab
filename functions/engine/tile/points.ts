import {
  cellsPerTileBits,
  deinterleave,
  interleave,
  keyLevel,
  prefix,
  pyramidZoom,
  type KeyRange,
} from './morton.ts'
import type { Group, LookThrough, PointReader, ShownFields, Single } from './cells.ts'
import { pointLayers, type TilePlace } from './features.ts'
import { finestKept, groupsIn, isFew } from './groups.ts'
import type { TileFeature } from './mvt.ts'
import { byCell, compareSingles, type QueryEffect } from './cells.ts'

/** A tile with no more records than this shows each. */
export const maxSingles = 2000
/**
 * A cell (64 pixels wide) with more records than this is one circle: their dots, 8 pixels wide with their edge, would
 * cover more than a third of it.
 */
const maxInCell = 24
/** The deepest zoom with circles for dense cells: closer, a reader wants to see each record. */
const deepestDense = 14
/** The most records that are examined to find those of a facet that are shown individually. */
const maxLookedThrough = 5000

export interface PointsRequest {
  tile: TilePlace
  narrowing: QueryEffect
  shownFields: ShownFields
}

/** The key range of a tile: one range, as a tile is a prefix of keys. */
export function computeKeyRange({ z, x, y }: TilePlace): KeyRange {
  const cell = interleave({ x, y })
  const grow = 4 ** (keyLevel - z)
  return [cell * grow, (cell + 1) * grow]
}

/**
 * The points of a tile: layer `points` with every record where there are at most 2,000, but for dense cells, otherwise
 * `clusters` per cell (an eighth of the tile) and `points` for single records. Each record is in exactly one tile of a zoom, so nothing is repeated in
 * the margin: renderers draw circles over tile edges, and drop those whose centre is outside.
 */
export async function pointsIn(
  reader: PointReader,
  request: PointsRequest,
): Promise<Record<string, TileFeature[]>> {
  const { tile, narrowing, shownFields } = request
  const ranges = [computeKeyRange(tile)]
  const readSingles = (lookThrough?: LookThrough) =>
    reader.singles(ranges, narrowing.where, shownFields, maxSingles, lookThrough)
  const look = chooseFirstRead(reader, request)
  const first = look === 'none' ? null : await readSingles(look === 'all' ? undefined : look)
  if (first) return pointLayers(tile, shownFields, gatherDense(first, tile.z))
  const { groups, level } = await groupsIn(reader, narrowing, tile.z, ranges, shownFields)
  const all = (await mayShowEach(reader, request, ranges, groups)) ? await readSingles() : null
  if (all) return pointLayers(tile, shownFields, gatherDense(all, tile.z))
  return pointLayers(tile, shownFields, { ...(await apart(reader, request, groups)), level })
}

/**
 * Replaces the records of dense cells by a group each. What a cell shows depends on its records only, so that tiles
 * agree at their edges. In the order of cells and keys.
 */
export function gatherDense(
  singles: readonly Single[],
  zoom: number,
): { groups: Group[]; singles: Single[]; level: number } {
  const level = zoom + cellsPerTileBits
  if (zoom > deepestDense) return { groups: [], singles: [...singles], level }
  const getCellKey = ({ key }: Single) => prefix(key, keyLevel - level)
  const cells = new Map<number, Group>()
  for (const single of singles) {
    const [cell, place] = [getCellKey(single), deinterleave(single.key)]
    const group = cells.get(cell) ?? { cell, n: 0, x: 0, y: 0, key: single.key }
    cells.set(cell, { ...group, n: group.n + 1, x: group.x + place.x, y: group.y + place.y })
  }
  const isDense = (group: Group | undefined) => (group?.n ?? 0) > maxInCell
  return {
    groups: [...cells.values()].filter(isDense).sort(byCell),
    singles: singles.filter((single) => !isDense(cells.get(getCellKey(single)))),
    level,
  }
}

/** Groups of several, and for groups of one its record. */
export async function apart(
  reader: PointReader,
  { narrowing, shownFields }: Pick<PointsRequest, 'narrowing' | 'shownFields'>,
  groups: Group[],
): Promise<{ groups: Group[]; singles: Single[] }> {
  const alone = groups.filter(({ n }) => n === 1)
  const unread = alone.filter(({ single }) => !single).map(({ key }) => key)
  const read = alone.flatMap(({ single }) => single ?? [])
  const singles = [...read, ...(await reader.singlesAt(unread, narrowing.where, shownFields))].sort(
    compareSingles,
  )
  return { groups: groups.filter(({ n }) => n > 1), singles }
}

/** Which records to read first, to count only if they turn out to be many. */
function chooseFirstRead(
  reader: PointReader,
  { tile, narrowing }: PointsRequest,
): 'all' | 'none' | LookThrough {
  if (reader.count <= maxSingles || tile.z > finestKept) return 'all'
  if (tile.z <= pyramidZoom) return 'none'
  if (narrowing.by === 'records') return 'all'
  return { zoom: pyramidZoom, most: narrowing.by === 'facet' ? maxLookedThrough : maxSingles }
}

/** Whether the records up to zoom 9 are shown individually, because the stored counts say that they are few. */
async function mayShowEach(
  reader: PointReader,
  { tile, narrowing }: PointsRequest,
  ranges: KeyRange[],
  groups: Group[],
): Promise<boolean> {
  if (tile.z > pyramidZoom || groups.reduce((sum, { n }) => sum + n, 0) > maxSingles) return false
  return narrowing.by === 'nothing' || isFew(reader, tile.z, ranges, maxLookedThrough)
}
