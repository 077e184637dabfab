import { geoMercator, type GeoProjection, type GeoStream } from 'd3-geo'
import type { Feature, FeatureCollection } from 'geojson'
import { detectFarRegions, type Bounds, type FarRegions } from './far-regions.ts'
import { addProjectionParts } from './parts.ts'
import { fitProjection, type ProjectionName } from './projection.ts'

/** A rectangle of the drawing that shows distant regions. */
export interface Inset {
  x: number
  y: number
  width: number
  height: number
  regions: readonly Feature[]
  projection: GeoProjection
}

/**
 * A projection that moves distant regions into insets; `main` is the one without insets. `isRound`: it has the whole earth
 * in one outline; `isConic`: equal-area, with one scale.
 */
export type MapProjection = GeoProjection & {
  insets?: readonly Inset[]
  main?: GeoProjection
  isRound?: boolean
  isConic?: boolean
}

interface Size {
  width: number
  height: number
}

/** A rectangle beside the map, in drawing units. */
type Cell = Pick<Inset, 'x' | 'y' | 'width' | 'height'>

const gap = 8
/** The share of the drawing for a strip of insets. */
const strip = { side: 0.2, bottom: 0.25 }
/** How far regions continue outside of the picture, where their cut edge is invisible. */
const beyond = 2

/**
 * A projection that fits all shapes and points into the drawing, like `fitProjection`. In Mercator, distant regions of a
 * set (`detectFarRegions`) get insets, so that the others are as large as possible.
 */
export function fitMap(
  name: ProjectionName,
  shapes: FeatureCollection[],
  points: { lon: number; lat: number }[],
  size: Size,
): MapProjection {
  const [set, ...others] = shapes
  const far = name === 'mercator' && set && others.length === 0 ? detectFarRegions(set) : null
  return far
    ? fitWithInsets(far, size)
    : addProjectionParts(name, fitProjection(name, shapes, points, size), size)
}

/** A Mercator projection that fits the near part of a set into the drawing, and each far group into an inset. */
export function fitWithInsets({ opens, groups }: FarRegions, size: Size): MapProjection {
  const { width, height } = size
  const whole: Cell = { x: 0, y: 0, width, height }
  const layouts =
    groups.length === 0
      ? [{ room: whole, cells: [] }]
      : [arrangeColumn, arrangeRow].map((lay) => lay(groups.length, size))
  const [best] = layouts
    .map(({ room, cells }) => ({ room, cells, main: fitBounds(opens, room, 0.02 * Math.min(width, height)) }))
    .sort((a, b) => b.main.scale() - a.main.scale())
  if (!best) return fitBounds(opens, whole, 0)
  const { main, room, cells } = best
  // Neighbours must not continue below the insets.
  main.clipExtent([
    [-beyond, -beyond],
    [room.width + (room.width === width ? beyond : 0), room.height + (room.height === height ? beyond : 0)],
  ])
  const insets = groups.map(({ regions, bounds }, i): Inset & { bounds: Bounds } => {
    const cell = cells[i] ?? whole
    const projection = fitBounds(bounds, { ...cell, y: cell.y + 12, height: cell.height - 12 }, 8)
    projection.clipExtent([
      [cell.x, cell.y],
      [cell.x + cell.width, cell.y + cell.height],
    ])
    return { ...cell, regions, projection, bounds }
  })
  return joinProjections(main, insets)
}

/** Insets in a column at the right, down to the bottom, the first above the others. */
function arrangeColumn(count: number, { width, height }: Size): { room: Cell; cells: Cell[] } {
  const wide = Math.round(strip.side * width)
  const high = Math.min(Math.round(wide * 0.9), Math.floor((height - gap) / count) - gap)
  const cells = Array.from({ length: count }, (_, i) => ({
    ...{ x: width - wide - gap, y: height - (count - i) * (high + gap), width: wide, height: high },
  }))
  return { room: { x: 0, y: 0, width: width - wide - 2 * gap, height }, cells }
}

/** Insets in a row at the bottom, to its right end: the scale is at the left. */
function arrangeRow(count: number, { width, height }: Size): { room: Cell; cells: Cell[] } {
  const high = Math.round(strip.bottom * height)
  const wide = Math.min(Math.round(high * 1.3), Math.floor((width * 0.72) / count) - gap)
  const cells = Array.from({ length: count }, (_, i) => ({
    ...{ x: width - (count - i) * (wide + gap), y: height - high - gap, width: wide, height: high },
  }))
  return { room: { x: 0, y: 0, width, height: height - high - 2 * gap }, cells }
}

function fitBounds(
  [west, south, east, north]: Bounds,
  { x, y, width, height }: Cell,
  margin: number,
): GeoProjection {
  const middle = (west + east) / 2
  // A box of one point fills its cell with the few kilometres around it.
  const coordinates = [
    [west - 0.01, south - 0.01],
    [east + 0.01, north + 0.01],
    [middle, (south + north) / 2],
  ]
  const projection = geoMercator().precision(0) as GeoProjection
  return projection.rotate([-middle, 0]).fitExtent(
    [
      [x + margin, y + margin],
      [x + width - margin, y + height - margin],
    ],
    { type: 'MultiPoint', coordinates },
  )
}

/** Combines projections for parts of the earth: a line, or an area with its holes, uses that of its first vertex. */
function joinProjections(
  main: GeoProjection,
  insets: readonly (Inset & { bounds: Bounds })[],
): MapProjection {
  const insetAt = (lon: number, lat: number) => insets.find(({ bounds }) => isIn(bounds, lon, lat))
  const chooseProjection = (lon: number, lat: number) => insetAt(lon, lat)?.projection ?? main
  const project = ((point: [number, number]) => {
    const inset = insetAt(...point)
    const position = (inset?.projection ?? main)(point)
    if (!position) return null
    // A near point has no position where an inset covers it, and a far one only within its inset.
    const isShown = inset ? isInCell(inset, position) : !insets.some((each) => isInCell(each, position))
    return isShown ? position : null
  }) as MapProjection
  return Object.assign(project, {
    invert: main.invert,
    scale: () => main.scale(),
    // Each has its own cut already.
    clipExtent: () => project,
    stream: (sink: GeoStream) => routeStream(chooseProjection, sink),
    ...{ insets, main },
  }) as MapProjection
}

const isInCell = ({ x, y, width, height }: Cell, [at, down]: [number, number]) =>
  at >= x && at <= x + width && down >= y && down <= y + height

/** The tolerance between the box of the drawn regions and their outlines in another set, in degrees. */
const tolerance = 0.1

function isIn([west, south, east, north]: Bounds, lon: number, lat: number): boolean {
  const x = lon + 360 * Math.ceil((west - tolerance - lon) / 360)
  return x <= east + tolerance && lat >= south - tolerance && lat <= north + tolerance
}

function routeStream(at: (lon: number, lat: number) => GeoProjection, sink: GeoStream): GeoStream {
  const streams = new Map<GeoProjection, GeoStream>()
  const getStreamAt = (lon: number, lat: number) => {
    const projection = at(lon, lat)
    const stream = streams.get(projection) ?? projection.stream(sink)
    streams.set(projection, stream)
    return stream
  }
  let isPolygon = false
  let isLine = false
  let stream: GeoStream | null = null
  return {
    polygonStart: () => void ([isPolygon, stream] = [true, null]),
    lineStart() {
      isLine = true
      if (isPolygon) stream?.lineStart()
      else stream = null
    },
    point(lon, lat) {
      if (!isLine) return getStreamAt(lon, lat).point(lon, lat)
      if (!stream) {
        stream = getStreamAt(lon, lat)
        if (isPolygon) stream.polygonStart()
        stream.lineStart()
      }
      stream.point(lon, lat)
    },
    lineEnd() {
      isLine = false
      stream?.lineEnd()
    },
    polygonEnd() {
      isPolygon = false
      stream?.polygonEnd()
    },
    sphere: () => undefined,
  }
}
