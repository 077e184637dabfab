import type { GeoProjection } from 'd3-geo'
import type { MapClass } from './classes.ts'
import { textWidth } from '#functions/engine/chart/text-width.ts'
import { writeTwice, type Lettering } from './lettering.ts'
import { escapeXml, formatSvgNumber } from './svg.ts'

/** A point on the map. `value` must be additive (people, money), otherwise leave it out. */
export interface MapPoint {
  lon: number
  lat: number
  value?: number | null
  label?: string
}

interface Dot {
  x: number
  y: number
  count: number
  amount: number
  label?: string
}

const dotFill = 'var(--primary-ui)'

/** The look of dots over other layers: colour, the most circles, and their size. */
interface DotLook {
  fill?: string
  most?: number
  radius?: number
  /** Each point has its own circle, sized by value: for values that are not additive, such as magnitudes. */
  isEach?: boolean
  /** Shows the value in each circle with enough room; as in `writeTwice`. */
  counts?: { isFixed: boolean; width: number }
}

/** Points as circles. */
export interface DrawnDots {
  svg: string
  classes: MapClass[]
  /** The number of drawn points, and of circles. */
  drawnCount: number
  circles: number
  /** The sum of the drawn points' values, and of those outside of the drawing; a point without one counts as 1. */
  amount: number
  outside: number
}

const maxDots = 500
const cells = [1, 6, 8, 10, 12, 16, 20, 24, 32, 48]
/** The radius of the smallest circle, which is visible beside the largest, and of a single one. */
const [smallest, single] = [2, 4]

/**
 * The circles of the points and their legend. Overlapping points are merged into one circle at their mean position,
 * sized by their number, or by the sum of their values. At most 500 circles (or the requested number), however many
 * points; points outside of the drawing are left out, and counted.
 */
export function drawDots(
  points: MapPoint[],
  projection: GeoProjection,
  size: { width: number; height: number },
  format: (value: number) => string,
  { fill = dotFill, most: mostCircles = maxDots, radius: widest = 24, isEach = false, counts }: DotLook = {},
): DrawnDots {
  const placements: Dot[] = []
  let [amount, outside] = [0, 0]
  for (const { lon, lat, value, label } of points) {
    const at = projection([lon, lat])
    if (!at || !(at[0] >= 0 && at[0] <= size.width && at[1] >= 0 && at[1] <= size.height)) {
      outside += Number(value ?? 1)
      continue
    }
    amount += Number(value ?? 1)
    placements.push({ x: at[0], y: at[1], count: 1, amount: Math.max(0, Number(value ?? 0)) || 0, label })
  }
  if (placements.length === 0) return { svg: '', classes: [], drawnCount: 0, circles: 0, amount, outside }
  const { dots, cell } = isEach
    ? { dots: placements, cell: cells[cells.length - 1] ?? 1 }
    : gather(placements, mostCircles)
  const byAmount = placements.some((dot) => dot.amount > 0)
  const weight = (dot: Dot) => (byAmount ? dot.amount : dot.count)
  const most = Math.max(...dots.map(weight))
  const largest = most === 1 && !byAmount ? single : Math.max(1.5 * single, Math.min(0.75 * cell, widest))
  const radius = (amount: number) => Math.max(smallest, largest * Math.sqrt(amount / most))
  const isNamed = dots.length <= 60
  // With many circles, precision below a unit is invisible but costs a digit in each.
  const at = isNamed ? formatSvgNumber : (value: number) => String(Math.round(value))
  const circles = dots
    .sort((a, b) => weight(b) - weight(a))
    .map((dot) => {
      const circle = `<circle cx="${at(dot.x)}" cy="${at(dot.y)}" r="${formatSvgNumber(radius(weight(dot)))}"`
      const value = dot.count > 1 || byAmount ? format(weight(dot)) : ''
      const text = isEach && dot.label ? `${dot.label}: ${value}` : (dot.label ?? value)
      return isNamed && text ? `${circle}><title>${escapeXml(text)}</title></circle>` : `${circle}/>`
    })
  const countsIn = (lettering: Lettering) =>
    writeCounts(
      dots.map((dot) => ({ ...dot, text: format(weight(dot)), radius: radius(weight(dot)) })),
      lettering,
    )
  const svg =
    `<g fill="${fill}" fill-opacity=".6" stroke="var(--surface)" stroke-width=".6">${circles.join('')}</g>` +
    (counts ? writeTwice(counts.width, counts.isFixed, countsIn) : '')
  const classes = legendSteps(most).map((value) => ({
    label: format(value),
    from: value,
    to: value,
    fill,
    radius: Math.round(radius(value) * 10) / 10,
  }))
  return { svg, classes, drawnCount: placements.length, circles: dots.length, amount, outside }
}

/** The values of circles in their middle, of those that are wide enough. */
function writeCounts(
  circles: readonly { x: number; y: number; text: string; radius: number }[],
  { fontSize }: Lettering,
): string {
  const texts = circles.flatMap(({ x, y, text, radius }) =>
    textWidth(text, fontSize) > 2 * radius - 2
      ? []
      : [
          `<text x="${formatSvgNumber(x)}" y="${formatSvgNumber(y + 0.36 * fontSize)}">${escapeXml(text)}</text>`,
        ],
  )
  if (texts.length === 0) return ''
  return (
    `<g fill="var(--map-label)" stroke="var(--map-land)" stroke-width="2.5" paint-order="stroke" stroke-linejoin="round" ` +
    `font-size="${fontSize}" text-anchor="middle" aria-hidden="true">${texts.join('')}</g>`
  )
}

/** Merges dots in cells of a grid: the finest grid with few enough circles. */
function gather(dots: Dot[], mostCircles: number): { dots: Dot[]; cell: number } {
  for (const cell of cells) {
    const byCell = new Map<number, Dot>()
    for (const dot of dots) {
      const key = Math.floor(dot.x / cell) * 100_000 + Math.floor(dot.y / cell)
      const other = byCell.get(key)
      if (!other) {
        byCell.set(key, { ...dot })
        continue
      }
      const count = other.count + 1
      other.x += (dot.x - other.x) / count
      other.y += (dot.y - other.y) / count
      other.count = count
      other.amount += dot.amount
      delete other.label
    }
    if (byCell.size <= mostCircles || cell === cells[cells.length - 1])
      return { dots: [...byCell.values()], cell }
  }
  return { dots, cell: 1 }
}

/** Up to three round numbers below the largest dot, least first: 1, 2 or 5 times a power of ten. */
function legendSteps(most: number): number[] {
  const top = roundDown(most)
  return [...new Set([roundDown(top / 25), roundDown(top / 5), top])].filter(
    (value) => value >= Math.min(1, top),
  )
}

function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const digit = value / power
  return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power
}
