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
  xlsx: createLazyWriter(async () => (await import('./xlsx.ts')).xlsxFile),
  kml: createLazyWriter(async () => (await import('./kml.ts')).kmlFile),
  kmz: createLazyWriter(async () => (await import('./kml.ts')).kmzFile),
  shp: createLazyWriter(async () => (await import('./shapefile.ts')).shapefile),
  gpx: createLazyWriter(async () => (await import('./gpx.ts')).gpxFile),
  parquet: createLazyWriter(async () => (await import('./parquet.ts')).parquetFile),
  zip: createLazyWriter(async () => (await import('./package.ts')).packageFile),
}

function createLazyWriter(load: () => Promise<FileWriter>): FileWriter {
  return async function* (source, options) {
    yield* (await load())(source, options)
  }
}
