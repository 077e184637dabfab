import type { GeoProjection } from 'd3-geo'
import type { Position } from 'geojson'

/** Degrees between the lines of the net, and between the points that they are drawn through. */
const netStep = 30
const pointStep = 10

/** The outline of the whole earth in a projection that has it in one piece, in units of the drawing. */
export function earthOutline(projection: GeoProjection): Position[] {
  const [west, east] = [-180, 180].map((lon) => meridian(projection, lon))
  return [...(west ?? []), ...(east ?? []).reverse(), ...(west ?? []).slice(0, 1)]
}

/** Meridians and parallels: where north is not up everywhere, they show where it is. */
export function earthNet(projection: GeoProjection): Position[][] {
  const lons = buildSteps(-180 + netStep, 180 - netStep, netStep)
  const parallels = buildSteps(-90 + netStep, 90 - netStep, netStep).map((lat) =>
    projectPoints(projection, [
      [-180, lat],
      [180, lat],
    ]),
  )
  return [...lons.map((lon) => meridian(projection, lon)), ...parallels]
}

/** The land of tiles ends at 85 degrees and continues a little beyond the antimeridian. */
export const toWholeEarth = ([lon = 0, lat = 0]: Position): [number, number] => [
  Math.max(-180, Math.min(180, lon)),
  lat < -84.9 ? -90 : lat,
]

const meridian = (projection: GeoProjection, lon: number) =>
  projectPoints(
    projection,
    buildSteps(-90, 90, pointStep).map((lat): [number, number] => [lon, lat]),
  )

const projectPoints = (projection: GeoProjection, points: [number, number][]): Position[] =>
  points.flatMap((point) => {
    const at = projection(point)
    return at ? [at] : []
  })

const buildSteps = (first: number, last: number, step: number) =>
  Array.from({ length: (last - first) / step + 1 }, (_, i) => first + i * step)
