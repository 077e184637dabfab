import { gzipSync } from 'node:zlib'
import type { Feature, Position } from 'geojson'
import { ArchiveWriter } from '#functions/engine/tile/archive-writer.ts'
import { cutTiles, type Part, type TileThing } from '#functions/engine/tile/cut.ts'
import type { Atlas, Level } from './atlas.ts'
import { simplifyForZoom, labelFeatures, lineFeatures, projectAtlas, regionFeatures } from './layers.ts'

/** The zooms from which a level's areas, its names and lines, and its labels are in the tiles. */
interface LevelPlan {
  level: Level
  minZoom: number
  detailZoom: number
  labelZoom: number
}

export interface ArchivePlan {
  name: string
  maxZoom: number
  levels: LevelPlan[]
  bounds: [number, number, number, number]
  attribution: string
}

/** Opens a writer with maximum compression: the archive is written once and read often. */
export const openArchive = () => new ArchiveWriter((bytes) => new Uint8Array(gzipSync(bytes, { level: 9 })))

/** Returns the bytes of the archive of an atlas, and the names of its layers. */
export async function buildArchive(
  atlas: Atlas,
  plan: ArchivePlan,
): Promise<{ bytes: Uint8Array; layers: string[] }> {
  const writer = openArchive()
  const projected = projectAtlas(atlas)
  const labels = new Map(plan.levels.map(({ level }) => [level, labelFeatures(projected, level)]))
  for (let zoom = 0; zoom <= plan.maxZoom; zoom++) {
    const detailed = zoom === plan.maxZoom ? projected : simplifyForZoom(projected, zoom)
    const layers: Record<string, Feature[]> = {}
    for (const { level, minZoom, detailZoom, labelZoom } of plan.levels) {
      if (zoom < minZoom) continue
      layers[level] = regionFeatures(detailed, level, zoom, zoom >= detailZoom)
      if (zoom >= detailZoom) layers[`${level}_line`] = lineFeatures(detailed, level)
      if (zoom >= labelZoom) layers[`${level}_label`] = labels.get(level) ?? []
    }
    await addZoom(writer, layers, zoom)
  }
  const fields = { gid: 'String', name: 'String' }
  const vectorLayers = plan.levels.flatMap(({ level, minZoom, detailZoom, labelZoom }) => [
    { id: level, minzoom: minZoom, maxzoom: plan.maxZoom, fields },
    { id: `${level}_line`, minzoom: detailZoom, maxzoom: plan.maxZoom, fields: { kind: 'String' } },
    {
      id: `${level}_label`,
      minzoom: labelZoom,
      maxzoom: plan.maxZoom,
      fields: { ...fields, rank: 'Number' },
    },
  ])
  const metadata = {
    name: plan.name,
    attribution: plan.attribution,
    type: 'overlay',
    vector_layers: vectorLayers,
  }
  const bytes = await writer.finish({ bounds: plan.bounds, minZoom: 0, maxZoom: plan.maxZoom, metadata })
  return { bytes, layers: vectorLayers.map((layer) => layer.id) }
}

/**
 * Adds the tiles of one zoom, from features in the unit square of Web Mercator: layers by name, empty layers
 * are left out.
 */
export async function addZoom(
  writer: ArchiveWriter,
  layers: Record<string, Feature[]>,
  zoom: number,
): Promise<void> {
  const all = Object.entries(layers).flatMap(([layer, features]) =>
    features.map((feature) => ({ layer, feature })),
  )
  const things = all.map(({ layer, feature }): TileThing => ({ layer, properties: feature.properties ?? {} }))
  const parts = all.flatMap(({ feature }, thing) => toParts(feature, thing))
  for (const { z, x, y, bytes } of cutTiles(things, parts, zoom)) await writer.addTile(z, x, y, bytes)
}

function toParts({ geometry }: Feature, thing: number): Part[] {
  const part = (kind: Part['kind'], positions: Position[]): Part => ({
    ...{ thing, kind, isKept: kind === 'outer' },
    at: Float64Array.from(positions.flatMap(([x = 0, y = 0]) => [x, y])),
  })
  if (geometry.type === 'Point') return [part('point', [geometry.coordinates])]
  if (geometry.type === 'MultiLineString') return geometry.coordinates.map((line) => part('line', line))
  if (geometry.type === 'MultiPolygon')
    // The format closes rings itself.
    return geometry.coordinates.flatMap((rings) =>
      rings.map((ring, i) => part(i === 0 ? 'outer' : 'hole', ring.slice(0, -1))),
    )
  throw new Error(`A ${geometry.type} has no place in these tiles`)
}
