import type { Feature, Geometry } from 'geojson'
import type { PlaceMapOptions } from '#functions/engine/map/place-map.ts'

/** Boundary sets for the map of a record, in the order in which they are tried. */
const sets = [
  { id: 'us-states', projection: 'mercator' },
  { id: 'world-countries', projection: 'mercator' },
] as const

const size = { width: 480, height: 320 }

/**
 * A map of a record as SVG: its state or country on the basemap, with the record's point, line or area. `basemap`: the archive in the
 * operator's settings. Null without a geometry, or outside of all known regions. `label`: the picture's title in the language of
 * `locale`, with `{name}` for the region.
 */
export async function recordMap(
  { tiles, basemap }: { tiles: R2Bucket; basemap?: string | undefined },
  geometry: Geometry,
  { label, locale }: { label: string; locale: string },
): Promise<string | null> {
  const { geoCentroid, geoContains } = await import('d3-geo')
  const { placeMap, placeView } = await import('#functions/engine/map/place-map.ts')
  const { groundIn } = await import('#functions/engine/picture/find-ground.ts')
  const { nameOfRegion } = await import('#functions/engine/map/region-names.ts')
  const { rewindRings } = await import('#functions/engine/map/projection.ts')
  const {
    computeFeatureBox,
    pickShapesInView: inView,
    readShapes,
  } = await import('#functions/engine/picture/shapes.ts')
  const [lon, lat] = geometry.type === 'Point' ? geometry.coordinates : geoCentroid(geometry)
  if (lon === undefined || lat === undefined || !Number.isFinite(lon) || !Number.isFinite(lat)) return null
  const isIn = (feature: Feature) => {
    const [west, south, east, north] = computeFeatureBox(feature)
    return (
      west <= lon &&
      lon <= east &&
      south <= lat &&
      lat <= north &&
      geoContains(rewindRings(feature), [lon, lat])
    )
  }
  for (const { id, projection } of sets) {
    const shapes = await readShapes(tiles, id)
    const region = shapes.features.find(isIn)
    if (!region) continue
    const [west, south, east, north] = computeFeatureBox(region)
    const regions = inView(shapes, [
      { lon: west, lat: south },
      { lon: east, lat: north },
    ])
    const title = label.replace('{name}', () => nameOfRegion(region, locale))
    const isPoint = geometry.type === 'Point' || geometry.type === 'MultiPoint'
    const options: PlaceMapOptions = {
      ...{ regions, boundary: { type: 'FeatureCollection', features: [region] }, projection, ...size },
      layers: [
        {
          ...{ points: [{ lon, lat }], fill: 'var(--cat-1)' },
          ...(!isPoint && { shapes: [geometry] }),
        },
      ],
      ...{ title, description: title, locale, id: 'record-map' },
    }
    const ground = await groundIn(tiles, placeView(options), basemap)
    return placeMap({ ...options, ground }).svg
  }
  return null
}
