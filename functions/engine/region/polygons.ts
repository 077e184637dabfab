import type { Geometry, Position } from 'geojson'

/** What was changed in a geometry, or left out of it. */
export interface Change {
  kind: 'repaired' | 'leftOut' | 'noted'
  message: string
}

/** The polygons of a geometry, each a list of rings, the outer one first. */
interface Polygons {
  polygons: Position[][][]
  changes: Change[]
}

const minPositions = 4
const decimals = 7

/**
 * The polygons of a geometry that `geometryFault` finds valid when loose, or why it has none. Positions are rounded and
 * have no height. Open rings are closed; holes and parts with fewer than four positions are left out; of a collection
 * the polygons are taken. Holes outside of their ring and rings that intersect stay as they are.
 */
export function toPolygons(geometry: Geometry | null): Polygons | string {
  if (!geometry) return 'It has no geometry.'
  const parts = flattenGeometry(geometry)
  const areas = parts.flatMap((part) =>
    part.type === 'Polygon' ? [part.coordinates] : part.type === 'MultiPolygon' ? part.coordinates : [],
  )
  const others = describeOtherTypes(parts)
  if (geometry.type === 'GeometryCollection' && areas.length === 0)
    return others === '' ? 'The collection is empty.' : `The collection has no area, only ${others}.`
  if (areas.length === 0) return `It is a ${geometry.type}, not an area.`
  const closed = areas.map((rings) => rings.map(closeRing))
  const whole = closed.filter(([outer]) => isLongEnough(outer))
  if (whole.length === 0) return 'A ring has fewer than four positions.'
  const polygons = whole.map((rings) => rings.filter(isLongEnough).map(({ ring }) => ring))
  const openRingCount = whole.flat().filter((ring) => ring.wasOpen && isLongEnough(ring)).length
  const holes = whole.flat().length - polygons.flat().length
  const repairs = [
    openRingCount > 0 &&
      formatCount(
        openRingCount,
        'ring was not closed: it was closed',
        'rings were not closed: they were closed',
      ),
    holes > 0 && describeShortRings(holes, 'hole'),
    closed.length > whole.length && describeShortRings(closed.length - whole.length, 'part'),
  ]
  const changes: Change[] = repairs.flatMap((message) => (message ? [{ kind: 'repaired', message }] : []))
  if (geometry.type === 'GeometryCollection')
    changes.push({ kind: 'noted', message: 'It is a collection of geometries: its areas were put together.' })
  if (others !== '')
    changes.push({ kind: 'leftOut', message: `What it has beside areas was left out: ${others}.` })
  return { polygons, changes }
}

/** A geometry, or those of a collection and of the collections in it. */
function flattenGeometry(geometry: Geometry): Geometry[] {
  return geometry.type === 'GeometryCollection' ? geometry.geometries.flatMap(flattenGeometry) : [geometry]
}

/** The types of the geometries that are no areas, each with its number. */
function describeOtherTypes(parts: Geometry[]): string {
  const counts = new Map<string, number>()
  for (const { type } of parts)
    if (type !== 'Polygon' && type !== 'MultiPolygon') counts.set(type, (counts.get(type) ?? 0) + 1)
  return [...counts].map(([type, count]) => `${count.toLocaleString('en')} ${type}`).join(', ')
}

interface ClosedRing {
  ring: Position[]
  wasOpen: boolean
}

function closeRing(positions: Position[]): ClosedRing {
  const ring = positions.map(rounded)
  const [first, last] = [ring[0], ring.at(-1)]
  const wasOpen = first !== undefined && (first[0] !== last?.[0] || first[1] !== last?.[1])
  if (wasOpen) ring.push(first)
  return { ring, wasOpen }
}

const isLongEnough = (closed: ClosedRing | undefined) => (closed?.ring.length ?? 0) >= minPositions

/** A position without height, rounded to about a centimetre: shared vertices stay equal. */
function rounded([lon = 0, lat = 0]: Position): Position {
  const scale = 10 ** decimals
  return [Math.round(lon * scale) / scale, Math.round(lat * scale) / scale]
}

const formatCount = (count: number, one: string, many: string) =>
  count === 1 ? `A ${one}.` : `${count.toLocaleString('en')} ${many}.`

const describeShortRings = (count: number, noun: string) =>
  formatCount(
    count,
    `${noun} had fewer than four positions: it was left out`,
    `${noun}s had fewer than four positions: they were left out`,
  )
