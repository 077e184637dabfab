import { csvChunks, generateFlights, mapping } from './import-corpus.ts'
import { gtfsChunks, kmzChunks, parquetChunks, shpChunks, zippedGeojsonChunks } from './large-archives.ts'
import { excelChunks, odsChunks, generateSharedTextChunks, sharedRows } from './large-books.ts'
import { fgbChunks, gpkgChunks } from './large-layers.ts'

/** A kind of large file: how it is generated, and the importer's settings for it. */
interface LargeFile {
  type: string
  /** The number of rows in a file of about so many bytes. */
  estimateRowCount(bytes: number): number
  chunks(rows: number): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  source: object
  mapping: object
}

/** Characters of a note, so that a row has about half a kilobyte. */
const notes = 400
const bytesOfRow = {
  csv: 490,
  json: 620,
  excel: 375,
  ods: 383,
  gpkg: 519,
  fgb: 561,
  shp: 215,
  kmz: 336,
  gtfs: 3040,
  zipped: 327,
  parquet: 436,
}

const nested = ['origin', 'state'].map((field): [string, object] => [field, { field: `from.${field}` }])

/** Layers have their columns in `properties`, and their point as a geometry. */
const layerOptions = {
  ...Object.fromEntries(Object.keys(mapping).map((field) => [field, { field: `properties.${field}` }])),
  spot: { field: 'geometry' },
}

/** Kinds of files that large publishers offer. */
export const largeFiles: Record<string, LargeFile> = {
  csv: {
    type: 'text/csv',
    estimateRowCount: (bytes) => Math.round(bytes / bytesOfRow.csv),
    chunks: (rows) => csvChunks(rows, notes),
    source: { parser: 'csv' },
    mapping,
  },
  json: {
    type: 'application/json',
    estimateRowCount: (bytes) => Math.round(bytes / bytesOfRow.json),
    chunks: jsonChunks,
    source: { parser: 'json', parserOptions: { selector: 'answer.flights.*' } },
    mapping: {
      ...mapping,
      ...Object.fromEntries(nested),
      notes: { field: 'said.notes' },
      spot: {
        transform: 'createPoint',
        arguments: [{ field: 'from.at.longitude' }, { field: 'from.at.latitude' }],
      },
    },
  },
  excel: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    estimateRowCount: (bytes) => Math.round(bytes / bytesOfRow.excel),
    chunks: (rows) => excelChunks(rows, openNotes()),
    source: { parser: 'excel' },
    mapping,
  },
  // As many different texts as a workbook may share among its cells, as Excel itself writes it.
  shared: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    estimateRowCount: (bytes) => Math.min(sharedRows, Math.round(bytes / 120)),
    chunks: generateSharedTextChunks,
    source: { parser: 'excel' },
    mapping,
  },
  ods: {
    type: 'application/vnd.oasis.opendocument.spreadsheet',
    estimateRowCount: (bytes) => Math.round(bytes / bytesOfRow.ods),
    chunks: (rows) => odsChunks(rows, openNotes()),
    source: { parser: 'ods' },
    mapping,
  },
  gpkg: {
    type: 'application/geopackage+sqlite3',
    estimateRowCount: (bytes) => Math.round(bytes / bytesOfRow.gpkg),
    chunks: (rows) => gpkgChunks(rows, openNotes()),
    source: { parser: 'gpkg' },
    mapping: layerOptions,
  },
  fgb: {
    type: 'application/flatgeobuf',
    estimateRowCount: (bytes) => Math.round(bytes / bytesOfRow.fgb),
    chunks: (rows) => fgbChunks(rows, openNotes()),
    source: { parser: 'fgb' },
    mapping: layerOptions,
  },
  shp: {
    type: 'application/zip',
    estimateRowCount: (bytes) => Math.round(bytes / bytesOfRow.shp),
    chunks: (rows) => shpChunks(rows, openNotes()),
    source: { parser: 'shp' },
    mapping: layerOptions,
  },
  kmz: {
    type: 'application/vnd.google-earth.kmz',
    estimateRowCount: (bytes) => Math.round(bytes / bytesOfRow.kmz),
    chunks: (rows) => kmzChunks(rows, openNotes()),
    source: { parser: 'kmz' },
    mapping: layerOptions,
  },
  gtfs: {
    type: 'application/zip',
    estimateRowCount: (bytes) => Math.round(bytes / bytesOfRow.gtfs),
    chunks: (rows) => gtfsChunks(rows, openNotes()),
    source: { parser: 'gtfs', parserOptions: { selector: 'stop' } },
    mapping: {
      id: { field: 'data.stop_id' },
      origin: { field: 'data.stop_code' },
      kind: { field: 'data.stop_name' },
      notes: { field: 'data.stop_desc' },
      spot: {
        transform: 'createPoint',
        arguments: [{ field: 'data.stop_lon' }, { field: 'data.stop_lat' }],
      },
    },
  },
  zipped: {
    type: 'application/zip',
    estimateRowCount: (bytes) => Math.round(bytes / bytesOfRow.zipped),
    chunks: (rows) => zippedGeojsonChunks(rows, openNotes()),
    source: { parser: 'geojson', parserOptions: { zip: true } },
    mapping: layerOptions,
  },
  parquet: {
    type: 'application/vnd.apache.parquet',
    estimateRowCount: (bytes) => Math.round(bytes / bytesOfRow.parquet),
    chunks: (rows) => parquetChunks(rows, openNotes()),
    source: { parser: 'parquet' },
    mapping,
  },
}

/**
 * Returns a generator of texts as long as a note that hardly compress: slices of a random sequence of
 * letters.
 */
function openNotes(): (n: number) => string {
  let state = 7
  let letters = ''
  while (letters.length < 1_000_000) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    letters += ((state >>> 4) & 0xffffff).toString(36)
  }
  return (n) => {
    const from = (n * 7919) % (letters.length - notes)
    return letters.slice(from, from + notes)
  }
}

/** One JSON document whose rows are deeply nested and have nested values. */
function* jsonChunks(rows: number): Generator<Buffer> {
  const note = openNotes()
  let text = '{"meta":{"source":{"name":"Flights","pages":[1]}},"answer":{"flights":[\n'
  let n = 0
  for (const { origin, state, longitude, latitude, ...flight } of generateFlights(rows)) {
    const from = { origin, state, at: { longitude: Number(longitude), latitude: Number(latitude) } }
    const row = { ...flight, from, said: { notes: note(n), tags: ['a', 'b'], by: [{ name: 'tower' }] } }
    text += `${n > 0 ? ',\n' : ''}${JSON.stringify(row)}`
    n += 1
    if (text.length > 100_000) {
      yield Buffer.from(text)
      text = ''
    }
  }
  yield Buffer.from(`${text}\n],"total":${rows}}}\n`)
}
