import type { ExportFormat } from '#functions/shapes/datum.ts'
import { csvCells, csvHead, csvLine } from './csv.ts'

/** A record on its way into a file. `id` and `geometry` are null for rows of an answer. */
export interface FileRow {
  id: string | null
  data: Record<string, unknown>
  geometry: unknown
}

/** How a file is written: what stands before the rows, each row, and after them. */
export interface Writer {
  contentType: string
  head: string
  row(record: FileRow, isFirst: boolean): string
  foot: string
}

interface Column {
  key: string
  name: string
  type: string | undefined
}

/** The writer of a format. `names`: columns are headed by name; `bom` and `excel` are for spreadsheets. */
export function writerFor(
  format: ExportFormat,
  columns: Column[],
  options: { names?: boolean; bom?: boolean; excel?: boolean },
): Writer {
  if (format === 'csv') return csv(columns, options)
  if (format === 'geojson') return geojson(columns)
  const comma = (isFirst: boolean) => (isFirst ? '' : ',\n')
  if (format === 'json') {
    return {
      contentType: 'application/json',
      head: '[',
      row: ({ data }, isFirst) => `${comma(isFirst)}${JSON.stringify(data)}`,
      foot: ']\n',
    }
  }
  return {
    contentType: 'application/x-ndjson',
    head: '',
    row: ({ data }) => `${JSON.stringify(data)}\n`,
    foot: '',
  }
}

function csv(
  columns: Column[],
  { names, bom, excel }: { names?: boolean; bom?: boolean; excel?: boolean },
): Writer {
  const headed = columns.map(({ key, name, type }) => ({ key, head: names ? name : key, type }))
  return {
    contentType: 'text/csv; charset=utf-8; header=present',
    head: `${bom || excel ? '\uFEFF' : ''}${csvLine(csvHead(headed))}`,
    row: ({ data }) => csvLine(csvCells(headed, data, excel ?? false)),
    foot: '',
  }
}

const geometries = ['point', 'line', 'multiline', 'polygon', 'multipolygon', 'geometry']

/** The feature's geometry is the record's; its other fields are properties. */
function geojson(columns: Column[]): Writer {
  const shapes = new Set(columns.filter(({ type }) => geometries.includes(type ?? '')).map(({ key }) => key))
  return {
    contentType: 'application/geo+json',
    head: '{"type":"FeatureCollection","features":[',
    row({ id, data, geometry }, isFirst) {
      const properties = Object.fromEntries(Object.entries(data).filter(([key]) => !shapes.has(key)))
      const shape =
        geometry ?? (id === null ? Object.entries(data).find(([key]) => shapes.has(key))?.[1] : null) ?? null
      const feature = { type: 'Feature', ...(id !== null && { id: Number(id) }), geometry: shape, properties }
      return `${isFirst ? '' : ',\n'}${JSON.stringify(feature)}`
    },
    foot: ']}\n',
  }
}
