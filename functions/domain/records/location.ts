import { toCell, interleave } from '#functions/engine/tile/morton.ts'
import { computeCentroid } from '#functions/shapes/fields/centroid.ts'
import type { Geometry } from '#functions/shapes/fields/geometry.ts'

/** The Morton key of a geometry's centroid, which is the point itself for a point. */
export function computeMortonKey(geometry: Geometry): number {
  const [longitude, latitude] = computeCentroid(geometry)
  return interleave(toCell(longitude, latitude))
}
