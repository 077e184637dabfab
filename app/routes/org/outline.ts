/** A drawing of an area: an SVG path in a box of the given size. */
export interface Outline {
  path: string
  width: number
  height: number
}

type Ring = readonly (readonly [number, number])[]

const boxWidth = 320
const boxHeight = 220

/**
 * The outline of a GeoJSON (Multi)Polygon in degrees, for a small picture: equirectangular, true to shape at the middle latitude;
 * shapes across the date line stay in one piece. Rings smaller than a pixel are left out. Null: there is nothing to draw.
 */
export function computeOutline(
  area: { type?: string; coordinates?: unknown } | null | undefined,
): Outline | null {
  const rings = getRings(area)
  const points = rings.flat()
  if (points.length < 3) return null
  const longitudes = points.map(([x]) => x)
  const isSplit = reach(longitudes) > 180
  const moved = isSplit ? rings.map((ring) => ring.map(([x, y]) => [x < 0 ? x + 360 : x, y] as const)) : rings
  const all = moved.flat()
  const [west, east] = ends(all.map(([x]) => x))
  const [south, north] = ends(all.map(([, y]) => y))
  const squeeze = Math.max(Math.cos((((north + south) / 2) * Math.PI) / 180), 0.05)
  const scale = Math.min(boxWidth / ((east - west) * squeeze || 1), boxHeight / (north - south || 1))
  const width = Math.max(1, (east - west) * squeeze * scale)
  const height = Math.max(1, (north - south) * scale)
  const path = moved.map((ring) => drawRing(ring, { west, north, squeeze, scale })).join('')
  return path ? { path, width: round(width), height: round(height) } : null
}

function drawRing(
  ring: Ring,
  { west, north, squeeze, scale }: Record<'west' | 'north' | 'squeeze' | 'scale', number>,
): string {
  const steps: string[] = []
  for (const [x, y] of ring) {
    const step = `${round((x - west) * squeeze * scale)} ${round((north - y) * scale)}`
    if (step !== steps.at(-1)) steps.push(step)
  }
  return steps.length > 3 ? `M${steps.join('L')}Z` : ''
}

function getRings(area: { type?: string; coordinates?: unknown } | null | undefined): Ring[] {
  const { type, coordinates } = area ?? {}
  if (type === 'Polygon') return coordinates as Ring[]
  return type === 'MultiPolygon' ? (coordinates as Ring[][]).flat() : []
}

/** A loop, as an area has more points than a call may have arguments. */
function ends(values: readonly number[]): [number, number] {
  let least = Infinity
  let most = -Infinity
  for (const value of values) {
    if (value < least) least = value
    if (value > most) most = value
  }
  return [least, most]
}

function reach(values: readonly number[]): number {
  const [least, most] = ends(values)
  return most - least
}

const round = (value: number) => Math.round(value * 2) / 2
