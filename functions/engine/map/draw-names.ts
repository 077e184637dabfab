import type { GeoProjection } from 'd3-geo'
import type { FeatureCollection, Position } from 'geojson'
import type { OccupiedArea } from './draw-ground.ts'
import { joinPlainAttribute } from './plain-name.ts'
import { project } from './projection.ts'
import { nameOfRegion } from './region-names.ts'
import { escapeXml, formatSvgNumber } from './svg.ts'
import { textWidth } from '#functions/engine/chart/text-width.ts'
import { ringPiece } from '#functions/shapes/fields/centroid.ts'

const maxNames = 60
/** The room around a name: other fonts are wider than ours. */
const padding = 6

interface Name {
  text: string
  /** The attribute with its form in Latin letters, where it has others. */
  plain: string
  x: number
  y: number
  width: number
}

/**
 * The names of regions in the language of `locale`, the widest first, where they fit without overlaps. In a group `.map-names`, for switches.
 * `occupied`: their rectangles.
 */
export function drawNames(
  regions: FeatureCollection,
  projection: GeoProjection,
  { width, height }: { width: number; height: number },
  { locale, fontSize = 12 }: { locale: string; fontSize?: number },
): { svg: string; occupied: OccupiedArea[] } {
  const rows = regions.features.flatMap((region): (Name & { room: number })[] => {
    const name = nameOfRegion(region, locale)
    const match = largest(project(region, projection).geometry.coordinates)
    if (!name || !match) return []
    const { ring, x, y } = match
    const [west, east] = reach(ring)
    const label = {
      ...{ text: name, plain: joinPlainAttribute([region], locale), x, y },
      ...{ width: textWidth(name, fontSize) + padding, room: east - west },
    }
    const isInside =
      x > label.width / 2 && x < width - label.width / 2 && y > fontSize && y < height - fontSize
    return isInside && label.room >= label.width ? [label] : []
  })
  const labels: Name[] = []
  for (const name of rows.sort((a, b) => b.room - a.room)) {
    if (labels.length < maxNames && !labels.some((other) => meets(name, other, fontSize))) labels.push(name)
  }
  if (labels.length === 0) return { svg: '', occupied: [] }
  const texts = labels.map(
    ({ text, plain, x, y }) =>
      `<text x="${formatSvgNumber(x)}" y="${formatSvgNumber(y + fontSize / 3)}"${plain}>${escapeXml(text)}</text>`,
  )
  const svg =
    `<g class="map-names" fill="var(--map-label)" stroke="var(--map-land)" stroke-width="3" paint-order="stroke" ` +
    `stroke-linejoin="round" font-size="${fontSize}" text-anchor="middle" aria-hidden="true">${texts.join('')}</g>`
  const occupied = labels.map(({ x, y, width: wide }) => ({
    ...{ x: x - wide / 2, y: y - fontSize, width: wide, height: 1.6 * fontSize },
  }))
  return { svg, occupied }
}

const meets = (a: Name, b: Name, fontSize: number) =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < fontSize * 1.3

/** The largest ring and its centroid; undefined where none has an area. */
function largest(rings: Position[][]) {
  let best: { ring: Position[]; x: number; y: number } | undefined
  let size = 0
  for (const ring of rings) {
    const { x, y, weight } = ringPiece(ring)
    if (weight > size) [best, size] = [{ ring, x, y }, weight]
  }
  return best
}

function reach(ring: Position[]): [number, number] {
  let [west, east] = [Infinity, -Infinity]
  for (const [x = 0] of ring) {
    west = Math.min(west, x)
    east = Math.max(east, x)
  }
  return [west, east]
}
