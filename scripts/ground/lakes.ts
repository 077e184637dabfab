import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Feature, Polygon, Position } from 'geojson'

const headBytes = 8
const lineBytes = 28
const degrees = 180 / Math.PI

/**
 * Reads the lakes of the R package "maps" from its folder of map data: `lakes.N` has a name per line,
 * `lakes.L` a count and for each line the offset and number of its points, then the points in radians, each
 * line a closed shore. A ring inside a lake is an island.
 */
export function readLakes(folder: string): Feature<Polygon, { name: string }>[] {
  const names = readFileSync(join(folder, 'lakes.N'), 'utf8')
    .split('\n')
    .map((line) => (line.split('\t')[0] ?? '').split(':')[0] ?? '')
  const bytes = readFileSync(join(folder, 'lakes.L'))
  const shores = Array.from({ length: bytes.readUInt32LE(4) }, (_, at) => shoreAt(bytes, at))
  const lakeByShore = shores.map((shore) =>
    shores.findIndex((other) => other !== shore && isIn(other, shore[0])),
  )
  return shores.flatMap((shore, at) => {
    if (lakeByShore[at] !== -1) return []
    const islands = shores.filter((_, other) => lakeByShore[other] === at)
    const name = (names[at] ?? '').replace('?', '')
    return [
      {
        type: 'Feature' as const,
        properties: { name },
        geometry: { type: 'Polygon' as const, coordinates: [shore, ...islands] },
      },
    ]
  })
}

function shoreAt(bytes: Buffer, at: number): Position[] {
  const head = headBytes + at * lineBytes
  const [start, points] = [bytes.readUInt32LE(head), bytes.readUInt32LE(head + 4)]
  const ring: Position[] = Array.from({ length: points }, (_, point) => [
    bytes.readFloatLE(start + 8 * point) * degrees,
    bytes.readFloatLE(start + 8 * point + 4) * degrees,
  ])
  return [...ring, [...(ring[0] ?? [])]]
}

/** Tests whether a point lies in a ring: a ray from it crosses the ring an odd number of times. */
function isIn(ring: Position[], [x = 0, y = 0]: Position = []): boolean {
  let isInside = false
  ring.forEach(([bx = 0, by = 0], i) => {
    const [ax = 0, ay = 0] = ring[(i + 1) % ring.length] ?? []
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside
  })
  return isInside
}
