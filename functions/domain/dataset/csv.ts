import type { Geometry } from '#functions/shapes/fields/geometry.ts'
import { isGeometryType } from '../records/columns.ts'

export interface CsvColumn {
  key: string
  head: string
  type: string | undefined
}

/** A line of CSV (RFC 4180): CRLF at its end, quotes only where needed and doubled inside. */
export function csvLine(cells: string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The heads of the columns; a point has two more, for tools that know no WKT. */
export function csvHead(columns: CsvColumn[]): string[] {
  return columns.flatMap(({ head, type }) =>
    type === 'point' ? [head, `${head}.longitude`, `${head}.latitude`] : [head],
  )
}

/** The cells of a record. `isForExcel`: text that a spreadsheet would take for a formula gets an apostrophe. */
export function csvCells(columns: CsvColumn[], data: Record<string, unknown>, isForExcel: boolean): string[] {
  return columns.flatMap(({ key, type }) => {
    const value = Object.hasOwn(data, key) ? data[key] : undefined
    if (type !== 'point') {
      const text = cellText(value, type)
      return [isForExcel && typeof value !== 'number' ? defused(text) : text]
    }
    const [longitude, latitude] = (value as { coordinates?: number[] } | undefined)?.coordinates ?? []
    return [cellText(value, type), String(longitude ?? ''), String(latitude ?? '')]
  })
}

function cellText(value: unknown, type: string | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((item) => cellText(item, undefined)).join(', ')
  if (typeof value !== 'object') return String(value)
  return type !== undefined && (isGeometryType(type) || type === 'geometry')
    ? wkt(value as Geometry)
    : JSON.stringify(value)
}

/** Leading characters that start a formula, in their full-width forms as well. */
function defused(text: string): string {
  return /^[=+\-@\t\r\0\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text
}

const wktNames: Record<Geometry['type'], string> = {
  Point: 'POINT',
  LineString: 'LINESTRING',
  MultiLineString: 'MULTILINESTRING',
  Polygon: 'POLYGON',
  MultiPolygon: 'MULTIPOLYGON',
}

/** A geometry as well-known text. */
export function wkt({ type, coordinates }: Geometry): string {
  const text = type === 'Point' ? `(${coordinates.slice(0, 2).join(' ')})` : nested(coordinates)
  return `${wktNames[type]} ${text}`
}

function nested(node: unknown[]): string {
  const parts = node.map((child) => {
    const isPosition = Array.isArray(child) && typeof child[0] === 'number'
    return isPosition ? child.slice(0, 2).join(' ') : nested(child as unknown[])
  })
  return `(${parts.join(', ')})`
}
