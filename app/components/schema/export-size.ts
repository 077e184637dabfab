import type { ExportFormat } from '#functions/shapes/export-format.ts'
import { asText } from './record-values.ts'

interface FormatUse {
  /** Its purpose in a few words. */
  note: string
  /** Whether it requires shapes. */
  needsShapes: boolean
  /**
   * What it writes per record: values, values with keys, or these with a shape. Null for compressed formats, whose size depends on the
   * similarity of records.
   */
  writes: 'values' | 'named' | 'shaped' | null
}

export const formatUses: Record<ExportFormat, FormatUse> = {
  csv: { note: 'Spreadsheets, databases, statistics', needsShapes: false, writes: 'values' },
  tsv: { note: 'As CSV, parted by tabs', needsShapes: false, writes: 'values' },
  json: { note: 'Programs', needsShapes: false, writes: 'named' },
  ndjson: { note: 'Programs that read line by line', needsShapes: false, writes: 'named' },
  geojson: { note: 'Maps, with all fields', needsShapes: true, writes: 'shaped' },
  geojsonl: { note: 'Maps, line by line', needsShapes: true, writes: 'shaped' },
  xlsx: { note: 'Excel, up to 1,048,575 records', needsShapes: false, writes: null },
  kml: { note: 'Google Earth', needsShapes: true, writes: null },
  kmz: { note: 'Google Earth, packed', needsShapes: true, writes: null },
  shp: { note: 'Desktop GIS, up to 100,000 records', needsShapes: true, writes: null },
  gpx: { note: 'Navigation devices', needsShapes: true, writes: null },
  parquet: { note: 'Data science: small, typed, quick', needsShapes: false, writes: null },
  zip: { note: 'CSV with its description and rules', needsShapes: false, writes: null },
}

/** An estimate of a file's size in bytes from some records; null for compressed formats and without records. */
export function aboutBytes(
  format: ExportFormat,
  sample: readonly { data: Record<string, unknown>; geometry: unknown }[],
  rows: number,
): number | null {
  const { writes } = formatUses[format]
  if (!writes || !sample.length) return rows === 0 && writes ? 0 : null
  const bytes = sample.reduce((sum, record) => {
    const entries = Object.entries(record.data)
    const values = entries.reduce((all, [, value]) => all + asText(value).length + 1, 0)
    if (writes === 'values') return sum + values
    const size = values + entries.reduce((all, [key]) => all + key.length + 5, 0)
    if (writes === 'named') return sum + size
    return sum + size + JSON.stringify(record.geometry ?? null).length + 50
  }, 0)
  return Math.round((bytes / sample.length) * rows)
}
