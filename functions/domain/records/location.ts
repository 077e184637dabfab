import { cellOf, interleave } from '#functions/engine/tile/morton.ts'
import { centroidOf } from '#functions/shapes/fields/centroid.ts'
import type { Geometry } from '#functions/shapes/fields/geometry.ts'

/** The Morton key of a geometry's centroid, which is the point itself for a point. */
export function keyOf(geometry: Geometry): number {
  const [longitude, latitude] = centroidOf(geometry)
  return interleave(cellOf(longitude, latitude))
}
