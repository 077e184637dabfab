import { VectorTile, type VectorTileFeature } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { deinterleave, keyLevel } from '#functions/engine/tile/morton.ts'
import type { TilePlace } from '#functions/engine/tile/features.ts'

/** The layers of a tile as lists of features; a missing tile has none. */
export function layersIn(bytes: Uint8Array | null): Record<string, VectorTileFeature[]> {
  if (!bytes) return {}
  const { layers } = new VectorTile(new PbfReader(bytes))
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [
      name,
      Array.from({ length: layer.length }, (_, i) => layer.feature(i)),
    ]),
  )
}

/** The number of records in a tile: circles have a count, each dot and each centroid of a shape is one. */
export function countIn(bytes: Uint8Array | null): number {
  const { clusters = [], points = [], centres = [] } = layersIn(bytes)
  const circles = clusters.reduce((sum, { properties }) => sum + Number(properties['point_count']), 0)
  return circles + points.length + centres.length
}

/** The tiles of a zoom that hold these keys. */
export function toTiles(keys: number[], z: number): TilePlace[] {
  const tiles = new Map<string, TilePlace>()
  for (const key of keys) {
    const { x, y } = deinterleave(key)
    const place = { z, x: Math.floor(x / 2 ** (keyLevel - z)), y: Math.floor(y / 2 ** (keyLevel - z)) }
    tiles.set(`${place.x}/${place.y}`, place)
  }
  return [...tiles.values()]
}
