import { dbfEnd, dbfFields, dbfHead, dbfRecords, measure, recordBytes, type DbfField } from './dbf.ts'
import {
  isShape,
  omitGeometryColumns,
  findRowGeometry,
  UnfitRowsError,
  type FileOptions,
  type FileRow,
  type FileSource,
} from './file.ts'
import {
  add,
  head,
  indexFile,
  layerNames,
  getShapeLayer,
  mainSize,
  record,
  type Layer,
  type LayerName,
} from './shp.ts'
import { getFileTime, zipFiles, type ZipEntry } from './zip.ts'
import { createClock, type Clock } from './zone.ts'

/** The most rows of one shapefile: each layer is walked twice more than other files are. */
export const maxShapefileRows = 100_000
/** Lengths in the files are signed, and many programs count in bytes. */
const maxBytes = 0x7fff_ffff

/** WGS 84 as ESRI writes it. */
const projection =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]'

/**
 * Shapefiles in a ZIP archive, a layer each for points, lines and polygons. Files begin with their length, so the rows
 * are iterated once to measure, and again for each file.
 */
export async function* shapefile(source: FileSource, { timeZone }: FileOptions): AsyncIterable<Uint8Array> {
  if (!source.columns.some(isShape))
    throw new UnfitRowsError('A shapefile needs a geometry; there is none here.')
  if (source.count > maxShapefileRows)
    throw new UnfitRowsError(
      `A shapefile holds ${maxShapefileRows} rows at most; GeoJSON and Parquet hold all.`,
    )
  const fields = dbfFields(omitGeometryColumns(source.columns))
  if (fields.length > 255)
    throw new UnfitRowsError('A shapefile holds 255 fields at most; GeoJSON holds all.')
  const table: Table = { fields, timeZone, clock: createClock(timeZone) }
  const layers = await measureLayers(source, table)
  const big = layers.some((layer) => mainSize(layer) > maxBytes || tableSize(layer, fields) > maxBytes)
  if (big)
    throw new UnfitRowsError('A shapefile of more than 2 GB cannot be made; GeoJSON and Parquet hold all.')
  yield* zipFiles(entries(source, table, layers), getFileTime(source.about.updatedAt))
}

/** The attribute table of a layer. */
interface Table {
  fields: DbfField[]
  timeZone: string
  clock: Clock
}

async function measureLayers(source: FileSource, { fields, clock }: Table): Promise<Layer[]> {
  const layers = new Map<LayerName, Layer>()
  for await (const rows of source.pages('exact')) {
    for (const row of rows) {
      measure(fields, row.data, clock)
      const name = getRowLayer(row, source)
      const layer = layers.get(name) ?? { name, sizes: [], box: null }
      layers.set(name, layer)
      add(layer, findRowGeometry(row, source.columns))
    }
  }
  if (layers.size === 0) return [{ name: getDefaultLayer(source), sizes: [], box: null }]
  return layerNames.flatMap((name) => layers.get(name) ?? [])
}

const tableSize = ({ sizes }: Layer, fields: DbfField[]) => sizes.length * recordBytes(fields) + 9000

/** The layer of a row; rows without a geometry go to that of the type's first geometry field. */
function getRowLayer(row: FileRow, source: FileSource): LayerName {
  return getShapeLayer(findRowGeometry(row, source.columns), getDefaultLayer(source))
}

function getDefaultLayer({ columns }: FileSource): LayerName {
  const type = columns.find(isShape)?.type ?? ''
  if (type.endsWith('polygon')) return 'polygons'
  return type.endsWith('line') ? 'lines' : 'points'
}

function* entries(source: FileSource, table: Table, layers: Layer[]): Iterable<ZipEntry> {
  const { about } = source
  const { fields } = table
  const file = (name: string, ...pieces: (string | Uint8Array)[]) => ({ name, pieces })
  for (const layer of layers) {
    const base = `${about.id}_${layer.name}`
    yield { name: `${base}.shp`, pieces: mainFile(source, layer) }
    yield file(`${base}.shx`, indexFile(layer))
    yield { name: `${base}.dbf`, pieces: tableFile(source, layer, table) }
    yield file(`${base}.prj`, projection)
    yield file(`${base}.cpg`, 'UTF-8')
  }
  const mapping = fields.map(({ name, column, cut }) => ({ name, key: column.key, title: column.name, cut }))
  yield file('fields.json', `${JSON.stringify(mapping, null, 2)}\n`)
  yield file('README.txt', readme(source, table))
}

async function* mainFile(source: FileSource, layer: Layer): AsyncIterable<Uint8Array> {
  yield head(layer, mainSize(layer))
  let number = 0
  for await (const rows of readLayerRows(source, layer))
    for (const row of rows) yield record(findRowGeometry(row, source.columns), (number += 1))
}

async function* tableFile(
  source: FileSource,
  layer: Layer,
  { fields, clock }: Table,
): AsyncIterable<Uint8Array> {
  yield dbfHead(fields, layer.sizes.length, getFileTime(source.about.updatedAt))
  for await (const rows of readLayerRows(source, layer))
    yield dbfRecords(
      fields,
      rows.map(({ data }) => data),
      clock,
    )
  yield dbfEnd
}

/** The rows of one layer, in pages. */
async function* readLayerRows(source: FileSource, { name }: Layer): AsyncIterable<FileRow[]> {
  for await (const rows of source.pages('exact'))
    yield rows.filter((row) => getRowLayer(row, source) === name)
}

function readme({ about }: FileSource, { fields, timeZone }: Table): string {
  const lines = fields.map(({ name, column, cut }) => {
    const note = cut > 0 ? `  (${cut} texts are cut at 254 bytes; the CSV has them whole)` : ''
    return `${name.padEnd(10)}  ${column.key}  ${column.name}${note}`
  })
  return [
    `${about.title} (data version ${about.version})`,
    '',
    'Shapefiles in WGS 84, a layer each for points, lines and polygons. Texts are UTF-8.',
    `The format has days, but no times of day: those are ISO 8601 texts by the clock of ${timeZone}, with their offset from UTC.`,
    'Names of fields have 10 characters here; these are the fields they stand for:',
    '',
    ...lines,
    '',
  ].join('\r\n')
}
