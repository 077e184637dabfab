import type { Geometry } from 'geojson'
import { UnreadableError, type Batch } from '../row.ts'
import { InvalidValue } from './invalid-value.ts'
import { openBinary } from './binary.ts'
import { ByteReader } from './byte-reader.ts'
import { formatByteCount, type ReadLimits } from './caps.ts'
import { projectionByName, createProjection, describeUnknownSystem } from './crs.ts'
import { addFeature } from './feature.ts'
import { FlatTable } from './flat-table.ts'
import type { Project } from './geometry.ts'
import { decodeGeometry, decodeProperties, type FgbColumn } from './fgb-feature.ts'
import { buildColumnNames } from './header.ts'
import type { Ranges } from './ranges.ts'
import type { ParsedSource } from './reading.ts'
import { batches, Sink, type Fault } from './sink.ts'

/** The number of features per step. */
const stride = 200
/** The block size for reading. */
const blockBytes = 256 * 1024
/** The size of a node of the spatial index. */
const nodeBytes = 40

/**
 * Reads the features of a FlatGeobuf file (version 3), projected to longitude and latitude from its
 * coordinate system. When resuming, earlier features are skipped by their lengths. `line` is the number of
 * the feature, from 1.
 */
export function readFgb(reading: ParsedSource): AsyncGenerator<Batch> {
  const sink = new Sink(reading)
  const { caps, from } = reading
  async function* steps() {
    const ranges = await openBinary(reading)
    const head = await readHead(ranges, caps, sink)
    const features = new ByteReader(bytesFrom(ranges, head.end))
    for (let i = 1; ; i++) {
      const start = await features.read(4)
      if (start.length === 0) break
      const length =
        start.length === 4 ? new DataView(start.buffer, start.byteOffset, 4).getUint32(0, true) : 0
      if (length > caps.row)
        throw new UnreadableError(
          `Feature ${i} is longer than ${formatByteCount(caps.row)}: the file may be damaged.`,
        )
      const content = await features.read(length)
      if (length === 0 || content.length < length)
        throw new UnreadableError(`The file is cut off in feature ${i}.`)
      if (from && sink.count < from.rows) sink.count += 1
      else addFeatureContent(content, i, head, caps, sink)
      if (i % stride === 0) yield
    }
    if (head.count !== null && sink.count < head.count)
      throw new UnreadableError(`The file is cut off: it has ${sink.count} of ${head.count} features.`)
    if (!sink.count) sink.notice('info', 'The file has no features.')
  }
  return batches(sink, steps())
}

/** The header of all features. */
interface Head {
  kind: number
  columns: FgbColumn[]
  project: Project | null
  /** Their number; null: not stated. */
  count: number | null
  /** The offset of the features. */
  end: number
}

async function readHead(ranges: Ranges, caps: ReadLimits, sink: Sink): Promise<Head> {
  const damaged = new UnreadableError('The head of the FlatGeobuf file is damaged or cut off.')
  const start = await ranges.read(0, Math.min(12, ranges.size))
  if (start.length < 12) throw damaged
  const length = new DataView(start.buffer, start.byteOffset, 12).getUint32(8, true)
  if (length > caps.row || 12 + length > ranges.size) throw damaged
  try {
    const table = FlatTable.root(await ranges.read(12, 12 + length))
    const columns = buildColumns(table.tables(7), caps, sink)
    const count = table.uint64(8)
    const nodes = table.uint16(9, 16)
    const index = nodes > 0 && count > 0 ? indexBytes(count, nodes) : 0
    if (12 + length + index > ranges.size) throw new UnreadableError('The file is cut off in its index.')
    return {
      kind: table.uint8(2),
      columns,
      project: findProjection(table.table(10), sink),
      count: count > 0 ? count : null,
      end: 12 + length + index,
    }
  } catch (error) {
    if (error instanceof RangeError) throw damaged
    throw error
  }
}

function buildColumns(tables: FlatTable[], caps: ReadLimits, sink: Sink): FgbColumn[] {
  const names = buildColumnNames(
    tables.map((table) => table.text(0) ?? ''),
    sink,
    caps.columns,
  )
  return tables.map((table, i) => ({ name: names[i] as string, type: table.uint8(1) }))
}

/** The size of an index, a tree with a given number of children per node. RangeError where it is impossible. */
function indexBytes(features: number, children: number): number {
  if (children < 2 || !Number.isSafeInteger(features * nodeBytes * 2)) throw new RangeError()
  let nodes = features
  for (let level = features; level > 1; nodes += level) level = Math.ceil(level / children)
  return (features === 1 ? 2 : nodes) * nodeBytes
}

/** The projection to longitude and latitude; null: not needed. Unreadable for an unknown coordinate system. */
function findProjection(crs: FlatTable | null, sink: Sink): Project | null {
  const code = crs?.int32(1) ?? 0
  const text = crs?.text(5)
  const wkt = crs?.text(4)
  if (!crs || (code === 0 && !text && !wkt)) {
    sink.notice('warn', 'The file names no system; positions are taken for longitude and latitude.')
    return null
  }
  const name = `${crs.text(0) ?? 'EPSG'}:${code || text}`
  const projection = projectionByName(name) ?? (wkt ? createProjection(wkt) : null)
  if (projection === 'same') return null
  const display = `${crs.text(2) ?? ''} (${name})`.trim().slice(0, 100)
  if (!projection) throw new UnreadableError(describeUnknownSystem(display))
  sink.notice('info', `Coordinates are in ${display}: they are put into longitude and latitude.`)
  return projection
}

function addFeatureContent(
  content: Uint8Array,
  i: number,
  { kind, columns, project }: Head,
  caps: ReadLimits,
  sink: Sink,
) {
  const at = { line: i }
  try {
    const table = FlatTable.root(content)
    const faults: Fault[] = []
    const own = table.tables(2)
    const properties = decodeProperties(
      table.bytes(1),
      own.length ? buildColumns(own, caps, sink) : columns,
      caps,
    )
    for (const [field, value] of Object.entries(properties))
      if (value instanceof InvalidValue) faults.push({ field, message: value.message })
    const shape = table.table(0)
    const geometry = shape ? decodeGeometry(shape, kind, caps) : null
    if (geometry instanceof InvalidValue) faults.push({ field: 'geometry', message: geometry.message })
    if (faults.length) sink.reject(faults, at)
    else addFeature({ type: 'Feature', properties, geometry: geometry as Geometry | null }, at, sink, project)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    sink.reject({ field: null, message: 'The feature is damaged.' }, at)
  }
}

async function* bytesFrom(ranges: Ranges, from: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < ranges.size; at += blockBytes)
    yield await ranges.read(at, Math.min(ranges.size, at + blockBytes))
}
