import type { Position } from 'geojson'

/**
 * Twice the area of a ring on a plane, in squares of its unit: negative for one that runs clockwise (with y upwards), and
 * about 0 for a bow tie. Open or closed.
 */
export function computeDoubleSignedArea(ring: readonly Position[]): number {
  let sum = 0
  ring.forEach(([x = 0, y = 0], i) => {
    const [bx = 0, by = 0] = ring[(i + 1) % ring.length] ?? []
    sum += x * by - bx * y
  })
  return sum
}
