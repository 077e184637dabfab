import type { ExportFormat } from '#functions/shapes/exportFormat.ts'

interface FormatUse {
  /** What it is for, in a few words. */
  note: string
  /** Whether it holds shapes, and makes no sense without. */
  needsShapes: boolean
  /**
   * What it writes of each record: values alone, values with the names of their keys, or these with a shape. Null for packed
   * formats: how large they become depends on how alike records are.
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

/**
 * About how many bytes a file of so many records has, as far as some of them tell; null for packed formats, whose size
 * depends on how alike records are, and without any record to tell from.
 */
export function aboutBytes(
  format: ExportFormat,
  sample: readonly { data: Record<string, unknown>; geometry: unknown }[],
  rows: number,
): number | null {
  const { writes } = formatUses[format]
  if (!writes || !sample.length) return rows === 0 && writes ? 0 : null
  const bytes = sample.reduce((sum, record) => {
    const entries = Object.entries(record.data)
    const values = entries.reduce((all, [, value]) => all + textOf(value).length + 1, 0)
    if (writes === 'values') return sum + values
    const size = values + entries.reduce((all, [key]) => all + key.length + 5, 0)
    if (writes === 'named') return sum + size
    return sum + size + JSON.stringify(record.geometry ?? null).length + 50
  }, 0)
  return Math.round((bytes / sample.length) * rows)
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
