import type { MultiPolygon, Polygon, Position } from 'geojson'
import { markCrossings } from './crossings.ts'
import { degrees } from '#functions/engine/region/antimeridian.ts'
import { box, groupRings, unroll, type Ring } from './rings.ts'

/**
 * Converts the polygons of a spherical atlas to planar geometry in longitude and latitude: cut at ±180°,
 * closed at the poles, rings simple and wound as in RFC 7946, positions rounded to `decimals`. Rings that
 * collapse are left out; null when nothing is left. Valid in the sense of OGC: a ring that crosses itself is
 * split.
 */
export function planarGeometry(polygons: Ring[][], decimals = 6): Polygon | MultiPolygon | null {
  const rings: Ring[] = []
  for (const polygon of unroll(polygons, degrees)) {
    for (const ring of cutIntoWorld(polygon))
      rings.push(...simpleRings(markCrossings(roundRing(ring, decimals), decimals)))
  }
  const grouped = groupRings(rings)
  if (grouped.length === 0) return null
  return grouped.length === 1
    ? { type: 'Polygon', coordinates: grouped[0] as Ring[] }
    : { type: 'MultiPolygon', coordinates: grouped }
}

/** Moves parts beyond ±180° to the other side; rings inside the world are returned unchanged. */
function cutIntoWorld(rings: Ring[]): Ring[] {
  const east = degrees.west + degrees.period
  let [min, max] = [Infinity, -Infinity]
  for (const ring of rings) {
    const [x0, , x1] = box(ring)
    min = Math.min(min, x0)
    max = Math.max(max, x1)
  }
  if (max > east) return [...clip(rings, east, true), ...shift(clip(rings, east, false), -degrees.period)]
  if (min < degrees.west)
    return [...clip(rings, degrees.west, false), ...shift(clip(rings, degrees.west, true), degrees.period)]
  return rings
}

function shift(rings: Ring[], by: number): Ring[] {
  return rings.map((ring) => ring.map(([x = 0, y = 0]) => [x + by, y]))
}

/**
 * Returns the part of a polygon's rings on one side of the meridian `at`. A vertex on the meridian counts as
 * west of it, so each crossing is counted once; crossings sorted by latitude bound the inside in pairs, which
 * joins the pieces without the overlapping edges that clipping vertex by vertex would leave.
 */
function clip(rings: Ring[], at: number, keepWest: boolean): Ring[] {
  const closedRings: Ring[] = []
  const chains: Ring[] = []
  for (const ring of rings) {
    const open = ring.slice(0, -1)
    const keepsPoint = open.map(([x = 0]) => x <= at === keepWest)
    if (keepsPoint.every(Boolean)) closedRings.push(ring)
    if (keepsPoint.every(Boolean) || !keepsPoint.some(Boolean)) continue
    const start = keepsPoint.findIndex((is, i) => is && !keepsPoint[(i + open.length - 1) % open.length])
    let chain: Ring = []
    for (let n = 0; n < open.length; n++) {
      const i = (start + n) % open.length
      const previous = (i + open.length - 1) % open.length
      if (keepsPoint[i] && !keepsPoint[previous])
        chain = [crossing(open[previous] as Position, open[i] as Position, at)]
      if (keepsPoint[i]) chain.push(open[i] as Position)
      else if (keepsPoint[previous])
        chains.push([...chain, crossing(open[previous] as Position, open[i] as Position, at)])
    }
    if (keepsPoint[(start + open.length - 1) % open.length])
      throw new Error('A ring was walked from inside the cut')
  }
  return [...closedRings, ...joinChains(chains)]
}

function crossing([ax = 0, ay = 0]: Position, [bx = 0, by = 0]: Position, at: number): Position {
  return [at, ay + ((by - ay) * (at - ax)) / (bx - ax)]
}

function joinChains(chains: Ring[]): Ring[] {
  const ends = chains
    .flatMap((chain, index) => [
      { index, isStart: true, y: chain[0]?.[1] ?? 0 },
      { index, isStart: false, y: chain[chain.length - 1]?.[1] ?? 0 },
    ])
    .sort((a, b) => a.y - b.y)
  const next = new Map<number, number>()
  for (let i = 0; i + 1 < ends.length; i += 2) {
    const pair = [ends[i], ends[i + 1]]
    const from = pair.find((end) => end && !end.isStart)
    const to = pair.find((end) => end?.isStart)
    if (!from || !to) throw new Error('The rings of a polygon cross at the antimeridian')
    next.set(from.index, to.index)
  }
  const rings: Ring[] = []
  while (next.size > 0) {
    const [first] = next.keys()
    const ring: Ring = []
    for (let at = first as number; next.has(at);) {
      ring.push(...(chains[at] as Ring))
      const following = next.get(at) as number
      next.delete(at)
      at = following
    }
    rings.push([...ring, ring[0] as Position])
  }
  return rings
}

function roundRing(ring: Ring, decimals: number): Ring {
  const scale = 10 ** decimals
  // "+ 0" turns the -0 of rounding into 0
  return ring.map(([x = 0, y = 0]) => [Math.round(x * scale) / scale + 0, Math.round(y * scale) / scale + 0])
}

/**
 * Splits a closed ring into its simple rings. Each time it returns to a visited vertex, the loop since then
 * becomes a ring of its own; a there-and-back spike is a loop without area and is dropped.
 */
function simpleRings(ring: Ring): Ring[] {
  const rings: Ring[] = []
  const walk: Position[] = []
  const indexByPosition = new Map<string, number>()
  for (const position of ring) {
    const key = `${position[0]} ${position[1]}`
    const existing = indexByPosition.get(key)
    if (existing === undefined) {
      indexByPosition.set(key, walk.length)
      walk.push(position)
      continue
    }
    const loop = walk.splice(existing + 1)
    for (const [x, y] of loop) indexByPosition.delete(`${x} ${y}`)
    if (loop.length >= 2) rings.push([position, ...loop, position])
  }
  return rings
}
