import type { Position } from 'geojson'

/**
 * Gives a ring in one piece: where an edge jumps by more than half of the earth, the rest of the ring is moved by 360 degrees, so
 * that it may reach beyond ±180. A ring around a pole is closed over that pole. A ring that would be wider so than as it stands, and
 * edges from -180 to 180 that only close a sheet, stay as they are. `crosses`: it was moved.
 */
export function unrollRing(ring: Position[]): { ring: Position[]; crosses: boolean } {
  let shift = 0
  let moves = 0
  const unrolled = ring.map(([lon = 0, lat = 0], i): Position => {
    const step = i === 0 ? 0 : lon - (ring[i - 1]?.[0] ?? 0)
    if (Math.abs(step) > 180 && Math.abs(step) < 360) {
      shift -= Math.sign(step) * 360
      moves += 1
    }
    return [lon + shift, lat]
  })
  if (moves === 0) return { ring, crosses: false }
  if (shift !== 0) return { ring: overPole(unrolled), crosses: true }
  return widthOf(unrolled) < widthOf(ring) ? { ring: unrolled, crosses: true } : { ring, crosses: false }
}

/** Closes a ring that has come around the earth along the pole that it is nearer to. */
function overPole(ring: Position[]): Position[] {
  const mean = ring.reduce((sum, [, lat = 0]) => sum + lat, 0) / ring.length
  const pole = mean < 0 ? -90 : 90
  const [first, last] = [ring[0] as Position, ring.at(-1) as Position]
  return [...ring, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first]
}

function widthOf(ring: Position[]): number {
  let [west, east] = [Infinity, -Infinity]
  for (const [lon = 0] of ring) {
    west = Math.min(west, lon)
    east = Math.max(east, lon)
  }
  return east - west
}
