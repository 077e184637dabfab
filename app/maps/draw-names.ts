import type { GeoProjection } from 'd3-geo'
import type { FeatureCollection, Position } from 'geojson'
import type { ShapeProperties } from './areas.ts'
import { project } from './projection.ts'
import { escapeXml, short } from './svg.ts'

const fontSize = 12
/** The width of a letter as a share of its height, on average and not too small. */
const letter = 0.6
const mostNames = 60

interface Name {
  text: string
  x: number
  y: number
  width: number
}

/**
 * Gives the names of regions where they lie, the widest regions first: those that have room for theirs, and none over
 * another. In a group of its own, `.map-names`, so that a switch finds it.
 */
export function drawNames(
  regions: FeatureCollection,
  projection: GeoProjection,
  { width, height }: { width: number; height: number },
): string {
  const found = regions.features.flatMap((region): (Name & { room: number })[] => {
    const { name } = (region.properties ?? {}) as ShapeProperties
    const ring = largest(project(region, projection).geometry.coordinates)
    if (!name || !ring) return []
    const [west, east] = reach(ring)
    const [x, y] = middleOf(ring)
    const named = { text: name, x, y, width: name.length * fontSize * letter, room: east - west }
    const isInside =
      x > named.width / 2 && x < width - named.width / 2 && y > fontSize && y < height - fontSize
    return isInside && named.room >= named.width ? [named] : []
  })
  const drawn: Name[] = []
  for (const name of found.sort((a, b) => b.room - a.room)) {
    if (drawn.length < mostNames && !drawn.some((other) => meets(name, other))) drawn.push(name)
  }
  if (drawn.length === 0) return ''
  const texts = drawn.map(
    ({ text, x, y }) => `<text x="${short(x)}" y="${short(y + fontSize / 3)}">${escapeXml(text)}</text>`,
  )
  return (
    `<g class="map-names" fill="var(--map-label)" stroke="var(--map-land)" stroke-width="3" paint-order="stroke" ` +
    `stroke-linejoin="round" font-size="${fontSize}" text-anchor="middle" aria-hidden="true">${texts.join('')}</g>`
  )
}

const meets = (a: Name, b: Name) =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < fontSize * 1.3

function largest(rings: Position[][]): Position[] | undefined {
  let [best, size] = [undefined as Position[] | undefined, 0]
  for (const ring of rings) {
    const area = Math.abs(moments(ring).area)
    if (area > size) [best, size] = [ring, area]
  }
  return best
}

/** The centre of gravity of a ring. */
function middleOf(ring: Position[]): [number, number] {
  const { area, x, y } = moments(ring)
  return [x / (3 * area), y / (3 * area)]
}

/** Twice the area of a ring, and what its centre is reckoned from. */
function moments(ring: Position[]): { area: number; x: number; y: number } {
  const sum = { area: 0, x: 0, y: 0 }
  ring.forEach(([ax = 0, ay = 0], i) => {
    const [bx = 0, by = 0] = ring[(i + 1) % ring.length] ?? []
    const cross = ax * by - bx * ay
    sum.area += cross
    sum.x += (ax + bx) * cross
    sum.y += (ay + by) * cross
  })
  return sum
}

function reach(ring: Position[]): [number, number] {
  let [west, east] = [Infinity, -Infinity]
  for (const [x = 0] of ring) {
    west = Math.min(west, x)
    east = Math.max(east, x)
  }
  return [west, east]
}
