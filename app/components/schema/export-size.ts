import type { ExportFormat } from '#functions/shapes/exportFormat.ts'

/** Formats that hold shapes, and make no sense without. */
export const shapeFormats: ReadonlySet<ExportFormat> = new Set([
  'geojson',
  'geojsonl',
  'kml',
  'kmz',
  'shp',
  'gpx',
])

/** What each format is for, in a few words. */
export const formatNotes: Record<ExportFormat, string> = {
  csv: 'Spreadsheets, databases, statistics',
  tsv: 'As CSV, parted by tabs',
  json: 'Programs',
  ndjson: 'Programs that read line by line',
  geojson: 'Maps, with all fields',
  geojsonl: 'Maps, line by line',
  xlsx: 'Excel, up to 1,048,575 records',
  kml: 'Google Earth',
  kmz: 'Google Earth, packed',
  shp: 'Desktop GIS, up to 100,000 records',
  gpx: 'Navigation devices',
  parquet: 'Data science: small, typed, quick',
  zip: 'CSV with its description and rules',
}

/** Bytes of a record beside its values, by format: names of keys are counted on their own. */
const textFormats: Partial<Record<ExportFormat, 'cells' | 'named' | 'shaped'>> = {
  csv: 'cells',
  tsv: 'cells',
  json: 'named',
  ndjson: 'named',
  geojson: 'shaped',
  geojsonl: 'shaped',
}

/**
 * About how many bytes a file of so many records has, as far as some of them tell; null for packed formats, whose size
 * depends on how alike records are, and without any record to tell from.
 */
export function aboutBytes(
  format: ExportFormat,
  sample: readonly { data: Record<string, unknown>; geometry: unknown }[],
  rows: number,
): number | null {
  const kind = textFormats[format]
  if (!kind || !sample.length) return rows === 0 && kind ? 0 : null
  const bytes = sample.reduce((sum, record) => {
    const entries = Object.entries(record.data)
    const values = entries.reduce((all, [, value]) => all + textOf(value).length + 1, 0)
    if (kind === 'cells') return sum + values
    const named = values + entries.reduce((all, [key]) => all + key.length + 5, 0)
    if (kind === 'named') return sum + named
    return sum + named + JSON.stringify(record.geometry ?? null).length + 50
  }, 0)
  return Math.round((bytes / sample.length) * rows)
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
