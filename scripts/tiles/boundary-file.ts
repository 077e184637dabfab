import type { FeatureCollection, MultiPolygon, Polygon } from 'geojson'
import { presimplify, simplify } from 'topojson-simplify'
import type { Atlas, Level, Region } from './atlas.ts'
import { listRegions } from './boundaries.ts'
import { planarGeometry } from './planar.ts'
import { degrees } from '#functions/engine/region/antimeridian.ts'
import { nameTags } from '#functions/engine/tile/set-archive.ts'
import { doubleArea, unroll, type Ring } from './rings.ts'
import { translator } from './translations.ts'

/**
 * Returns every region of a level as GeoJSON for maps without tiles: bends and islands smaller than `detail`
 * square degrees are left out, 4 decimals (11 m). Neighbours keep their shared border. Its features carry
 * `gid`, `code`, `name`, in the other languages of hubs `name:xx`, and `parent`.
 */
export function boundaryFile(
  atlas: Atlas,
  level: Level,
  detail: number,
): FeatureCollection<Polygon | MultiPolygon, Region> {
  const simplified = simplify(presimplify(atlas), detail) as Atlas
  const getTranslations = translator()
  const full = new Map(listRegions(atlas, level).map(({ region, polygons }) => [region.gid, polygons]))
  const features = listRegions(simplified, level).map(({ region, polygons }) => {
    const largest =
      planarGeometry(visible(polygons, detail), 4) ?? planarGeometry(full.get(region.gid) ?? [], 4)
    if (!largest) throw new Error(`${region.gid} has no area`)
    return {
      type: 'Feature' as const,
      id: region.gid,
      properties: { ...region, ...nameTags(getTranslations(region.gid)) },
      geometry: largest,
    }
  })
  return { type: 'FeatureCollection', features }
}

/** Returns the polygons and holes that are large enough to draw, always including the largest polygon. */
function visible(polygons: Ring[][], detail: number): Ring[][] {
  const size = (ring: Ring) => Math.abs(doubleArea(ring))
  const unrolled = unroll(polygons, degrees)
  const largest = Math.max(...unrolled.map(([outer]) => size(outer ?? [])))
  return unrolled
    .filter(([outer]) => outer && size(outer) >= Math.min(largest, detail * 4))
    .map((rings) => rings.filter((ring, i) => i === 0 || size(ring) >= detail * 4))
}
