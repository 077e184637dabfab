import type { GeoProjection } from 'd3-geo'
import type { Feature, LineString, MultiLineString, MultiPolygon, Polygon, Position } from 'geojson'
import { buildPlainAttribute } from './plain-name.ts'
import { earthNet, earthOutline, toWholeEarth } from './earth.ts'
import type { MapProjection } from './insets.ts'
import { projectLines } from './projection.ts'
import type { Lettering } from './lettering.ts'
import { escapeXml, buildSvgPath, formatSvgNumber } from './svg.ts'

/** The base map of a picture: land, lakes, borders and towns, in degrees. */
export interface Ground {
  land: Feature<Polygon | MultiPolygon>[]
  water: Feature<Polygon | MultiPolygon>[]
  borders: { kind: 'country' | 'region'; isDisputed: boolean; geometry: LineString | MultiLineString }[]
  /** The largest first. */
  towns: { name: string; lon: number; lat: number; population: number }[]
  /** Who made its data, with their licences: shown in every picture. */
  attribution: string
  /** The base maps of the insets, in order; null outside of the archive's coverage. */
  insets?: readonly (Ground | null)[]
}

/** A rectangle of the drawing, by default from its corner. */
type Piece = Size & { x?: number; y?: number }

interface Size {
  width: number
  height: number
}

/** The size budget of base map paths in characters: they only give orientation. */
const budget = 8_000
/** Levels of detail, finest first, in drawing units: tolerance and grid. */
const details = [
  { away: 0.3, grid: 0.5 },
  { away: 0.7, grid: 0.5 },
  { away: 1, grid: 1 },
  { away: 1.5, grid: 1 },
  { away: 2.2, grid: 1 },
  { away: 3.5, grid: 1 },
]

/**
 * Sea, land, lakes and borders as SVG, as detailed as the budget allows, for the whole drawing or a rectangle of it.
 * `isBordered`: the layer above has these borders; `room`: in characters.
 */
export function drawGround(
  ground: Ground,
  projection: MapProjection,
  piece: Piece,
  isBordered: boolean,
  room = budget,
): string {
  const { x, y, width, height } = piece
  const { isRound = false, isConic = false } = projection
  const place = (ring: readonly Position[]) =>
    isRound
      ? ring.map((at) => projection(toWholeEarth(at)) ?? [0, 0])
      : flattened(isConic ? withBends(ring) : ring, projection)
  // Pieces of tiles reach over each other's edges: in one path they are one land.
  const rings = (features: readonly Feature<Polygon | MultiPolygon>[]) =>
    features.flatMap(({ geometry }) => {
      const all = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
      return all.flatMap((polygon) => polygon.map((ring, i) => cutRing(orient(place(ring), i === 0), piece)))
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
      `<path fill="none" stroke="var(--map-line)" stroke-width="${formatSvgNumber(width / grid)}" stroke-linejoin="round"` +
        `${dashes ? ` stroke-dasharray="${dashes.map((dash) => formatSvgNumber(dash / grid)).join(' ')}"` : ''} d="${path}"/>`
    const area = (path: string, token: string) => path && `<path fill="var(${token})" d="${path}"/>`
    const sea = isRound
      ? area(buildSvgPath([earthOutline(projection)], grid, true), '--map-water') +
        `<g stroke-opacity=".4">${line(buildSvgPath(earthNet(projection), grid, false), 0.5)}</g>`
      : ''
    svg =
      (isRound ? '' : `<rect${at} width="${width}" height="${height}" fill="var(--map-water)"/>`) +
      `<g transform="scale(${grid})">${sea}` +
      area(buildSvgPath(simple(land), grid, true), '--map-land') +
      area(buildSvgPath(simple(water), grid, true), '--map-water') +
      line(buildSvgPath(simple(regions), grid, false), 0.7, [3, 2]) +
      line(buildSvgPath(simple(countries), grid, false), 1.1) +
      line(buildSvgPath(simple(disputed), grid, false), 1.1, [2, 2]) +
      '</g>'
    if (svg.length <= room) break
  }
  return svg
}

/**
 * Projects a ring point by point: parts of tiles touch and cross themselves at tile edges, so that their inside on the
 * sphere is ambiguous. Continues beyond the antimeridian.
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

/** The longest straight line, in degrees, that a cone may have. */
const maxStraight = 5

/** A ring with more points on its long lines: edges of tiles, which bend in a cone. */
const withBends = (ring: readonly Position[]): Position[] =>
  ring.flatMap(([lon = 0, lat = 0], i) => {
    const [nextLon = lon, nextLat = lat] = ring[i + 1] ?? []
    const steps = Math.ceil(Math.max(Math.abs(nextLon - lon), Math.abs(nextLat - lat)) / maxStraight) || 1
    return Array.from({ length: steps }, (_, step) => [
      lon + ((nextLon - lon) * step) / steps,
      lat + ((nextLat - lat) * step) / steps,
    ])
  })

/** Orients a ring: overlapping land of two tiles is united, and a hole in both stays a hole. */
function orient(ring: Position[], isOuter: boolean): Position[] {
  let area = 0
  ring.forEach(([x = 0, y = 0], i) => {
    const [bx = 0, by = 0] = ring[(i + 1) % ring.length] ?? []
    area += x * by - bx * y
  })
  return area > 0 === isOuter ? ring : [...ring].reverse()
}

/** How far land continues outside of the picture, where its cut edge is invisible; not for an inset. */
const beyond = 4

/** Clips a ring to the picture (Sutherland and Hodgman), closed along its edges. */
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

/** Simplifies a line with a tolerance (Douglas and Peucker): its ends stay. */
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

/** The distance of a point from a line through two others, or from these if they coincide. */
function distanceTo(
  [x = 0, y = 0]: Position = [],
  [ax = 0, ay = 0]: Position = [],
  [bx = 0, by = 0]: Position = [],
) {
  const length = Math.hypot(bx - ax, by - ay)
  if (length < 1e-9) return Math.hypot(x - ax, y - ay)
  return Math.abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length
}

/** An occupied rectangle. */
export interface OccupiedArea {
  x: number
  y: number
  width: number
  height: number
}

const charWidth = 0.56
/** Larger letters for narrow screens need twice the space. */
const maxTowns = { wide: 9, narrow: 5 }

/** The largest towns whose names do not overlap anything; their dots are small and hollow, unlike those of data. */
export function drawTowns(
  { towns }: Pick<Ground, 'towns'>,
  projection: GeoProjection,
  { width, height }: Size,
  occupied: readonly OccupiedArea[],
  { fontSize, isNarrow }: Lettering,
): string {
  const blocked = [...occupied]
  const texts: string[] = []
  for (const { name, lon, lat } of towns) {
    if (texts.length === maxTowns[isNarrow ? 'narrow' : 'wide']) break
    const at = projection([lon, lat])
    if (!at) continue
    const [x, y] = at
    const wide = name.length * fontSize * charWidth + 10
    // The label is right of its dot, or left near the edge.
    const isLeft = x + wide > width - 4
    const high = fontSize * 1.64
    const box = { x: isLeft ? x - wide : x - 4, y: y - high / 2, width: wide + 4, height: high }
    const isInside =
      box.x > 4 && box.x + box.width < width - 2 && box.y > 4 && box.y + box.height < height - 4
    if (!isInside || blocked.some((other) => meets(box, other))) continue
    blocked.push(box)
    const anchor = isLeft ? ' text-anchor="end"' : ''
    texts.push(
      `<circle cx="${formatSvgNumber(x)}" cy="${formatSvgNumber(y)}" r="1.8" stroke-width="1"/>` +
        `<text x="${formatSvgNumber(x + (isLeft ? -5 : 5))}" y="${formatSvgNumber(y + 0.36 * fontSize)}"${anchor}${buildPlainAttribute(name, [])}>${escapeXml(name)}</text>`,
    )
  }
  if (texts.length === 0) return ''
  return (
    `<g class="map-towns" fill="var(--map-label)" stroke="var(--map-land)" stroke-width="2.5" paint-order="stroke" ` +
    `stroke-linejoin="round" font-size="${fontSize}" aria-hidden="true">${texts.join('')}</g>`
  )
}

/** Whether two rectangles overlap. */
export const meets = (a: OccupiedArea, b: OccupiedArea) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
