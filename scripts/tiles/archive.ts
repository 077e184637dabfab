import { gzipSync } from 'node:zlib'
import type { Feature, Position } from 'geojson'
import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { Atlas, Level } from './atlas.ts'
import { atZoom, labelFeatures, lineFeatures, projectAtlas, regionFeatures } from './layers.ts'
import { PmtilesWriter } from './pmtiles-writer.ts'

/** From which zoom on the areas of a level are in the tiles, from which their names and lines, and their labels. */
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

const extent = 4096
/** How far a tile reaches over its edge, in its own units: as much as the widest line needs. */
const buffer = 64

/** Gives the bytes of the archive of an atlas, and the names of its layers. */
export function buildArchive(atlas: Atlas, plan: ArchivePlan): { bytes: Uint8Array; layers: string[] } {
  const writer = new PmtilesWriter()
  const whole = projectAtlas(atlas)
  const labels = new Map(plan.levels.map(({ level }) => [level, labelFeatures(whole, level)]))
  for (let zoom = 0; zoom <= plan.maxZoom; zoom++) {
    const detailed = zoom === plan.maxZoom ? whole : atZoom(whole, zoom)
    const layers: Record<string, Feature[]> = {}
    for (const { level, minZoom, detailZoom, labelZoom } of plan.levels) {
      if (zoom < minZoom) continue
      layers[level] = regionFeatures(detailed, level, zoom, zoom >= detailZoom)
      if (zoom >= detailZoom) layers[`${level}_line`] = lineFeatures(detailed, level)
      if (zoom >= labelZoom) layers[`${level}_label`] = labels.get(level) ?? []
    }
    addZoom(writer, layers, zoom)
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
  const bytes = writer.finish({ bounds: plan.bounds, minZoom: 0, maxZoom: plan.maxZoom, metadata })
  return { bytes, layers: vectorLayers.map((layer) => layer.id) }
}

/** Adds the tiles of one zoom, of features in the square of web mercator: layers by name, those without features left out. */
export function addZoom(writer: PmtilesWriter, layers: Record<string, Feature[]>, zoom: number): void {
  const candidates = new Set<number>()
  const indexes = Object.entries(layers).map(([name, features]) => {
    for (const feature of features) addCandidates(candidates, feature, zoom)
    // tolerance 0: the arcs are simplified already, and geojson-vt would simplify neighbours apart
    const options = { maxZoom: zoom, indexMaxZoom: zoom, indexMaxPoints: 0, tolerance: 0, extent, buffer }
    const data = { type: 'FeatureCollection' as const, features }
    return { name, index: new GeoJSONVT(data, { ...options, coordinates: 'unitSquare' }) }
  })
  for (const candidate of candidates) {
    const [x, y] = [Math.floor(candidate / 2 ** zoom), candidate % 2 ** zoom]
    const tile: Record<string, GeoJSONVTTile> = {}
    for (const { name, index } of indexes) {
      const layer = index.getTile(zoom, x, y)
      if (layer && layer.features.length > 0) tile[name] = layer
    }
    if (Object.keys(tile).length === 0) continue
    writer.add(zoom, x, y, gzipSync(fromGeojsonVt(tile, { version: 2, extent }), { level: 9 }))
  }
}

/** Adds each tile that a part of the feature may reach, as x · 2^zoom + y. */
function addCandidates(candidates: Set<number>, { geometry }: Feature, zoom: number): void {
  const size = 2 ** zoom
  const margin = buffer / extent
  const addPart = (part: Position[]) => {
    let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity]
    for (const [x = 0, y = 0] of part) {
      west = Math.min(west, x)
      east = Math.max(east, x)
      north = Math.min(north, y)
      south = Math.max(south, y)
    }
    const top = Math.max(0, Math.floor(north * size - margin))
    const bottom = Math.min(size - 1, Math.floor(south * size + margin))
    for (
      let column = Math.floor(west * size - margin);
      column <= Math.floor(east * size + margin);
      column++
    ) {
      const x = ((column % size) + size) % size
      for (let y = top; y <= bottom; y++) candidates.add(x * size + y)
    }
  }
  if (geometry.type === 'Point') addPart([geometry.coordinates])
  else if (geometry.type === 'MultiLineString') geometry.coordinates.forEach(addPart)
  else if (geometry.type === 'MultiPolygon') geometry.coordinates.forEach((rings) => addPart(rings[0] ?? []))
  else throw new Error(`A ${geometry.type} has no place in these tiles`)
}
