import { getOwnProperty } from '#functions/shapes/fields/plain.ts'
import {
  ByteWriter,
  geojsonToWkb,
  ParquetWriter,
  type ColumnSource,
  type SchemaElement,
} from 'hyparquet-writer'
import { isCalendarDate, type Precision } from '#functions/shapes/field.ts'
import { cellText } from './cell.ts'
import { isShape, type FileColumn, type FileRow, type FileSource } from './file.ts'
import { computeBox } from './places.ts'
import type { Geometry } from '#functions/shapes/fields/geometry.ts'

/** Rows of a row group, and the approximate size of their text: what is held in memory at a time. */
const groupRows = 10_000
const groupBytes = 2_000_000

/**
 * Apache Parquet; with geometry GeoParquet 1.1.0: geometries as WKB, and for the first a struct with its box (a
 * "covering"), so that readers can skip row groups. Row groups are written as they fill; the footer completes the file.
 */
export async function* parquetFile(source: FileSource): AsyncIterable<Uint8Array> {
  const columns = source.columns.map(toParquetColumn)
  const shapes = columns.filter(({ shape }) => shape !== null)
  const [primary] = shapes
  const cover = primary ? buildBoxColumn(primary, new Set(columns.map(({ name }) => name))) : null
  const all = cover ? [...columns, cover] : columns
  const bytes = new ByteWriter(65_536)
  const file = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'schema', num_children: all.length }, ...all.flatMap(({ elements }) => elements)],
    createdBy: 'Commonplace',
  })
  let rows: FileRow[] = []
  let size = 0
  const group = () => {
    if (all.length === 0 || rows.length === 0) return
    const columnData = all.map(({ name, value }): ColumnSource => ({ name, data: rows.map(value) }))
    void file.write({ columnData, rowGroupSize: rows.length })
    rows = []
    size = 0
  }
  for await (const page of source.pages('fields')) {
    rows.push(...page)
    size += estimatePageSize(page)
    if (rows.length < groupRows && size < groupBytes) continue
    group()
    yield drainBytes(bytes)
  }
  group()
  if (primary)
    file.kvMetadata = [{ key: 'geo', value: JSON.stringify(buildGeoMetadata(shapes, primary, cover?.name)) }]
  void file.finish()
  yield drainBytes(bytes)
}

/** Takes the bytes written since the last call from the buffer; offsets continue. */
function drainBytes(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice()
  writer.index = 0
  return bytes
}

/** The approximate size of a page's text, by its first and last rows. */
function estimatePageSize(page: FileRow[]): number {
  const sample = [page[0], page[page.length >> 1], page.at(-1)]
  const length = sample.reduce((sum, row) => sum + JSON.stringify(row ?? null).length, 0)
  return (length / sample.length) * page.length
}

interface ParquetColumn {
  name: string
  elements: SchemaElement[]
  value(row: FileRow): unknown
  /** The types and the box of a geometry column; null for others. */
  shape: { types: Set<string>; box: [number, number, number, number] } | null
}

type Leaf = Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>
const text: Leaf = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }
const json: Leaf = { type: 'BYTE_ARRAY', converted_type: 'JSON', logical_type: { type: 'JSON' } }
const leaves: Record<string, Leaf> = {
  text,
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  date: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
}
/** Days since 1970, of no zone. */
const day: Leaf = { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } }

/** The storage of a type; undefined where it has no column. */
function findLeaf(field: { type?: string | undefined; precision?: Precision | undefined }): Leaf | undefined {
  if (isCalendarDate(field)) return day
  const { type = '' } = field
  return Object.hasOwn(leaves, type) ? leaves[type] : undefined
}

const repetition_type = 'OPTIONAL' as const

/** A field as a column: typed where the field is, lists of typed items as lists, maps and other lists as JSON. */
function toParquetColumn(column: FileColumn): ParquetColumn {
  const { key, type = '' } = column
  const name = key
  if (isShape(column)) {
    const shape: NonNullable<ParquetColumn['shape']> = {
      types: new Set(),
      box: [Infinity, Infinity, -Infinity, -Infinity],
    }
    const value = ({ data }: FileRow) => {
      const match = getOwnProperty(data, key) as Geometry | null | undefined
      if (!match) return null
      shape.types.add(match.type)
      const [west, south, east, north] = computeBox(match)
      const [w, s, e, n] = shape.box
      shape.box = [Math.min(w, west), Math.min(s, south), Math.max(e, east), Math.max(n, north)]
      return toWkb(match)
    }
    return { name, elements: [{ name, type: 'BYTE_ARRAY', repetition_type }], value, shape }
  }
  const leaf = findLeaf(column)
  if (leaf) {
    const value = ({ data }: FileRow) => toParquetValue(getOwnProperty(data, key), type, leaf)
    return { name, elements: [{ name, repetition_type, ...leaf }], value, shape: null }
  }
  const items = column.items ?? column.field?.items
  const item = items?.type ?? ''
  const itemLeaf = type === 'array' && items ? findLeaf(items) : undefined
  if (itemLeaf) {
    const elements: SchemaElement[] = [
      { name, repetition_type, converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type, ...itemLeaf },
    ]
    const value = ({ data }: FileRow) => {
      const list = getOwnProperty(data, key)
      return Array.isArray(list) ? list.map((each) => toParquetValue(each, item, itemLeaf)) : null
    }
    return { name, elements, value, shape: null }
  }
  const value = ({ data }: FileRow) => getOwnProperty(data, key) ?? null
  return { name, elements: [{ name, repetition_type, ...json }], value, shape: null }
}

/** A buffer shared by many points: a separate one for each of a million would cost several times their bytes. */
let shared = new Uint8Array(0)
let byteCount = 0
const sharedPoints = 4096

/** Well-known binary of exact size: the library returns a view of a kilobyte. */
function toWkb(shape: Geometry): Uint8Array {
  if (shape.type !== 'Point') return geojsonToWkb(shape).slice()
  if (byteCount + 21 > shared.length) {
    shared = new Uint8Array(21 * sharedPoints)
    byteCount = 0
  }
  const bytes = shared.subarray(byteCount, byteCount + 21)
  byteCount += 21
  const view = new DataView(bytes.buffer, bytes.byteOffset, 21)
  view.setUint8(0, 1)
  view.setUint32(1, 1, true)
  view.setFloat64(5, shape.coordinates[0] ?? NaN, true)
  view.setFloat64(13, shape.coordinates[1] ?? NaN, true)
  return bytes
}

function toParquetValue(value: unknown, type: string, leaf: Leaf): unknown {
  if (value === null || value === undefined) return null
  if (leaf === day) return Date.parse(String(value)) / 86_400_000
  if (type === 'date') return BigInt(Date.parse(String(value)))
  return type === 'text' ? cellText(value, { type }) : value
}

const sides = ['xmin', 'ymin', 'xmax', 'ymax'] as const

/** A column with the box of each geometry in another column. */
function buildBoxColumn({ name: of }: ParquetColumn, usedNames: Set<string>): ParquetColumn {
  let name = 'bbox'
  while (usedNames.has(name)) name += '_'
  const elements: SchemaElement[] = [
    { name, repetition_type, num_children: sides.length },
    ...sides.map((side): SchemaElement => ({ name: side, type: 'DOUBLE', repetition_type: 'REQUIRED' })),
  ]
  const value = ({ data }: FileRow) => {
    const match = getOwnProperty(data, of) as Geometry | null | undefined
    if (!match) return null
    const box = computeBox(match)
    return Object.fromEntries(sides.map((side, i) => [side, box[i]]))
  }
  return { name, elements, value, shape: null }
}

/** The metadata of GeoParquet 1.1.0. Without `crs` it is OGC:CRS84: longitude, latitude. */
function buildGeoMetadata(shapes: ParquetColumn[], primary: ParquetColumn, cover: string | undefined) {
  const columns = shapes.map((column) => {
    const { types, box } = column.shape ?? { types: new Set<string>(), box: [] }
    const covering =
      column === primary && cover !== undefined
        ? { covering: { bbox: Object.fromEntries(sides.map((side) => [side, [cover, side]])) } }
        : {}
    const bbox = types.size > 0 ? { bbox: box } : {}
    return [column.name, { encoding: 'WKB', geometry_types: [...types].sort(), ...bbox, ...covering }]
  })
  return { version: '1.1.0', primary_column: primary.name, columns: Object.fromEntries(columns) as object }
}
