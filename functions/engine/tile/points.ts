import { interleave, keyLevel, pyramidZoom, type KeyRange } from './morton.ts'
import type { Group, LookThrough, PointReader, ShownFields, Single } from './cells.ts'
import { pointLayers, type TilePlace } from './features.ts'
import { finestKept, groupsIn, isFew } from './groups.ts'
import type { TileFeature } from './mvt.ts'
import { inOrder, type Narrowing } from './cells.ts'

/** A tile with no more records than this shows each. */
export const mostSingles = 2000
/** Records that are looked through to find those of a facet that are to be shown each. */
const mostLookedThrough = 5000

export interface PointsRequest {
  tile: TilePlace
  narrowing: Narrowing
  shown: ShownFields
}

/** The keys of what lies in a tile: one range, as a tile is a prefix of them. */
export function rangeOf({ z, x, y }: TilePlace): KeyRange {
  const cell = interleave({ x, y })
  const grow = 4 ** (keyLevel - z)
  return [cell * grow, (cell + 1) * grow]
}

/**
 * The points of a tile: layer `points` with every record where they are at most 2,000, else `clusters` of an eighth of
 * the tile each and `points` for what is alone in one. Each record is in one tile of a zoom and no other, so nothing
 * is repeated around a tile: renderers draw circles over its edges, and leave out those whose middle is outside of it.
 */
export async function pointsIn(
  reader: PointReader,
  request: PointsRequest,
): Promise<Record<string, TileFeature[]>> {
  const { tile, narrowing, shown } = request
  const ranges = [rangeOf(tile)]
  const each = (lookThrough?: LookThrough) =>
    reader.singles(ranges, narrowing.where, shown, mostSingles, lookThrough)
  const look = firstLook(reader, request)
  const first = look === 'none' ? null : await each(look === 'all' ? undefined : look)
  if (first) return pointLayers(tile, shown, { groups: [], singles: first })
  const { groups, level } = await groupsIn(reader, narrowing, tile.z, ranges, shown)
  const all = (await mayShowEach(reader, request, ranges, groups)) ? await each() : null
  if (all) return pointLayers(tile, shown, { groups: [], singles: all })
  return pointLayers(tile, shown, { ...(await apart(reader, request, groups)), level })
}

/** Groups of several, and for groups of one its record. */
export async function apart(
  reader: PointReader,
  { narrowing, shown }: Pick<PointsRequest, 'narrowing' | 'shown'>,
  groups: Group[],
): Promise<{ groups: Group[]; singles: Single[] }> {
  const alone = groups.filter(({ n }) => n === 1)
  const unread = alone.filter(({ single }) => !single).map(({ key }) => key)
  const read = alone.flatMap(({ single }) => single ?? [])
  const singles = [...read, ...(await reader.singlesAt(unread, narrowing.where, shown))].sort(inOrder)
  return { groups: groups.filter(({ n }) => n > 1), singles }
}

/** Which records to read first, to count only if they turn out to be many. */
function firstLook(reader: PointReader, { tile, narrowing }: PointsRequest): 'all' | 'none' | LookThrough {
  if (reader.count <= mostSingles || tile.z > finestKept) return 'all'
  if (tile.z <= pyramidZoom) return 'none'
  if (narrowing.by === 'records') return 'all'
  return { zoom: pyramidZoom, most: narrowing.by === 'facet' ? mostLookedThrough : mostSingles }
}

/** Whether the records of a zoom to 9 are to be shown each, as their kept counts say that they are few. */
async function mayShowEach(
  reader: PointReader,
  { tile, narrowing }: PointsRequest,
  ranges: KeyRange[],
  groups: Group[],
): Promise<boolean> {
  if (tile.z > pyramidZoom || groups.reduce((sum, { n }) => sum + n, 0) > mostSingles) return false
  return narrowing.by === 'nothing' || isFew(reader, tile.z, ranges, mostLookedThrough)
}
