import type { FeatureCollection, Geometry, Position } from 'geojson'
import polylabel from 'polylabel'
import { areaFinder } from '#functions/engine/region/inside.ts'
import { listPolygons } from '#functions/shapes/fields/geometry.ts'

/** The position of each region's circle, by gid: in its largest polygon, as far from the border as possible. */
export function computeAnchors({ features }: FeatureCollection): Map<string, [number, number]> {
  return new Map(
    features.flatMap(({ geometry, properties }) => {
      const largest = findLargestPolygon(geometry)
      return largest ? [[String(properties?.['gid']), farthestIn(largest)] as const] : []
    }),
  )
}

/** Where the square of the border is so many times the area, looking for the best position would take long. */
const thinnest = 20_000

/**
 * The same position of any area, as far as it is inside: null where there is no polygon, and where the largest one is as
 * thin as a line.
 */
export function findAnchor(geometry: Geometry): [number, number] | null {
  const largest = findLargestPolygon(geometry)
  if (!largest || measureRingLength(largest[0]) ** 2 > (thinnest * computeDoubleArea(largest[0])) / 2)
    return null
  const at = farthestIn(largest)
  return areaFinder([{ key: true, rings: largest }])(...at).length > 0 ? at : null
}

function findLargestPolygon(geometry: Geometry): Position[][] | undefined {
  return listPolygons(geometry).toSorted((a, b) => computeDoubleArea(b[0]) - computeDoubleArea(a[0]))[0]
}

function farthestIn(polygon: Position[][]): [number, number] {
  const precision = Math.sqrt(computeDoubleArea(polygon[0])) / 100
  const [lon, lat] = polylabel(polygon, precision || undefined)
  return [lon, lat]
}

/** In degrees. */
function measureRingLength(ring: Position[] = []): number {
  let sum = 0
  ring.forEach(([x = 0, y = 0], i) => {
    const [bx = 0, by = 0] = ring[(i + 1) % ring.length] ?? []
    sum += Math.hypot(bx - x, by - y)
  })
  return sum
}

/** Twice the area of a ring, in square degrees. */
function computeDoubleArea(ring: Position[] = []): number {
  let sum = 0
  ring.forEach(([x = 0, y = 0], i) => {
    const [bx = 0, by = 0] = ring[(i + 1) % ring.length] ?? []
    sum += x * by - bx * y
  })
  return Math.abs(sum)
}
