import { cellsPerTileBits, pyramidZoom, type KeyRange } from './morton.ts'
import { deepestLevel, type Group, type PointReader } from './cells.ts'
import type { QueryEffect, ShownFields } from './cells.ts'

/**
 * The most records that are counted individually where the stored counts do not answer a filter: below zoom 10, and for
 * one facet.
 */
export const maxFiltered = 20_000
/** The most records that are counted individually where only keys are read. */
const maxCounted = 300_000

/** The deepest zoom of a tile that no cell of zoom 9 reaches over: an eighth of one of theirs. */
export const finestKept = pyramidZoom + cellsPerTileBits

/**
 * Records by map cell of a zoom. Up to zoom 9 stored counts are read, of all records or of a facet; for other filters
 * the records are counted if they are few, otherwise Failure `invalid` with advice. From zoom 10 on the records are
 * counted; where that would take too long, up to zoom 12 the cells of zoom 9 are used. `level` of the cells; `shownFields`: as
 * for `countCells`.
 */
export async function groupsIn(
  reader: PointReader,
  narrowing: QueryEffect,
  zoom: number,
  ranges: KeyRange[],
  shownFields?: ShownFields,
): Promise<{ groups: Group[]; level: number }> {
  const { by, where } = narrowing
  const facet = by === 'facet' ? narrowing.counts : undefined
  const level = Math.min(zoom + cellsPerTileBits, deepestLevel)
  const countGroups = async () => ({
    groups: await reader.countCells(level, ranges, where, shownFields),
    level,
  })
  if (by === 'records') {
    // From zoom 10 on a tile is small, whatever the filter.
    if (zoom > pyramidZoom || (await isFew(reader, zoom, ranges, maxFiltered))) return countGroups()
    throw reader.refusal()
  }
  const most = facet ? maxFiltered : maxCounted
  if (zoom > finestKept || (zoom > pyramidZoom && (await isFew(reader, pyramidZoom, ranges, most))))
    return countGroups()
  const groupZoom = Math.min(zoom, pyramidZoom)
  return { groups: await reader.readStored(groupZoom, ranges, facet), level: groupZoom + cellsPerTileBits }
}

/** Whether some key ranges have at most this number of records, by the stored counts, which are read only if needed. */
export async function isFew(
  reader: PointReader,
  zoom: number,
  ranges: KeyRange[],
  most: number,
): Promise<boolean> {
  return reader.count <= most || (await reader.keptCount(Math.min(zoom, pyramidZoom), ranges)) <= most
}
