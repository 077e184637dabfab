import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Feature, FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson'
import { feature } from 'topojson-client'
import { topology } from 'topojson-server'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { buildDbf, buildShp, buildZip } from '#functions/engine/import/parse/files.testing.ts'

// Areas of public bodies as files: states and counties of the United States Census Bureau, from the package us-atlas.

type Atlas = Topology<Record<'counties' | 'states', GeometryCollection<{ name: string }>>>
type CensusArea = Feature<Polygon | MultiPolygon, { GEOID: string; NAME: string }>

const atlas = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('us-atlas/counties-10m.json'), 'utf8'),
) as Atlas

/**
 * The counties or states whose FIPS code begins with a text, by that code. Their rings run clockwise, as in all files of
 * d3, and not as in RFC 7946.
 */
export function censusAreas(layer: 'counties' | 'states', prefix: string): CensusArea[] {
  const { geometries } = atlas.objects[layer]
  const own = geometries.filter(({ id }) => String(id).startsWith(prefix))
  const { features } = feature(atlas, { type: 'GeometryCollection', geometries: own })
  return features
    .map(({ id, properties, geometry }) => ({
      type: 'Feature' as const,
      properties: { GEOID: String(id), NAME: properties.name },
      geometry: geometry as Polygon | MultiPolygon,
    }))
    .sort((a, b) => a.properties.GEOID.localeCompare(b.properties.GEOID))
}

/** Areas as the text of a GeoJSON file. */
export const toGeoJson = (features: Feature[], more: object = {}): string =>
  JSON.stringify({ type: 'FeatureCollection', ...more, features } satisfies FeatureCollection)

/** The same areas with every position changed. */
export function withPositions(areas: CensusArea[], change: (position: Position) => Position): CensusArea[] {
  return areas.map((area) => {
    const geometry = structuredClone(area.geometry)
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
    for (const rings of polygons) rings.forEach((ring, i) => (rings[i] = ring.map(change)))
    return { ...area, geometry }
  })
}

/** An area whose outline crosses itself once, as a slip of the hand makes it: two of its corners have changed places. */
export function withBowTie(area: CensusArea): CensusArea {
  const geometry = structuredClone(area.geometry)
  const ring = (geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates[0])?.[0] ?? []
  const [a, b] = [Math.floor(ring.length / 4), Math.floor(ring.length / 2)]
  ;[ring[a], ring[b]] = [ring[b] ?? [], ring[a] ?? []]
  return { ...area, geometry }
}

/** Areas as a zip with a Shapefile, whose attributes have the given names. */
export function toShapefile(areas: CensusArea[], names: { code: string; name: string }): Uint8Array {
  const getRings = ({ geometry }: CensusArea) =>
    geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()
  return buildZip({
    'areas.shp': buildShp(areas.map((area) => ({ type: 5, parts: getRings(area) }))),
    'areas.dbf': buildDbf(
      [
        { name: names.code, type: 'C', length: 5 },
        { name: names.name, type: 'C', length: 40 },
      ],
      areas.map(({ properties }) => [properties.GEOID, properties.NAME]),
    ),
  })
}

/** Areas as the text of a TopoJSON file. */
export function toTopoJson(features: CensusArea[]): string {
  const collection: FeatureCollection = { type: 'FeatureCollection', features }
  return JSON.stringify(topology({ areas: collection }))
}
