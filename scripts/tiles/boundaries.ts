import type { MultiPolygon, Polygon } from 'geojson'
import { feature } from 'topojson-client'
import { unitedStates, world, type Atlas, type Level, type Region } from './atlas.ts'
import { planarGeometry } from './planar.ts'
import type { Ring } from './rings.ts'

/** A boundary as the database stores it. */
interface BoundaryRow {
  id: string
  code: string
  name: string
  type: 'country' | 'state' | 'county'
  parentId: string | null
  area: MultiPolygon | Polygon
}

/**
 * Returns each region of a level of an atlas with its polygons, as rings of longitude and latitude on the
 * sphere.
 */
export function listRegions(atlas: Atlas, level: Level): { region: Region; polygons: Ring[][] }[] {
  const object = atlas.objects[level]
  if (!object) throw new Error(`The atlas has no level ${level}`)
  return feature(atlas, object).features.map(({ geometry, properties }) => {
    if (geometry.type === 'Polygon') return { region: properties, polygons: [geometry.coordinates] }
    if (geometry.type === 'MultiPolygon') return { region: properties, polygons: geometry.coordinates }
    throw new Error(`${properties.gid} of the atlas is a ${geometry.type}, not a polygon`)
  })
}

/**
 * Returns the nation, every state and every county of the United States and every country of the world,
 * parents before children, with geometry in longitude and latitude that PostGIS considers valid: cut at the
 * antimeridian, closed at the pole, in the full detail of the atlas.
 */
export function boundaryRows(): BoundaryRow[] {
  const us = unitedStates()
  const buildRows = (atlas: Atlas, level: Level, type: BoundaryRow['type']): BoundaryRow[] =>
    listRegions(atlas, level).map(({ region, polygons }) => {
      const area = planarGeometry(polygons)
      if (!area) throw new Error(`${region.gid} of the atlas has no area`)
      return { id: region.gid, code: region.code, name: region.name, type, parentId: region.parent, area }
    })
  return [
    ...buildRows(us, 'nation', 'country'),
    ...buildRows(world(), 'country', 'country'),
    ...buildRows(us, 'state', 'state'),
    ...buildRows(us, 'county', 'county'),
  ]
}
