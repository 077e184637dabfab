import type { FeatureCollection, Position } from 'geojson'
import polylabel from 'polylabel'
import { polygonsOf } from '#functions/shapes/fields/geometry.ts'

/** The position of each region's circle, by gid: in its largest polygon, as far from the border as possible. */
export function anchorsOf({ features }: FeatureCollection): Map<string, [number, number]> {
  return new Map(
    features.flatMap((feature) => {
      const polygons = polygonsOf(feature.geometry)
      const [largest] = polygons.toSorted((a, b) => sizeOf(b[0]) - sizeOf(a[0]))
      if (!largest) return []
      const precision = Math.sqrt(sizeOf(largest[0])) / 100
      const [lon, lat] = polylabel(largest, precision || undefined)
      return [[String(feature.properties?.['gid']), [lon, lat] as [number, number]]]
    }),
  )
}

/** Twice the area of a ring, in square degrees. */
function sizeOf(ring: Position[] = []): number {
  let sum = 0
  ring.forEach(([x = 0, y = 0], i) => {
    const [bx = 0, by = 0] = ring[(i + 1) % ring.length] ?? []
    sum += x * by - bx * y
  })
  return Math.abs(sum)
}
