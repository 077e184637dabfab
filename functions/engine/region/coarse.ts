import type { Position } from 'geojson'
import { fromUnitSquare } from './antimeridian.ts'
import { computeDoubleArea, ringAt, type BorderNet } from './border-net.ts'

const decimals = 7
/** The detail of an area that would vanish is raised by this factor; finally all of it is kept. */
const finer = 1 / 64

/**
 * The polygons of each area in degrees with about `most` vertices in total, besides junctions of borders; neighbours
 * share the vertices between them. Vanished rings are left out, except the largest of each area.
 */
export function coarsePolygons(net: BorderNet, most: number): Position[][][][] {
  const weight = computeWeightThreshold(net, most)
  const polygons = Array.from({ length: net.areas }, (): Position[][][] => [])
  const largest = new Map<number, { ring: number; area: number }>()
  let hasOuter = false
  net.ringAreas.forEach((owner, ring) => {
    const isHole = net.holes[ring] === 1
    if (!isHole) {
      const area = computeDoubleArea(ringAt(net, ring))
      if (area > (largest.get(owner)?.area ?? -1)) largest.set(owner, { ring, area })
    }
    const at = ringAt(net, ring, weight)
    const isSeen = computeDoubleArea(at) > 0
    if (!isHole) hasOuter = isSeen
    if (!isSeen || !hasOuter) return
    if (isHole) polygons[owner]?.at(-1)?.push(toDegrees(at))
    else polygons[owner]?.push([toDegrees(at)])
  })
  for (const [owner, { ring }] of largest)
    if (polygons[owner]?.length === 0) polygons[owner].push([toDegrees(withArea(net, ring, weight * finer))])
  return polygons
}

/** A ring with so little detail that it has an area still. */
function withArea(net: BorderNet, ring: number, weight: number): Float64Array {
  const at = ringAt(net, ring, weight)
  return computeDoubleArea(at) > 0 || weight < 1e-18
    ? at
    : withArea(net, ring, weight > 1e-17 ? weight * finer : 0)
}

/** The weight threshold that keeps `most` vertices; 0 where there are no more. */
function computeWeightThreshold({ weights }: BorderNet, most: number): number {
  if (weights.length <= most) return 0
  const threshold = weights.toSorted()[weights.length - most] as number
  // With more junctions than that, only those remain.
  return Number.isFinite(threshold) ? threshold : Number.MAX_VALUE
}

function toDegrees(at: Float64Array): Position[] {
  const scale = 10 ** decimals
  const ring = Array.from({ length: at.length / 2 }, (_, i): Position =>
    fromUnitSquare(at[2 * i] as number, at[2 * i + 1] as number).map(
      (degree) => Math.round(degree * scale) / scale,
    ),
  )
  return [...ring, ring[0] as Position]
}
