import { UnreadableError, type Batch } from '../row.ts'
import { Archive } from './archive.ts'
import { ByteReader } from './byte-reader.ts'
import { formatByteCount } from './caps.ts'
import { createProjection, describeUnknownSystem, type Projection } from './crs.ts'
import { DbfTable, encodingByCpg } from './dbf.ts'
import type { Entry } from './directory.ts'
import { addFeature } from './feature.ts'
import type { ParsedSource } from './reading.ts'
import { decodeShape } from './shp-shape.ts'
import { batches, Sink, type Fault } from './sink.ts'

/** The number of records per step. */
const stride = 200

/** Reads each `.shp` of an archive with its table, projected to longitude and latitude by its `.prj`. */
export function readShp(reading: ParsedSource): AsyncGenerator<Batch> {
  const sink = new Sink(reading)
  async function* steps() {
    const archive = await Archive.open(reading)
    const layers = archive.find(/\.shp$/i)
    if (!layers.length) throw new UnreadableError('The archive has no .shp file.')
    for (const layer of layers) yield* readLayer(archive, layer, reading, sink)
  }
  return batches(sink, steps())
}

async function* readLayer(archive: Archive, layer: Entry, reading: ParsedSource, sink: Sink) {
  const { name } = layer
  const findSidecarEntry = (kind: string) =>
    archive.entries.find((entry) => entry.name.toLowerCase() === name.toLowerCase().replace(/shp$/, kind))
  const readText = async (kind: string) => {
    const entry = findSidecarEntry(kind)
    return entry
      ? new TextDecoder()
          .decode(await archive.readWhole(entry, 64 * 1024))
          .replace(/^\ufeff/, '')
          .trim()
      : null
  }
  const cpg = await readText('cpg')
  const encoding = cpg ? encodingByCpg(cpg) : null
  if (cpg && !encoding) sink.notice('warn', `${name}: the encoding "${cpg.slice(0, 40)}" is not known here.`)
  const projection = projectionFor(await readText('prj'), name, sink)
  const shapes = new ByteReader(archive.stream(layer))
  const head = await shapes.read(100)
  if (head.length < 100 || new DataView(head.buffer, head.byteOffset, 100).getInt32(0) !== 9994)
    throw new UnreadableError(`${name} is not a shapefile: its head is damaged.`)
  if (projection === null) assureDegrees(head, name, sink)
  const project = typeof projection === 'function' ? projection : null
  const dbf = findSidecarEntry('dbf')
  if (!dbf) sink.notice('warn', `${name}: there is no .dbf beside it, so its features have no properties.`)
  const cells = dbf && new ByteReader(archive.stream(dbf))
  const table = cells && (await DbfTable.open(cells, encoding, sink))
  for (let i = 1; ; i++) {
    const start = await shapes.read(8)
    if (!start.length) break
    const length =
      start.length === 8 ? new DataView(start.buffer, start.byteOffset, 8).getUint32(4) * 2 : Infinity
    if (length > reading.caps.row && length !== Infinity)
      throw new UnreadableError(`${name}: record ${i} is longer than ${formatByteCount(reading.caps.row)}.`)
    const content = length === Infinity ? start : await shapes.read(length)
    if (content.length < length) throw new UnreadableError(`${name} is cut off in record ${i}.`)
    const row = table ? await table.next() : null
    if (table && !row) throw new UnreadableError(`${name}: its table (.dbf) ends before record ${i}.`)
    if (row?.isDeleted) sink.notice('info', `${name}: rows that are marked as deleted are left out.`)
    else {
      const shape = decodeShape(content, reading.caps)
      const at = { entry: name, line: i }
      const faults = row?.faults ?? []
      if ('fault' in shape) sink.reject([...faults, toGeometryFault(shape)], at)
      else if (faults.length) sink.reject(faults, at)
      else {
        if (shape.loose)
          sink.notice(
            'info',
            `${name}: rings that lie in no other are read as outer ones, however they turn.`,
          )
        const { geometry } = shape
        addFeature({ type: 'Feature', properties: row?.properties ?? {}, geometry }, at, sink, project)
      }
    }
    if (i % stride === 0) yield
  }
  if (table && (await table.next()))
    sink.notice('warn', `${name}: its table (.dbf) has more rows than it has shapes.`)
  await shapes.close()
  await cells?.close()
  yield
}

const toGeometryFault = ({ fault, points }: { fault: string; points?: number }): Fault => ({
  ...{ field: 'geometry', message: fault },
  ...(points !== undefined && { points }),
})

/** Returns the projection of a `.prj`; null without one. Unreadable if it is unknown. */
function projectionFor(prj: string | null, name: string, sink: Sink): Projection {
  if (!prj) return null
  const projection = createProjection(prj)
  const title = /^\w+\s*\[\s*"([^"]*)"/.exec(prj)?.[1] ?? prj.slice(0, 60)
  if (!projection)
    throw new UnreadableError(`${name}: ${describeUnknownSystem(`${title} (its .prj)`, 'the coordinates')}`)
  if (/^\s*GEOGC(S|RS)\b/i.test(prj) && /WGS.?(19)?84/i.test(title)) return 'same'
  if (/NAD_?27|North_American_1927/i.test(prj))
    sink.notice(
      'warn',
      `${name}: from NAD 27 positions may be off by some 200 m: there is no grid of shifts here.`,
    )
  sink.notice('info', `${name}: coordinates are in ${title}; they are put into longitude and latitude.`)
  return projection
}

/** Without a `.prj`, positions are longitude and latitude only if the extent is within degrees. */
function assureDegrees(head: Uint8Array, name: string, sink: Sink) {
  const view = new DataView(head.buffer, head.byteOffset, 100)
  const box = [36, 44, 52, 60].map((at) => view.getFloat64(at, true))
  const bounds = box.map((n) => n.toFixed(2)).join(', ')
  if (box.some((n, i) => !(Math.abs(n) <= (i % 2 ? 90 : 360))))
    throw new UnreadableError(`${name}: there is no .prj, and its extent (${bounds}) is not in degrees.`)
  sink.notice(
    'warn',
    `${name}: there is no .prj; its extent (${bounds}) is taken for longitude and latitude.`,
  )
}
