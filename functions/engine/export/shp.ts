import { listPolygons } from '#functions/shapes/fields/geometry.ts'
import { computeBox, toLines, computeDoubleArea } from './places.ts'
import type { Geometry } from '#functions/shapes/fields/geometry.ts'

/** The layers of a shapefile: each file has shapes of one type. */
export const layerNames = ['points', 'lines', 'polygons'] as const
export type LayerName = (typeof layerNames)[number]

const shapeTypes: Record<LayerName, number> = { points: 1, lines: 3, polygons: 5 }

/** The layer of a shape. Rows without one go to `other`, as a null shape. */
export function getShapeLayer(shape: Geometry | null, other: LayerName): LayerName {
  if (shape === null) return other
  if (shape.type === 'Point') return 'points'
  return listPolygons(shape).length > 0 ? 'polygons' : 'lines'
}

/** What must be known of a layer before writing its files: both begin with their length. */
export interface Layer {
  name: LayerName
  /** The size of each shape in bytes, without its record header. */
  sizes: number[]
  /** west, south, east, north; null without any shape. */
  box: [number, number, number, number] | null
}

/** Counts a shape. */
export function add(layer: Layer, shape: Geometry | null): void {
  layer.sizes.push(shapeSize(shape))
  if (shape === null) return
  const [west, south, east, north] = computeBox(shape)
  const [w, s, e, n] = layer.box ?? [west, south, east, north]
  layer.box = [Math.min(w, west), Math.min(s, south), Math.max(e, east), Math.max(n, north)]
}

/** The bytes of a layer's main file. */
export function mainSize({ sizes }: Layer): number {
  return sizes.reduce((sum, size) => sum + size + 8, 100)
}

function shapeSize(shape: Geometry | null): number {
  if (shape === null) return 4
  if (shape.type === 'Point') return 20
  const lines = toLines(shape)
  return 44 + lines.length * 4 + lines.reduce((sum, line) => sum + line.length * 16, 0)
}

/** The header of a main file or an index (ESRI Shapefile Technical Description, 1998): lengths are in 16-bit words. */
export function head({ name, box }: Layer, bytes: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(100))
  view.setInt32(0, 9994)
  view.setInt32(24, bytes / 2)
  view.setInt32(28, 1000, true)
  view.setInt32(32, shapeTypes[name], true)
  box?.forEach((side, i) => view.setFloat64(36 + i * 8, side, true))
  return new Uint8Array(view.buffer)
}

/** The index: offset and length of each record in the main file. */
export function indexFile(layer: Layer): Uint8Array {
  const bytes = 100 + layer.sizes.length * 8
  const view = new DataView(new ArrayBuffer(bytes))
  let offset = 100
  layer.sizes.forEach((size, i) => {
    view.setInt32(100 + i * 8, offset / 2)
    view.setInt32(104 + i * 8, size / 2)
    offset += size + 8
  })
  const file = new Uint8Array(view.buffer)
  file.set(head(layer, bytes))
  return file
}

/** A record of the main file. `number` counts from 1. */
export function record(shape: Geometry | null, number: number): Uint8Array {
  const size = shapeSize(shape)
  const view = new DataView(new ArrayBuffer(8 + size))
  view.setInt32(0, number)
  view.setInt32(4, size / 2)
  if (shape === null) return new Uint8Array(view.buffer)
  if (shape.type === 'Point') {
    view.setInt32(8, 1, true)
    writePosition(view, 12, shape.coordinates)
    return new Uint8Array(view.buffer)
  }
  const lines = orient(shape)
  view.setInt32(8, listPolygons(shape).length > 0 ? 5 : 3, true)
  computeBox(shape).forEach((side, i) => view.setFloat64(12 + i * 8, side, true))
  view.setInt32(44, lines.length, true)
  view.setInt32(
    48,
    lines.reduce((sum, line) => sum + line.length, 0),
    true,
  )
  let first = 0
  let offset = 52 + lines.length * 4
  lines.forEach((line, i) => {
    view.setInt32(52 + i * 4, first, true)
    first += line.length
    for (const position of line) {
      writePosition(view, offset, position)
      offset += 16
    }
  })
  return new Uint8Array(view.buffer)
}

/** Outer rings run clockwise, holes counterclockwise, as the format requires. */
function orient(shape: Geometry): number[][][] {
  const polygons = listPolygons(shape)
  if (polygons.length === 0) return toLines(shape)
  return polygons.flatMap((rings) =>
    rings.map((ring, i) => (computeDoubleArea(ring) < 0 === (i === 0) ? ring : [...ring].reverse())),
  )
}

function writePosition(view: DataView, offset: number, [x = NaN, y = NaN]: number[]) {
  view.setFloat64(offset, x, true)
  view.setFloat64(offset + 8, y, true)
}
