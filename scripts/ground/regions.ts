import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { MultiPolygon, Polygon, Topology, GeometryCollection } from 'topojson-specification'

/** A first-level region of a country from Natural Earth. */
export interface GroundRegion {
  /** ISO 3166-2; '' for a part of a country that has no code. */
  code: string
  /** Natural Earth's three-letter code of the country that holds the region, and that country's name. */
  country: string
  countryName: string
  /** ISO 3166-1 of the region's own code: another country's where the region is disputed. */
  iso: string
  name: string
  /** Names by language where they differ from `name`. */
  names: Record<string, string>
  /** Longitude and latitude of the label; null without one. */
  at: [number, number] | null
  /** The zooms from which Natural Earth draws the border and the name. */
  minZoom: number
  labelZoom: number
}

interface Lake {
  name: string
}

/**
 * Regions that share their borders, and lakes, in the unit square of Web Mercator: x and y from 0 to 1, y
 * downwards.
 */
export type GroundTopology = Topology<{
  regions: GeometryCollection<GroundRegion>
  lakes: GeometryCollection<Lake>
}>
export type RegionShape = Polygon<GroundRegion> | MultiPolygon<GroundRegion>

const file = new URL('regions.topo.json.gz', import.meta.url)

/** Returns the bytes of the stored regions; their digest identifies what is built from them. */
export const regionBytes = (): Buffer => readFileSync(file)

/** Reads the stored regions and lakes. */
export function readRegions(): GroundTopology {
  const content = JSON.parse(gunzipSync(regionBytes()).toString('utf8')) as GroundTopology
  const { scale, translate } = content.transform ?? { scale: [1, 1], translate: [0, 0] }
  const arcs = content.arcs.map((arc) => {
    let [column, row] = [0, 0]
    return arc.map(([dx = 0, dy = 0]) => {
      column += dx
      row += dy
      return [(column * scale[0] + translate[0]) / 360 + 0.5, 0.5 - (row * scale[1] + translate[1]) / 360]
    })
  })
  return { type: 'Topology', objects: content.objects, arcs }
}
