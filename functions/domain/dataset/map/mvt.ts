import { fromGeojsonVt } from '@maplibre/vt-pbf'

/** Width and height of a tile in its own units. */
export const extent = 4096

export type TilePoint = [x: number, y: number]

/**
 * A feature in a tile's units: a point, lines, or rings of polygons (each outer one clockwise on the screen, followed by
 * its holes the other way round).
 */
export interface TileFeature {
  id?: number
  type: 'point' | 'line' | 'polygon'
  geometry: TilePoint[] | TilePoint[][]
  properties: Record<string, string | number | boolean>
}

const types = { point: 1, line: 2, polygon: 3 } as const

/** Layers as a Mapbox Vector Tile (version 2); null when there is no feature in any. Layers without features are left out. */
export function encodeTile(layers: Record<string, TileFeature[]>): Uint8Array | null {
  const filled = Object.entries(layers).filter(([, features]) => features.length > 0)
  if (filled.length === 0) return null
  const given = filled.map(([name, features]) => [
    name,
    {
      features: features.map(({ id, type, geometry, properties }) => ({
        ...(id !== undefined && Number.isSafeInteger(id) ? { id } : {}),
        type: types[type],
        geometry,
        tags: properties,
      })),
    },
  ])
  return fromGeojsonVt(Object.fromEntries(given) as Parameters<typeof fromGeojsonVt>[0], {
    version: 2,
    extent,
  })
}
