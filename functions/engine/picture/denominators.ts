import { geoArea } from 'd3-geo'
import type { FeatureCollection } from 'geojson'
import { rewindRings } from '#functions/engine/map/projection.ts'
import type { MapPer } from '#functions/shapes/analytics.ts'

const earthRadius = 6371.0088

/**
 * The area of each region in square kilometres, by gid: of its full outline where the set has it, otherwise of the
 * simplified outline on the sphere.
 */
export function measureRegionAreas({ features }: FeatureCollection): Map<string, number> {
  return new Map(
    features.map((feature) => {
      const { gid, km2 } = feature.properties ?? {}
      return [
        String(gid),
        typeof km2 === 'number' ? km2 : geoArea(rewindRings(feature)) * earthRadius * earthRadius,
      ]
    }),
  )
}

/** Whether the areas of regions are those of simplified outlines. */
export const areSimplified = ({ features }: FeatureCollection): boolean =>
  features.some(({ properties }) => typeof properties?.km2 !== 'number')

/** The denominator of each region, by gid; regions with an unknown one, or not above zero, are left out. */
export function computeDenominators(shapes: FeatureCollection, per: MapPer): Map<string, number> {
  const numbers = per === 'area' ? measureRegionAreas(shapes) : getAttributeNumbers(shapes, per.attribute)
  return new Map([...numbers].filter(([, value]) => value > 0))
}

function getAttributeNumbers({ features }: FeatureCollection, attribute: string): Map<string, number> {
  return new Map(
    features.flatMap(({ properties }) => {
      const numbers = (properties?.numbers ?? {}) as Record<string, unknown>
      const value = Object.hasOwn(numbers, attribute) ? numbers[attribute] : undefined
      return typeof value === 'number' ? [[String(properties?.gid), value] as const] : []
    }),
  )
}
