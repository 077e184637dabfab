import type { Position } from 'geojson'
import type { PlainRing } from './border-net.ts'

/** A closed ring of positions in plain memory. */
export const toRing = (positions: readonly Position[], isHole = false): PlainRing => ({
  isHole,
  at: Float64Array.from([...positions, positions[0] as Position].flat()),
})

/** A crooked line between two positions, without the last: the same from both sides. */
function crooked(from: Position, to: Position, corners: number): Position[] {
  const [fx = 0, fy = 0, tx = 0, ty = 0] = [...from, ...to]
  const isForward = fx < tx || (fx === tx && fy < ty)
  const [ax, ay, bx, by] = isForward ? [fx, fy, tx, ty] : [tx, ty, fx, fy]
  const line = Array.from({ length: corners + 1 }, (_, i): Position => {
    const share = i / corners
    // Less towards its ends, so that no border crosses another.
    const aside =
      0.3 * Math.min(share, 1 - share) * Math.sin(12.9898 * (ax + bx) + 78.233 * (ay + by) + 37.719 * i)
    return [ax + (bx - ax) * share - (by - ay) * aside, ay + (by - ay) * share + (bx - ax) * aside]
  })
  return (isForward ? line : line.reverse()).slice(0, -1)
}

/**
 * The positions of `side`² neighbouring districts with crooked borders, row by row from the south-west: each has about four times `corners`
 * corners, counter-clockwise. `west`, `south`, `width` and `height` are of all of them, in degrees.
 */
export function* generateDistricts(
  side: number,
  corners: number,
  { west = 0, south = 0, width = 1, height = 1 } = {},
): Generator<Position[]> {
  const toPosition = (x: number, y: number): Position => [
    west + (width * x) / side,
    south + (height * y) / side,
  ]
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const ends = [toPosition(x, y), toPosition(x + 1, y), toPosition(x + 1, y + 1), toPosition(x, y + 1)]
      yield ends.flatMap((end, i) => crooked(end, ends[(i + 1) % 4] as Position, corners))
    }
}
