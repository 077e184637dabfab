import type { GeoProjection } from 'd3-geo'
import { meets, type OccupiedArea } from './draw-ground.ts'
import type { Lettering } from './lettering.ts'
import { formatSvgNumber } from './svg.ts'

/** Degrees from up that readers do not notice. */
const maxTurn = 5
const edge = 18
/** Positions along an edge, in shares of the height, that are tried. */
const along = [0.5, 0.6, 0.4, 0.7, 0.3, 0.8, 0.2]

/**
 * Small arrows to the north where the meridians of a picture differ by more than 5 degrees from up: one if that in its
 * middle does, otherwise one at each edge whose does. '' where north is up everywhere.
 */
export function drawNorth(
  projection: GeoProjection,
  { width, height }: { width: number; height: number },
  occupied: readonly OccupiedArea[],
  { fontSize }: Lettering,
): string {
  const scale = fontSize / 11
  const isTurned = Math.abs(computeNorthAngle(projection, width / 2, height / 2)) > maxTurn
  const sides = isTurned ? [width - edge * scale] : [edge * scale, width - edge * scale]
  const arrows = sides.flatMap((x) => {
    const places = along.map((share) => ({
      x,
      y: share * height,
      turn: computeNorthAngle(projection, x, share * height),
    }))
    const place = places.find(
      (each) => !occupied.some((area) => meets(buildArrowBox(each.x, each.y, scale), area)),
    )
    return place && Math.abs(place.turn) > maxTurn ? [arrow(place, scale)] : []
  })
  return arrows.length === 0
    ? ''
    : `<g class="map-north" fill="var(--map-label)" stroke="var(--map-land)" stroke-width="2" paint-order="stroke" ` +
        `stroke-linejoin="round" text-anchor="middle" font-size="10" aria-hidden="true">${arrows.join('')}</g>`
}

const buildArrowBox = (x: number, y: number, scale: number): OccupiedArea => ({
  ...{ x: x - 10 * scale, y: y - 24 * scale, width: 20 * scale, height: 36 * scale },
})

const arrow = ({ x, y, turn }: { x: number; y: number; turn: number }, scale: number) =>
  `<g transform="translate(${formatSvgNumber(x)} ${formatSvgNumber(y)}) rotate(${Math.round(turn)})${scale === 1 ? '' : ` scale(${formatSvgNumber(scale)})`}">` +
  `<path d="M0-9 4.5 7 0 4-4.5 7z"/><text y="-12">N</text></g>`

/** How far the meridian at a point leans to the right of up, in degrees; 0 where there is none. */
function computeNorthAngle(projection: GeoProjection, x: number, y: number): number {
  const [lon, lat] = projection.invert?.([x, y]) ?? []
  if (lon === undefined || lat === undefined || Math.abs(lat) > 89) return 0
  const [ax = 0, ay = 0] = projection([lon, lat - 0.1]) ?? []
  const [bx = 0, by = 0] = projection([lon, lat + 0.1]) ?? []
  return (Math.atan2(bx - ax, ay - by) * 180) / Math.PI
}
