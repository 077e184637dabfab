import { textWidth } from '#functions/engine/chart/text-width.ts'
import { meets, type OccupiedArea } from './draw-ground.ts'
import type { Lettering } from './lettering.ts'
import { escapeXml, short } from './svg.ts'

/** Letters of the credit relative to those of towns. */
const smaller = 0.85
/** The part of the picture that a line of it may take: the scale is on its other side. */
const lineShare = 0.62
const margin = 6

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
  const stated = origins.filter((origin): origin is string => Boolean(origin))
  const distinct = stated.filter(
    (origin, i) => !stated.some((other, at) => at !== i && isPart(origin, i, other, at)),
  )
  if (distinct.length === 0) return undefined
  const size = short(fontSize * smaller)
  const lines = wrapped(distinct.join(' · '), Number(size), width * lineShare)
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
  const x = short(isLeft ? margin : width - margin)
  const texts = lines.map(
    (line, i) =>
      `<text x="${x}" y="${short(occupied.y + (i + 1) * lineHeight)}"${isLeft ? '' : ' text-anchor="end"'}>${escapeXml(line)}</text>`,
  )
  return {
    svg:
      `<g class="map-credit" fill="var(--map-label)" stroke="var(--map-land)" stroke-width="2.5" paint-order="stroke" ` +
      `stroke-linejoin="round" font-size="${size}" aria-hidden="true">${texts.join('')}</g>`,
    occupied,
  }
}

/** Whether an origin is said by another one already; of two equal ones the later. */
const isPart = (origin: string, i: number, other: string, at: number) =>
  origin === other ? at < i : other.includes(origin)

/** A text in lines of at most this width; a longer word has a line of its own. */
function wrapped(text: string, size: number, most: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last === undefined || textWidth(longer, size) > most) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}
