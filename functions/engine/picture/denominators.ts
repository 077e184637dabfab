import { geoArea } from 'd3-geo'
import type { FeatureCollection } from 'geojson'
import { wound } from '#functions/engine/map/projection.ts'
import type { MapPer } from '#functions/shapes/analytics.ts'

const earthRadius = 6371.0088

/**
 * How many square kilometres each region has, by its gid: what its set says of its full outline, else as the map draws it, on the sphere, of
 * outlines that are simplified.
 */
export function areasOf({ features }: FeatureCollection): Map<string, number> {
  return new Map(
    features.map((feature) => {
      const { gid, km2 } = feature.properties ?? {}
      return [
        String(gid),
        typeof km2 === 'number' ? km2 : geoArea(wound(feature)) * earthRadius * earthRadius,
      ]
    }),
  )
}

/** Whether the areas of regions are those of simplified outlines. */
export const areSimplified = ({ features }: FeatureCollection): boolean =>
  features.some(({ properties }) => typeof properties?.km2 !== 'number')

/** What the measure of each region is divided by, by its gid; regions of which that is not known, or not above zero, are left out. */
export function denominatorsOf(shapes: FeatureCollection, per: MapPer): Map<string, number> {
  const numbers = per === 'area' ? areasOf(shapes) : numbersOf(shapes, per.attribute)
  return new Map([...numbers].filter(([, value]) => value > 0))
}

function numbersOf({ features }: FeatureCollection, attribute: string): Map<string, number> {
  return new Map(
    features.flatMap(({ properties }) => {
      const numbers = (properties?.numbers ?? {}) as Record<string, unknown>
      const value = Object.hasOwn(numbers, attribute) ? numbers[attribute] : undefined
      return typeof value === 'number' ? [[String(properties?.gid), value] as const] : []
    }),
  )
}
