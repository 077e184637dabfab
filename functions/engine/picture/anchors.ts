import type { FeatureCollection, Geometry, Position } from 'geojson'
import polylabel from 'polylabel'
import { areaFinder } from '#functions/engine/region/inside.ts'
import { polygonsOf } from '#functions/shapes/fields/geometry.ts'
import { boxOf } from './shapes.ts'

/** The position of each region's circle, by gid: `anchorOf`, or a corner of a region without room for it. */
export function anchorsOf({ features }: FeatureCollection): Map<string, [number, number]> {
  return new Map(
    features.flatMap(({ geometry, properties }) => {
      const [lon, lat] = anchorOf(geometry) ?? polygonsOf(geometry)[0]?.[0]?.[0] ?? []
      return lon === undefined || lat === undefined
        ? []
        : [[String(properties?.['gid']), [lon, lat] as [number, number]] as const]
    }),
  )
}

/** Of these parts of the usual precision the first is used whose result is inside: slivers need a finer one. */
const precisions = [100, 10_000]
/** A polygon that is longer in relation to its width takes a search of more steps than its position is worth. */
const longest = 10_000

/**
 * The position inside an area as far from its border as possible, in its largest polygon; null where it has no polygon,
 * or one without width.
 */
export function anchorOf(geometry: Geometry): [number, number] | null {
  const [largest] = polygonsOf(geometry).toSorted((a, b) => sizeOf(b[0]) - sizeOf(a[0]))
  if (!largest) return null
  const length = Math.sqrt(sizeOf(largest[0]))
  const [west, south, east, north] = boxOf({ geometry: { type: 'Polygon', coordinates: largest } })
  const [short, long] = [east - west, north - south].toSorted((a, b) => a - b) as [number, number]
  if (length === 0 || long > longest * short) return null
  const isInside = areaFinder([{ key: true, rings: largest }])
  for (const parts of precisions) {
    const [lon, lat] = polylabel(largest, length / parts)
    if (isInside(lon, lat).length > 0) return [lon, lat]
  }
  return null
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
