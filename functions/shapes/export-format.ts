/** The export formats, in the order they are offered. */
export const exportFormats = [
  'csv',
  'tsv',
  'json',
  'ndjson',
  'geojson',
  'geojsonl',
  'xlsx',
  'kml',
  'kmz',
  'shp',
  'gpx',
  'parquet',
  'zip',
] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The label of a format, its file extension and content type. */
export const exportFiles: Record<ExportFormat, { label: string; extension: string; type: string }> = {
  csv: { label: 'CSV', extension: 'csv', type: 'text/csv; charset=utf-8; header=present' },
  tsv: { label: 'TSV', extension: 'tsv', type: 'text/tab-separated-values; charset=utf-8; header=present' },
  json: { label: 'JSON', extension: 'json', type: 'application/json' },
  ndjson: { label: 'JSON lines', extension: 'ndjson', type: 'application/x-ndjson' },
  geojson: { label: 'GeoJSON', extension: 'geojson', type: 'application/geo+json' },
  geojsonl: { label: 'GeoJSON lines', extension: 'geojsonl', type: 'application/x-ndjson' },
  xlsx: {
    label: 'Excel',
    extension: 'xlsx',
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  kml: { label: 'KML', extension: 'kml', type: 'application/vnd.google-earth.kml+xml' },
  kmz: { label: 'KMZ', extension: 'kmz', type: 'application/vnd.google-earth.kmz' },
  shp: { label: 'Shapefile', extension: 'zip', type: 'application/zip' },
  gpx: { label: 'GPX', extension: 'gpx', type: 'application/gpx+xml' },
  parquet: { label: 'Parquet', extension: 'parquet', type: 'application/vnd.apache.parquet' },
  zip: { label: 'Data package', extension: 'zip', type: 'application/zip' },
}

/** The distinct content types of the formats, without parameters. */
export const exportMedia: readonly string[] = [
  ...new Set(exportFormats.map((format) => exportFiles[format].type.split(';')[0] ?? '')),
]

/** The format for an `Accept` value. Of two formats with one type the simpler one. */
export const acceptedFormats: Readonly<Record<string, ExportFormat>> = {
  ...Object.fromEntries(
    [...exportFormats].reverse().map((format) => [exportFiles[format].type.split(';')[0], format]),
  ),
  'application/zip': 'zip',
  'application/geo+json-seq': 'geojsonl',
  'application/geo+jsonl': 'geojsonl',
  'application/x-shapefile': 'shp',
  '*/*': 'json',
  'application/*': 'json',
  'text/*': 'csv',
}
