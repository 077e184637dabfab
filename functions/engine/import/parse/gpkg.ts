import type { Geometry } from 'geojson'
import { UnreadableError, type Batch } from '../row.ts'
import { InvalidValue } from './invalid-value.ts'
import { openBinary } from './binary.ts'
import type { ReadLimits } from './caps.ts'
import { projectionByName, createProjection, describeUnknownSystem } from './crs.ts'
import { addFeature } from './feature.ts'
import type { Project } from './geometry.ts'
import { buildColumnNames } from './header.ts'
import { selectorsIn, type ParsedSource } from './reading.ts'
import { batches, Sink, type Fault } from './sink.ts'
import { SqliteFile, type SqliteTable, type SqliteValue } from './sqlite.ts'
import { readWkb, type WkbShape } from './wkb.ts'

/** A user table of a GeoPackage. */
interface Layer {
  name: string
  /** Its geometry column and the number of its coordinate system; null: it has none. */
  geometry: { column: string; system: SqliteValue } | null
}

/**
 * Reads the selected layers of a GeoPackage (by default all with geometries), in longitude and latitude. Tables without
 * geometries are read if selected, or if there is nothing else. `sheet` is the layer, rows count within it.
 */
export function readGpkg(reading: ParsedSource): AsyncGenerator<Batch> {
  const sink = new Sink(reading)
  async function* steps() {
    const file = await SqliteFile.open(await openBinary(reading), reading.caps)
    if (file.isLogged)
      sink.notice(
        'info',
        'The database keeps changes in a file beside it: what a program that has it open wrote last may be missing.',
      )
    for (const layer of pickLayers(await readLayers(file), selectorsIn(reading.options)))
      yield* readLayer(file, layer, reading, sink)
  }
  return batches(sink, steps())
}

/** `*` and the names of the layers, those with geometries first. */
export async function gpkgSelectors(reading: ParsedSource): Promise<string[]> {
  const file = await SqliteFile.open(await openBinary(reading), reading.caps)
  return ['*', ...(await readLayers(file)).map(({ name }) => name)]
}

async function readLayers(file: SqliteFile): Promise<Layer[]> {
  const layers = (await file.all('gpkg_geometry_columns')).map((row): Layer => ({
    name: toText(row.table_name),
    geometry: { column: toText(row.column_name), system: row.srs_id ?? null },
  }))
  const tables = (await file.all('gpkg_contents'))
    .filter(({ data_type: type }) => type === 'attributes' || type === 'aspatial')
    .map(({ table_name: name }): Layer => ({ name: toText(name), geometry: null }))
  if (layers.length + tables.length === 0)
    throw new UnreadableError('The file is an SQLite database, but no GeoPackage with layers.')
  return [...layers, ...tables]
}

const toText = (value: SqliteValue | undefined) => (typeof value === 'string' ? value : '')

function pickLayers(layers: Layer[], selectors: string[]): Layer[] {
  const spatial = layers.filter(({ geometry }) => geometry)
  if (!selectors.length) return spatial.length ? spatial : layers
  if (selectors.includes('*')) return layers
  for (const selector of selectors)
    if (!layers.some(({ name }) => name === selector)) {
      const names = layers.map(({ name }) => `"${name}"`).join(', ')
      throw new UnreadableError(`The GeoPackage has no layer "${selector}": it has ${names.slice(0, 500)}.`)
    }
  return layers.filter(({ name }) => selectors.includes(name))
}

async function* readLayer(file: SqliteFile, layer: Layer, { caps, from }: ParsedSource, sink: Sink) {
  const table = file.table(layer.name)
  if (!table) throw new UnreadableError(`The layer "${layer.name}" is no table of the database.`)
  const project = layer.geometry && (await projectionFor(file, layer.name, layer.geometry.system, sink))
  const columns = columnsFor(table, layer, caps, sink)
  const before = sink.count
  // When resuming, earlier rows are counted without being parsed.
  const isSkipped = () => {
    const isGiven = from !== undefined && sink.count < from.rows
    if (isGiven) sink.count += 1
    return isGiven
  }
  for await (const rows of file.read(table, isSkipped)) {
    for (const row of rows)
      addRow(row, columns, { sheet: layer.name, line: sink.count - before + 1 }, project, caps, sink)
    yield
  }
}

interface LayerColumns {
  names: string[]
  isFlag: boolean[]
  /** The index of the geometry column; -1: none. */
  geometry: number
  onLost: (name: string) => void
}

function columnsFor(
  table: SqliteTable,
  { name, geometry }: Layer,
  caps: ReadLimits,
  sink: Sink,
): LayerColumns {
  const column = geometry?.column.toLowerCase()
  return {
    names: buildColumnNames(table.columns, sink, caps.columns),
    isFlag: table.types.map((type) => type === 'BOOLEAN'),
    geometry: table.columns.findIndex((one) => one.toLowerCase() === column),
    onLost: (column) =>
      sink.notice('warn', `The column ${column} of ${name} holds bytes that are no text: they are left out.`),
  }
}

function addRow(
  row: SqliteValue[],
  { names, isFlag, geometry: own, onLost }: LayerColumns,
  at: { sheet: string; line: number },
  project: Project | null,
  caps: ReadLimits,
  sink: Sink,
) {
  const faults: Fault[] = []
  const properties: Record<string, unknown> = {}
  let geometry: Geometry | null = null
  for (const [i, value] of row.entries()) {
    const name = names[i] as string
    if (i === own) {
      const shape = value instanceof Uint8Array ? shapeIn(value, caps) : { geometry: null }
      if ('fault' in shape) {
        const { fault: message, points } = shape
        faults.push({ field: 'geometry', message, ...(points !== undefined && { points }) })
      } else geometry = shape.geometry
    } else if (value instanceof InvalidValue) faults.push({ field: name, message: value.message })
    else if (value instanceof Uint8Array) {
      onLost(name)
      properties[name] = null
    } else properties[name] = isFlag[i] && typeof value === 'number' ? value !== 0 : value
  }
  if (faults.length) sink.reject(faults, at)
  else addFeature({ type: 'Feature', properties, geometry }, at, sink, project)
}

/** The size of the envelope in a geometry's header, by its type. */
const boxes = [0, 32, 48, 48, 64]

/** Parses a geometry blob: a GeoPackage header, then WKB. */
function shapeIn(blob: Uint8Array, caps: ReadLimits): WkbShape {
  if (blob.length < 8 || blob[0] !== 0x47 || blob[1] !== 0x50)
    return { fault: 'The bytes are no geometry of a GeoPackage.' }
  const flags = blob[3] ?? 0
  if (flags & 0b10000) return { geometry: null }
  return readWkb(blob, 8 + (boxes[(flags >> 1) & 7] ?? 0), caps)
}

/** The projection of a layer to longitude and latitude; null: not needed. `UnreadableError` for an unknown coordinate system. */
async function projectionFor(
  file: SqliteFile,
  layer: string,
  id: SqliteValue,
  sink: Sink,
): Promise<Project | null> {
  if (id === 4326) return null
  if (id === 0 || id === -1) {
    sink.notice(
      'warn',
      `${layer}: its system is not defined; positions are taken for longitude and latitude.`,
    )
    return null
  }
  const system = (await file.all('gpkg_spatial_ref_sys')).find(({ srs_id }) => srs_id === id)
  const code = `${toText(system?.organization)}:${String(system?.organization_coordsys_id)}`
  const definition = toText(system?.definition)
  const projection =
    projectionByName(code) ??
    (definition === '' || definition === 'undefined' ? null : createProjection(definition))
  const name = system ? `${toText(system.srs_name)} (${code})` : `number ${String(id)}`
  if (!projection) throw new UnreadableError(describeUnknownSystem(name))
  if (projection === 'same') return null
  sink.notice(
    'info',
    `${layer}: coordinates are in ${name.slice(0, 100)}; they are put into longitude and latitude.`,
  )
  return projection
}
