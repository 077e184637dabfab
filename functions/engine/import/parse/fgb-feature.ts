import type { Geometry, Position } from 'geojson'
import { InvalidValue } from './invalid-value.ts'
import { deepestCollection, tooDeepCollection, type ReadLimits } from './caps.ts'
import type { FlatTable } from './flat-table.ts'
import { measureJson } from './measure.ts'
import { shortFloat } from './short-float.ts'
import { shapeKinds } from './wkb.ts'

/** A column by its name and the number of its type. */
export interface FgbColumn {
  name: string
  type: number
}

/** Decodes a FlatGeobuf geometry, of its own or the common type; null: an empty one. RangeError where it exceeds its bytes. */
export function decodeGeometry(
  table: FlatTable,
  common: number,
  caps: ReadLimits,
): Geometry | InvalidValue | null {
  return decodePart(table, shapeKinds[common || table.uint8(6)] ?? '', caps, {
    points: caps.points,
    parts: caps.parts,
  })
}

function decodePart(
  table: FlatTable,
  kind: string,
  caps: ReadLimits,
  budget: FeatureBudget,
  level = 0,
): Geometry | InvalidValue | null {
  if (kind === 'GeometryCollection') return decodeCollection(table, caps, budget, level)
  if (!kind || shapeKinds.indexOf(kind) > 7)
    return new InvalidValue(`The geometry is ${kind ? `a ${kind}` : 'of no known type'}, which is not read.`)
  const coordinates =
    kind === 'MultiPolygon' ? decodePolygons(table, budget) : decodeCoordinates(table, kind, budget)
  if (budget.points < 0) return new InvalidValue(`The geometry has more than ${caps.points} points.`)
  if (budget.parts < 0) return new InvalidValue(`The geometry has more than ${caps.parts} parts.`)
  return coordinates.length ? ({ type: kind, coordinates } as Geometry) : null
}

type FeatureBudget = Pick<ReadLimits, 'points' | 'parts'>

/** The parts of a collection say their own types; its issue is that of its first part with one. */
function decodeCollection(
  table: FlatTable,
  caps: ReadLimits,
  budget: FeatureBudget,
  level: number,
): Geometry | InvalidValue {
  if (level >= deepestCollection) return new InvalidValue(tooDeepCollection)
  const geometries: Geometry[] = []
  for (const part of table.tables(7)) {
    budget.parts -= 1
    const geometry = decodePart(part, shapeKinds[part.uint8(6)] ?? '', caps, budget, level + 1)
    if (geometry instanceof InvalidValue) return geometry
    if (budget.parts < 0) return new InvalidValue(`The geometry has more than ${caps.parts} parts.`)
    if (geometry) geometries.push(geometry)
  }
  return { type: 'GeometryCollection', geometries }
}

/** Parts may all refer to the same data, so they are counted. */
function decodePolygons(table: FlatTable, budget: FeatureBudget): Position[][][] {
  const polygons: Position[][][] = []
  for (const part of table.tables(7)) {
    if (budget.points < 0 || budget.parts < 0) break
    polygons.push(decodeCoordinates(part, 'Polygon', budget) as Position[][])
  }
  return polygons
}

function decodeCoordinates(table: FlatTable, kind: string, budget: FeatureBudget): unknown[] {
  const xy = table.doubles(1)
  const z = table.doubles(2)
  const count = Math.floor(xy.count / 2)
  budget.points -= count
  if (budget.points < 0) return []
  const positions = Array.from({ length: count }, (_, i): Position => {
    const [x, y] = [xy.get(2 * i), xy.get(2 * i + 1)]
    return i < z.count ? [x, y, z.get(i)] : [x, y]
  })
  if (kind === 'Point') return positions[0]?.every(Number.isNaN) ? [] : (positions[0] ?? [])
  if (kind === 'LineString' || kind === 'MultiPoint') return positions
  const ends = table.uint32s(0)
  budget.parts -= ends.length + 1
  if (budget.parts < 0) return []
  if (!ends.length) return count ? [positions] : []
  // Decreasing ends would repeat the same points.
  if (ends.some((end, i) => end < (ends[i - 1] ?? 0) || end > count)) throw new RangeError()
  return ends.map((end, i) => positions.slice(ends[i - 1] ?? 0, end))
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The size of a value in bytes, by its type number; none for types with a length prefix. */
const sizes = [1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8]

/** Decodes the properties of a feature, null where there are none. RangeError where they exceed its bytes. */
export function decodeProperties(
  bytes: Uint8Array,
  columns: FgbColumn[],
  caps: ReadLimits,
): Record<string, unknown> {
  const properties: Record<string, unknown> = {}
  for (const { name } of columns) properties[name] = null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  // Some writers add a padding byte.
  for (let at = 0; at + 2 <= bytes.length;) {
    const column = columns[view.getUint16(at, true)]
    if (!column) throw new RangeError()
    at += 2
    const size = sizes[column.type]
    if (size !== undefined) {
      properties[column.name] = numberAt(view, at, column.type)
      at += size
      continue
    }
    const length = view.getUint32(at, true)
    at += 4
    if (at + length > bytes.length) throw new RangeError()
    properties[column.name] = decodeText(bytes.subarray(at, at + length), column.type, caps)
    at += length
  }
  return properties
}

function numberAt(view: DataView, at: number, type: number): unknown {
  if (type === 0) return view.getInt8(at)
  if (type === 1) return view.getUint8(at)
  if (type === 2) return view.getUint8(at) !== 0
  if (type === 3) return view.getInt16(at, true)
  if (type === 4) return view.getUint16(at, true)
  if (type === 5) return view.getInt32(at, true)
  if (type === 6) return view.getUint32(at, true)
  if (type === 9) return shortFloat(view.getFloat32(at, true))
  if (type === 10) return finite(view.getFloat64(at, true))
  const integer = type === 7 ? view.getBigInt64(at, true) : view.getBigUint64(at, true)
  return Number.isSafeInteger(Number(integer)) ? Number(integer) : integer.toString()
}

const finite = (value: number) => (Number.isFinite(value) ? value : null)

/** A text, a parsed JSON text, or null for binary data. */
function decodeText(bytes: Uint8Array, type: number, caps: ReadLimits): unknown {
  if (type > 13) return null
  if (bytes.length > caps.text) return new InvalidValue('The text is too long.')
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return new InvalidValue('The bytes are no text in UTF-8.')
  }
  if (type !== 12) return text
  const { depth, members } = measureJson(text)
  if (depth > caps.depth || members > caps.members) return new InvalidValue('The JSON has too much in it.')
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
