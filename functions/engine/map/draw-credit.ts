import { textWidth, wrapText } from '#functions/engine/chart/text-width.ts'
import { meets, type OccupiedArea } from './draw-ground.ts'
import type { Lettering } from './lettering.ts'
import { escapeXml, formatSvgNumber } from './svg.ts'

/** Letters of the credit relative to those of towns. */
const smaller = 0.85
/** The part of the picture that a line of it may take: the scale is on its other side. */
const lineShare = 0.62
const margin = 6
/** More origins than fit into these lines are cut: the list of sets names all of them. */
const maxLines = 5

/**
 * Where base map and outlines of a picture come from, as their licences require wherever it is shown: small, in the corner
 * at the bottom right, or at the top where insets take that. Undefined without origins. Lines are wrapped at words.
 */
export function drawCredit(
  origins: readonly (string | undefined)[],
  { width, height }: { width: number; height: number },
  insets: readonly OccupiedArea[],
  { fontSize }: Lettering,
): { svg: string; occupied: OccupiedArea } | undefined {
  const distinct = distinctOrigins(origins)
  if (distinct.length === 0) return undefined
  const size = formatSvgNumber(fontSize * smaller)
  const lines = wrapText(distinct.join(' · '), Number(size), width * lineShare, maxLines)
  const lineHeight = 1.25 * Number(size)
  const wide = Math.max(...lines.map((line) => textWidth(line, Number(size)))) + 2 * margin
  const high = lines.length * lineHeight + margin
  const corners = [
    { x: width - wide, y: height - high },
    { x: width - wide, y: 0 },
    { x: 0, y: 0 },
  ].map((corner) => ({ ...corner, width: wide, height: high }))
  const [fallback] = corners
  const occupied = corners.find((corner) => !insets.some((inset) => meets(corner, inset))) ?? fallback
  if (!occupied) return undefined
  const isLeft = occupied.x === 0
  const x = formatSvgNumber(isLeft ? margin : width - margin)
  const texts = lines.map(
    (line, i) =>
      `<text x="${x}" y="${formatSvgNumber(occupied.y + (i + 1) * lineHeight)}"${isLeft ? '' : ' text-anchor="end"'}>${escapeXml(line)}</text>`,
  )
  return {
    svg:
      `<g class="map-credit" fill="var(--map-label)" stroke="var(--map-land)" stroke-width="2.5" paint-order="stroke" ` +
      `stroke-linejoin="round" font-size="${size}" aria-hidden="true">${texts.join('')}</g>`,
    occupied,
  }
}

/**
 * Origins without what a later one says as well, each once: of "Natural Earth, GeoNames (CC BY 4.0)" and "Natural Earth, 1:10
 * million" the first is "GeoNames (CC BY 4.0)".
 */
function distinctOrigins(origins: readonly (string | undefined)[]): string[] {
  const stated = origins.filter((origin): origin is string => Boolean(origin))
  return stated.flatMap((origin, i) => {
    const later = stated.slice(i + 1)
    const isSaid = (part: string) => later.some((other) => other === part || other.startsWith(`${part}, `))
    const rest = isSaid(origin) ? [] : origin.split(', ').filter((part) => !isSaid(part))
    return rest.length > 0 ? [rest.join(', ')] : []
  })
}
