import { csvFile, tsvFile } from './csv.ts'
import type { FileWriter } from './file.ts'
import { geojsonFile, geojsonlFile, jsonFile, ndjsonFile } from './json.ts'
import type { ExportFormat } from '#functions/shapes/export-format.ts'

/** The writer of each format. Those with libraries, and rare ones, are loaded on demand. */
export const writers: Record<ExportFormat, FileWriter> = {
  csv: csvFile,
  tsv: tsvFile,
  json: jsonFile,
  ndjson: ndjsonFile,
  geojson: geojsonFile,
  geojsonl: geojsonlFile,
  xlsx: later(async () => (await import('./xlsx.ts')).xlsxFile),
  kml: later(async () => (await import('./kml.ts')).kmlFile),
  kmz: later(async () => (await import('./kml.ts')).kmzFile),
  shp: later(async () => (await import('./shapefile.ts')).shapefile),
  gpx: later(async () => (await import('./gpx.ts')).gpxFile),
  parquet: later(async () => (await import('./parquet.ts')).parquetFile),
  zip: later(async () => (await import('./package.ts')).packageFile),
}

function later(load: () => Promise<FileWriter>): FileWriter {
  return async function* (source, options) {
    yield* (await load())(source, options)
  }
}
