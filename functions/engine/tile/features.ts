import { deinterleave, keyLevel } from './morton.ts'
import type { Group, ShownFields, Single } from './cells.ts'
import { extent, type TileFeature, type TilePoint } from './mvt.ts'

/** A square of the map: zoom, column from the west and row from the north. */
export interface TilePlace {
  z: number
  x: number
  y: number
}

/** Longer texts are cut: a tile is for looking at, the record itself is one request away. */
const maxText = 100

/** A count in at most four characters of a circle: 950, 1.2k, 35k, 1.2M. */
function abbreviate(n: number): string | number {
  if (n >= 999_500) return `${Math.round(n / 100_000) / 10}M`
  if (n >= 9950) return `${Math.round(n / 1000)}k`
  return n >= 1000 ? `${Math.round(n / 100) / 10}k` : n
}

/** The properties of a cluster. The `level` of its cell makes its id unique over all levels. */
export function clusterProperties({ cell, n }: Group, level: number) {
  return {
    cluster: true,
    cluster_id: cell * 32 + level,
    point_count: n,
    point_count_abbreviated: abbreviate(n),
  }
}

/** Circles and dots of a tile: layers `clusters` and `points`. */
export function pointLayers(
  tile: TilePlace,
  shownFields: ShownFields,
  { groups, singles, level = 0 }: { groups: Group[]; singles: Single[]; level?: number },
): { clusters: TileFeature[]; points: TileFeature[] } {
  return {
    clusters: groups.map((group): TileFeature => {
      const properties = clusterProperties(group, level)
      const at = tilePoint(tile, group.x / group.n, group.y / group.n)
      return { id: properties.cluster_id, type: 'point', geometry: [at], properties }
    }),
    points: singles.map((single): TileFeature => {
      const { x, y } = deinterleave(single.key)
      return {
        id: Number(single.id),
        type: 'point',
        geometry: [tilePoint(tile, x, y)],
        properties: recordProperties(single, shownFields),
      }
    }),
  }
}

/** The properties of a record on a map: its id, and each shown field with a value as `data.{key}`. */
export function recordProperties(
  { id, values }: Pick<Single, 'id' | 'values'>,
  shownFields: ShownFields,
): Record<string, string | number | boolean> {
  const properties: Record<string, string | number | boolean> = { id }
  shownFields.forEach(({ key }, i) => {
    const value = values[i]
    if (value === null || value === undefined) return
    if (typeof value === 'number' || typeof value === 'boolean') properties[`data.${key}`] = value
    else if (value instanceof Date) properties[`data.${key}`] = value.toISOString()
    else properties[`data.${key}`] = cut(String(value as string))
  })
  return properties
}

/** The centre of a key cell in tile units. Always inside the tile, so that no renderer drops it. */
function tilePoint({ z, x, y }: TilePlace, column: number, row: number): TilePoint {
  const side = 2 ** (keyLevel - z)
  return [toTileUnit(column, x, side), toTileUnit(row, y, side)]
}

const toTileUnit = (at: number, corner: number, side: number) =>
  Math.max(0, Math.min(extent - 1, Math.floor(((at + 0.5 - corner * side) / side) * extent)))

function cut(text: string): string {
  // By characters, not by halves of them.
  return text.length <= maxText ? text : `${[...text.slice(0, 2 * maxText)].slice(0, maxText - 1).join('')}…`
}
