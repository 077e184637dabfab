import type { Position } from 'geojson'
import { fromUnitSquare } from './antimeridian.ts'
import { doubleAreaOf, ringAt, type BorderNet } from './net.ts'

const decimals = 7
/** An area of which nothing is left has so much more detail; at last all of its own. */
const finer = 1 / 64

/**
 * The polygons of each area in degrees with about `most` corners in all, besides those where borders meet; neighbours have the same corners
 * between them. Rings of which nothing is left are left out, but of each area its largest.
 */
export function coarsePolygons(net: BorderNet, most: number): Position[][][][] {
  const weight = weightOf(net, most)
  const polygons = Array.from({ length: net.areas }, (): Position[][][] => [])
  const largest = new Map<number, { ring: number; area: number }>()
  let hasOuter = false
  net.ringAreas.forEach((owner, ring) => {
    const isHole = net.holes[ring] === 1
    if (!isHole) {
      const area = doubleAreaOf(ringAt(net, ring))
      if (area > (largest.get(owner)?.area ?? -1)) largest.set(owner, { ring, area })
    }
    const at = ringAt(net, ring, weight)
    const isSeen = doubleAreaOf(at) > 0
    if (!isHole) hasOuter = isSeen
    if (!isSeen || !hasOuter) return
    if (isHole) polygons[owner]?.at(-1)?.push(inDegrees(at))
    else polygons[owner]?.push([inDegrees(at)])
  })
  for (const [owner, { ring }] of largest)
    if (polygons[owner]?.length === 0) polygons[owner].push([inDegrees(withArea(net, ring, weight * finer))])
  return polygons
}

/** A ring with so little detail that it has an area still. */
function withArea(net: BorderNet, ring: number, weight: number): Float64Array {
  const at = ringAt(net, ring, weight)
  return doubleAreaOf(at) > 0 || weight < 1e-18
    ? at
    : withArea(net, ring, weight > 1e-17 ? weight * finer : 0)
}

/** What a corner weighs at least, of so many that weigh most; 0 where there are no more. */
function weightOf({ weights }: BorderNet, most: number): number {
  if (weights.length <= most) return 0
  const threshold = weights.toSorted()[weights.length - most] as number
  // Where borders meet more often than that, only those corners are left.
  return Number.isFinite(threshold) ? threshold : Number.MAX_VALUE
}

function inDegrees(at: Float64Array): Position[] {
  const scale = 10 ** decimals
  const ring = Array.from({ length: at.length / 2 }, (_, i): Position =>
    fromUnitSquare(at[2 * i] as number, at[2 * i + 1] as number).map(
      (degree) => Math.round(degree * scale) / scale,
    ),
  )
  return [...ring, ring[0] as Position]
}
