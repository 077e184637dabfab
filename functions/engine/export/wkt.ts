import type { Geometry } from '#functions/shapes/fields/geometry.ts'

/** A geometry as well-known text, as PostGIS writes it: `POINT(-74 40.7)`. Elevations are left out. */
export function wkt({ type, coordinates }: Geometry): string {
  return `${type.toUpperCase()}${nest(type === 'Point' ? [coordinates] : coordinates)}`
}

function nest(node: unknown[]): string {
  const parts = node.map((child) => {
    const isPosition = Array.isArray(child) && typeof child[0] === 'number'
    return isPosition ? child.slice(0, 2).join(' ') : nest(child as unknown[])
  })
  return `(${parts.join(',')})`
}
