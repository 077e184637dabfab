import type { Position } from 'geojson'
import type { Geometry } from './geometry.ts'

/** [west, south, east, north] in degrees. */
export type Extent = [number, number, number, number]

/** The bounding box of a geometry. A shape across the 180th meridian spans the world. */
export function computeExtent(geometry: Geometry): Extent {
  if (geometry.type === 'Point') {
    const [x, y] = geometry.coordinates as [number, number]
    return [x, y, x, y]
  }
  const extent: Extent = [Infinity, Infinity, -Infinity, -Infinity]
  visitPositions(geometry, (x, y) => {
    if (x < extent[0]) extent[0] = x
    if (y < extent[1]) extent[1] = y
    if (x > extent[2]) extent[2] = x
    if (y > extent[3]) extent[3] = y
  })
  return extent
}

/** The bounding box of both; null counts as empty. */
export function union(a: Extent | null, b: Extent): Extent {
  if (!a) return [...b]
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]
}

/** The bounding box of all of them; null for none. */
export function mergeExtents(extents: readonly Extent[]): Extent | null {
  return extents.reduce<Extent | null>(union, null)
}

function visitPositions({ coordinates }: Geometry, visit: (x: number, y: number) => void): void {
  const walk = (node: Geometry['coordinates'] | Position): void => {
    if (typeof node[0] === 'number') visit(node[0], node[1] as number)
    else for (const child of node) walk(child as Position)
  }
  walk(coordinates)
}
