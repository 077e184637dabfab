import type { Geometry } from 'geojson'

/** A square of `size` degrees. */
export const box = (west: number, south: number, size = 1): Geometry => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ],
  ],
})

/** Areas as GeoJSON, each with its attributes. */
export const collection = (...areas: [properties: object, geometry: Geometry | null][]) => ({
  type: 'FeatureCollection' as const,
  features: areas.map(([properties, geometry]) => ({ type: 'Feature' as const, properties, geometry })),
})
