import type { GeoProjection } from 'd3-geo'
import type { Feature, LineString, MultiLineString, MultiPolygon, Polygon, Position } from 'geojson'
import { projectLines } from './projection.ts'
import type { Lettering } from './lettering.ts'
import { escapeXml, pathOf, short } from './svg.ts'

/** What a picture stands on: land, lakes, borders and towns around it, in degrees. */
export interface Ground {
  land: Feature<Polygon | MultiPolygon>[]
  water: Feature<Polygon | MultiPolygon>[]
  borders: { kind: 'country' | 'region'; isDisputed: boolean; geometry: LineString | MultiLineString }[]
  /** The largest first. */
  towns: { name: string; lon: number; lat: number; population: number }[]
  /** What the insets of the picture stand on, in their order; null where no archive reaches. */
  insets?: readonly (Ground | null)[]
}

/** A piece of a drawing: at its corner where it says none. */
type Piece = Size & { x?: number; y?: number }

interface Size {
  width: number
  height: number
}

/** What the paths of the ground may have as text, in characters: they are drawn for where things lie, not for themselves. */
const budget = 8_000
/** Degrees of detail, in units of the drawing, the finest first: how far a line may lie from what it stands for, and the steps of its grid. */
const details = [
  { away: 0.3, grid: 0.5 },
  { away: 0.7, grid: 0.5 },
  { away: 1, grid: 1 },
  { away: 1.5, grid: 1 },
  { away: 2.2, grid: 1 },
  { away: 3.5, grid: 1 },
]

/**
 * Gives sea, land, lakes and borders as SVG, as fine as there is room for, of the whole drawing or of a piece of it. `isBordered`: what is drawn over it
 * has these borders; `room`: in characters.
 */
export function drawGround(
  ground: Ground,
  projection: GeoProjection,
  piece: Piece,
  isBordered: boolean,
  room = budget,
): string {
  const { x, y, width, height } = piece
  // Pieces of tiles reach over each other's edges: in one path they are one land.
  const rings = (features: readonly Feature<Polygon | MultiPolygon>[]) =>
    features.flatMap(({ geometry }) => {
      const all = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
      return all.flatMap((polygon) =>
        polygon.map((ring, i) => cutRing(orient(flattened(ring, projection), i === 0), piece)),
      )
    })
  const [land, water] = [rings(ground.land), rings(ground.water)]
  const lines = (kind: 'country' | 'region', isDisputed: boolean) =>
    ground.borders
      .filter((border) => border.kind === kind && border.isDisputed === isDisputed)
      .flatMap(({ geometry }) => projectLines(geometry, projection))
  const countries = lines('country', false)
  const disputed = lines('country', true)
  const regions = isBordered ? [] : [...lines('region', false), ...lines('region', true)]
  const at = x === undefined ? '' : ` x="${x}" y="${y}"`
  let svg = ''
  for (const { away, grid } of details) {
    const simple = (all: Position[][]) => all.map((positions) => simplified(positions, away))
    const line = (path: string, width: number, dashes?: [number, number]) =>
      path &&
      `<path fill="none" stroke="var(--map-line)" stroke-width="${short(width / grid)}" stroke-linejoin="round"` +
        `${dashes ? ` stroke-dasharray="${dashes.map((dash) => short(dash / grid)).join(' ')}"` : ''} d="${path}"/>`
    const area = (path: string, token: string) => path && `<path fill="var(${token})" d="${path}"/>`
    svg =
      `<rect${at} width="${width}" height="${height}" fill="var(--map-water)"/><g transform="scale(${grid})">` +
      area(pathOf(simple(land), grid, true), '--map-land') +
      area(pathOf(simple(water), grid, true), '--map-water') +
      line(pathOf(simple(regions), grid, false), 0.7, [3, 2]) +
      line(pathOf(simple(countries), grid, false), 1.1) +
      line(pathOf(simple(disputed), grid, false), 1.1, [2, 2]) +
      '</g>'
    if (svg.length <= room) break
  }
  return svg
}

/**
 * A ring in the plane of the drawing, point by point: pieces of tiles touch and cross themselves at their edges, and what is inside of such a
 * ring on the sphere is not certain. Where it goes over the edge of the earth it goes on.
 */
function flattened(ring: readonly Position[], projection: GeoProjection): Position[] {
  const world = 2 * Math.PI * projection.scale()
  let before: number | null = null
  return ring.map(([lon = 0, lat = 0]) => {
    const [x, y] = projection([lon, lat]) ?? [0, 0]
    const next: number = before === null ? x : x + world * Math.round((before - x) / world)
    before = next
    return [next, y]
  })
}

/** A ring that goes around with the others of its kind: land of two pieces adds up, a hole in both stays one. */
function orient(ring: Position[], isOuter: boolean): Position[] {
  let area = 0
  ring.forEach(([x = 0, y = 0], i) => {
    const [bx = 0, by = 0] = ring[(i + 1) % ring.length] ?? []
    area += x * by - bx * y
  })
  return area > 0 === isOuter ? ring : [...ring].reverse()
}

/** How far land goes on outside of the picture, where nobody sees that it was cut; around a piece of it everybody would. */
const beyond = 4

/** What of a ring lies in the picture (Sutherland and Hodgman), closed: its edges take the place of what lies outside. */
function cutRing(ring: Position[], { x, y, width, height }: Piece): Position[] {
  const margin = x === undefined ? beyond : 0
  const [left, top] = [x ?? 0, y ?? 0]
  const sides: [axis: 0 | 1, bound: number, sign: 1 | -1][] = [
    [0, left - margin, 1],
    [0, left + width + margin, -1],
    [1, top - margin, 1],
    [1, top + height + margin, -1],
  ]
  const clipped = sides.reduce((remaining, [axis, bound, sign]) => {
    const inside = (at: Position) => sign * ((at[axis] ?? 0) - bound) >= 0
    return remaining.flatMap((at, i) => {
      const before = remaining[(i + remaining.length - 1) % remaining.length] ?? at
      if (inside(before) === inside(at)) return inside(at) ? [at] : []
      const share = (bound - (before[axis] ?? 0)) / ((at[axis] ?? 0) - (before[axis] ?? 0))
      const crossing = [0, 1].map((n) => (before[n] ?? 0) + share * ((at[n] ?? 0) - (before[n] ?? 0)))
      return inside(at) ? [crossing, at] : [crossing]
    })
  }, ring)
  return clipped.length > 0 ? [...clipped, clipped[0] ?? []] : []
}

/** A line without the bends that lie less than so far from it (Douglas and Peucker): its ends stay. */
function simplified(line: Position[], away: number): Position[] {
  const isKept = line.map((_, i) => i === 0 || i === line.length - 1)
  const parts: [number, number][] = [[0, line.length - 1]]
  for (let part = parts.pop(); part; part = parts.pop()) {
    const [from, to] = part
    let [farthest, at] = [away, -1]
    for (let i = from + 1; i < to; i++) {
      const distance = distanceTo(line[i], line[from], line[to])
      if (distance > farthest) [farthest, at] = [distance, i]
    }
    if (at === -1) continue
    isKept[at] = true
    parts.push([from, at], [at, to])
  }
  return line.filter((_, i) => isKept[i])
}

/** How far a point lies from a line between two others, or from the one that both are. */
function distanceTo(
  [x = 0, y = 0]: Position = [],
  [ax = 0, ay = 0]: Position = [],
  [bx = 0, by = 0]: Position = [],
) {
  const length = Math.hypot(bx - ax, by - ay)
  if (length < 1e-9) return Math.hypot(x - ax, y - ay)
  return Math.abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length
}

/** A piece of the drawing that is taken. */
export interface Taken {
  x: number
  y: number
  width: number
  height: number
}

const charWidth = 0.56
/** Letters as large as in a narrow place take the room of two. */
const mostTowns = { wide: 9, narrow: 5 }

/** Gives the few towns whose names touch nothing that is there already, the largest first; their dots are small and hollow, unlike those of data. */
export function drawTowns(
  { towns }: Pick<Ground, 'towns'>,
  projection: GeoProjection,
  { width, height }: Size,
  occupied: readonly Taken[],
  { fontSize, isNarrow }: Lettering,
): string {
  const blocked = [...occupied]
  const texts: string[] = []
  for (const { name, lon, lat } of towns) {
    if (texts.length === mostTowns[isNarrow ? 'narrow' : 'wide']) break
    const at = projection([lon, lat])
    if (!at) continue
    const [x, y] = at
    const wide = name.length * fontSize * charWidth + 10
    // To the right of its dot, or to the left where the edge is near.
    const isLeft = x + wide > width - 4
    const high = fontSize * 1.64
    const box = { x: isLeft ? x - wide : x - 4, y: y - high / 2, width: wide + 4, height: high }
    const isInside =
      box.x > 4 && box.x + box.width < width - 2 && box.y > 4 && box.y + box.height < height - 4
    if (!isInside || blocked.some((other) => meets(box, other))) continue
    blocked.push(box)
    const anchor = isLeft ? ' text-anchor="end"' : ''
    texts.push(
      `<circle cx="${short(x)}" cy="${short(y)}" r="1.8" stroke-width="1"/>` +
        `<text x="${short(x + (isLeft ? -5 : 5))}" y="${short(y + 0.36 * fontSize)}"${anchor}>${escapeXml(name)}</text>`,
    )
  }
  if (texts.length === 0) return ''
  return (
    `<g class="map-towns" fill="var(--map-label)" stroke="var(--map-land)" stroke-width="2.5" paint-order="stroke" ` +
    `stroke-linejoin="round" font-size="${fontSize}" aria-hidden="true">${texts.join('')}</g>`
  )
}

const meets = (a: Taken, b: Taken) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

const earthRadius = 6_371_008.8

/** Where the scale is drawn: at the bottom left. */
const scaleAt: Position = [14, 14]

/**
 * Gives a bar of a round length, at most a quarter of the picture, with that length in metric and, as the words of all hubs are
 * digits and signs, nothing else. Measured in the middle of the picture: elsewhere Mercator differs. Undefined where the picture shows so much of
 * the earth that no bar is true of it.
 */
export function drawScale(
  projection: GeoProjection,
  { width, height }: Size,
  { fontSize }: Lettering,
): { svg: string; occupied: Taken } | undefined {
  const [a, b] = [width / 2 - 0.5, width / 2 + 0.5].map((x) => projection.invert?.([x, height / 2]))
  const [top, bottom] = [0, height].map((y) => projection.invert?.([width / 2, y]))
  if (!a || !b || !top || !bottom || top[1] - bottom[1] > 25) return undefined
  const degrees = (((b[0] - a[0]) % 360) + 360) % 360
  const metres = ((degrees * Math.PI) / 180) * earthRadius * Math.cos((a[1] * Math.PI) / 180)
  const most = (width / 4) * metres
  const power = 10 ** Math.floor(Math.log10(most))
  const length = ([5, 2, 1].find((times) => times * power <= most) ?? 1) * power
  const units = length / metres
  const [scaleX = 0, up = 0] = scaleAt
  const y = height - up
  const text = length >= 1000 ? `${length / 1000} km` : `${length} m`
  const bar = `M${scaleX} ${short(y - 4)}v4h${short(units)}v-4`
  return {
    svg:
      `<g class="map-scale" aria-hidden="true"><path fill="none" stroke="var(--map-land)" stroke-width="3.5" d="${bar}"/>` +
      `<path fill="none" stroke="var(--map-label)" d="${bar}"/><text x="${scaleX}" y="${short(y - 8)}" ` +
      `fill="var(--map-label)" stroke="var(--map-land)" stroke-width="2.5" paint-order="stroke" font-size="${fontSize}">${text}</text></g>`,
    occupied: {
      ...{ x: scaleX - 4, y: y - 10 - fontSize, height: fontSize + 16 },
      width: Math.max(units, 4.5 * fontSize) + 8,
    },
  }
}
