import {
  geoAlbersUsa,
  geoEqualEarth,
  geoMercator,
  geoStream,
  type GeoPermissibleObjects,
  type GeoProjection,
  type GeoStream,
} from 'd3-geo'
import type { Feature, FeatureCollection, Geometry, Polygon, Position } from 'geojson'
import { computeDoubleSignedArea } from '#functions/engine/region/signed-area.ts'
import { listPolygons } from '#functions/shapes/fields/geometry.ts'

export type ProjectionName = 'albersUsa' | 'mercator' | 'equalEarth'

const makers = { albersUsa: geoAlbersUsa, mercator: geoMercator, equalEarth: geoEqualEarth }

/** The narrowest view, in degrees, so that a single point does not fill the map. */
const minSpan = 0.02

/** A projection that fits all shapes and points into the drawing, with a margin of 2 %. */
export function fitProjection(
  name: ProjectionName,
  shapes: FeatureCollection[],
  points: { lon: number; lat: number }[],
  { width, height }: { width: number; height: number },
): GeoProjection {
  const features = shapes.flatMap((collection) => collection.features.map(rewindRings))
  const corners: Position[] = []
  const middle = name === 'mercator' ? computeMiddleLongitude(features, points) : 0
  if (features.length === 0) corners.push(...computeBoxCorners(points, middle))
  const object: GeoPermissibleObjects = {
    type: 'GeometryCollection',
    geometries: [
      ...features.map((feature) => feature.geometry),
      { type: 'MultiPoint', coordinates: corners },
    ],
  }
  const margin = 0.02 * Math.min(width, height)
  const extent: [[number, number], [number, number]] = [
    [margin, margin],
    [width - margin, height - margin],
  ]
  const projection = makers[name]().precision(0)
  // rotated so that regions around the antimeridian (Alaska, Fiji) stay together
  if (name === 'mercator') (projection as GeoProjection).rotate([-middle, 0])
  return projection.fitExtent(extent, object)
}

/** The longitude opposite the middle of the widest gap between shapes or points; 0 where there is hardly one. */
export function computeMiddleLongitude(features: readonly Feature[], points: { lon: number }[]): number {
  const spans = points.map(({ lon }): [number, number] => [lon, lon])
  for (const { geometry } of features) {
    for (const [outer = []] of listPolygons(geometry)) {
      let [west, east] = [Infinity, -Infinity]
      for (const [lon = 0] of outer) {
        west = Math.min(west, lon)
        east = Math.max(east, lon)
      }
      spans.push([west, east])
    }
  }
  spans.sort((a, b) => a[0] - b[0])
  const first = spans[0]
  if (!first) return 0
  let [reached, widest, middle] = [first[1], 0, 0]
  for (const [west, east] of [...spans.slice(1), [first[0] + 360, 0] as const]) {
    if (west - reached > widest) [widest, middle] = [west - reached, (west + reached) / 2 + 180]
    reached = Math.max(reached, east)
  }
  return widest < 10 ? 0 : ((middle + 540) % 360) - 180
}

/** The corners of the points' box, each on the side of the antimeridian nearer to the middle. */
function computeBoxCorners(points: { lon: number; lat: number }[], middle: number): Position[] {
  let [west, south, east, north] = [540, 90, -540, -90]
  for (const { lon: degrees, lat } of points) {
    const lon = degrees - 360 * Math.round((degrees - middle) / 360)
    west = Math.min(west, lon)
    east = Math.max(east, lon)
    south = Math.min(south, lat)
    north = Math.max(north, lat)
  }
  if (west > east) return computeBoxCorners([{ lon: 0, lat: 0 }], 0)
  const [dx, dy] = [Math.max(0, minSpan - (east - west)) / 2, Math.max(0, minSpan - (north - south)) / 2]
  return [
    [west - dx, south - dy],
    [east + dx, north + dy],
  ]
}

/**
 * Rewinds the rings of polygons for d3: on the sphere a counter-clockwise ring contains everything but its area, while
 * RFC 7946 and PostGIS use it for the area.
 */
export function rewindRings(feature: Feature): Feature {
  const { geometry } = feature
  const rewindPolygon = (rings: Position[][]) =>
    rings.map((ring, i) => (computeDoubleSignedArea(ring) < 0 === (i === 0) ? ring : [...ring].reverse()))
  if (geometry.type === 'Polygon') {
    return { ...feature, geometry: { type: 'Polygon', coordinates: rewindPolygon(geometry.coordinates) } }
  }
  if (geometry.type === 'MultiPolygon') {
    return {
      ...feature,
      geometry: { type: 'MultiPolygon', coordinates: geometry.coordinates.map(rewindPolygon) },
    }
  }
  return feature
}

/** The polygons of a feature in drawing units, all rings in one; vanished rings are left out. */
export function project(feature: Feature, projection: GeoProjection): Feature<Polygon> {
  const { geometry } = rewindRings(feature)
  const isArea = geometry.type === 'Polygon' || geometry.type === 'MultiPolygon'
  const rings = (isArea ? projectLines(geometry, projection) : []).flatMap((ring) => {
    const [first] = ring
    return ring.length > 2 && first ? [[...ring, first]] : []
  })
  return {
    type: 'Feature',
    properties: feature.properties,
    geometry: { type: 'Polygon', coordinates: rings },
  }
}

/**
 * The lines of a shape, or the rings of an area without their last vertex, in drawing units, split where the projection
 * splits them.
 */
export function projectLines(shape: Geometry, projection: GeoProjection): Position[][] {
  const lines: Position[][] = []
  let line: Position[] = []
  const sink: GeoStream = {
    point: (x, y) => void line.push([x, y]),
    lineStart: () => {
      line = []
    },
    lineEnd: () => void lines.push(line),
    polygonStart: () => undefined,
    polygonEnd: () => undefined,
  }
  geoStream(shape, projection.stream(sink))
  return lines
}

interface Size {
  width: number
  height: number
}

/** How far regions continue outside of the picture, where their cut edge is invisible. */
const beyond = 20

/** Clips to the picture. The composite projection of the United States is entirely inside. */
export function cutTo(projection: GeoProjection, { width, height }: Size) {
  const { clipExtent } = projection as Partial<GeoProjection>
  clipExtent?.call(projection, [
    [-beyond, -beyond],
    [width + beyond, height + beyond],
  ])
}

/** Points along each side of a picture from which its extent is found. */
const sideSteps = 8

/**
 * The extent of a picture, or of a rectangle at `x` and `y`: west, south, east, north, where an east beyond 180
 * crosses the antimeridian. Null where the projection has no position for an edge.
 */
export function boxSeen(
  { invert }: GeoProjection,
  { x = 0, y = 0, width, height }: Size & { x?: number; y?: number },
): [number, number, number, number] | null {
  const middle = invert?.([x + width / 2, y + height / 2])
  if (!invert || !middle) return null
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let i = 0; i <= sideSteps; i++) {
    const [across, down] = [x + (width * i) / sideSteps, y + (height * i) / sideSteps]
    for (const [px, py] of [
      [across, y],
      [across, y + height],
      [x, down],
      [x + width, down],
    ] as const) {
      const at = invert([px, py])
      if (!at) return null
      // On the side of the antimeridian nearer to the middle.
      const lon = at[0] - 360 * Math.round((at[0] - middle[0]) / 360)
      west = Math.min(west, lon)
      east = Math.max(east, lon)
      south = Math.min(south, at[1])
      north = Math.max(north, at[1])
    }
  }
  const shift = west < -180 ? 360 : 0
  return [west + shift, south, east + shift, north]
}
