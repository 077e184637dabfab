import { isCalendarDate } from '#functions/shapes/field.ts'
import type { FileColumn } from './file.ts'
import { isShape } from './file.ts'
import { wkt } from './wkt.ts'
import type { Geometry } from '#functions/shapes/fields/geometry.ts'

/**
 * A value as the text of a cell: lists joined by `, `, maps as JSON, geometries as well-known text, empty without a
 * value. `dates` formats an instant; a calendar date is always `YYYY-MM-DD`.
 */
export function cellText(
  value: unknown,
  column: Pick<FileColumn, 'type' | 'precision' | 'items'>,
  dates: (iso: string) => string = String,
): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string')
    return column.type === 'date' && !isCalendarDate(column) ? dates(value) : value
  if (Array.isArray(value))
    return value
      .map((item) => cellText(item, { ...column.items, type: column.items?.type }, dates))
      .join(', ')
  if (typeof value !== 'object') return String(value)
  return isShape(column) ? wkt(value as Geometry) : JSON.stringify(value)
}

/** The coordinates of a point, for tools without well-known text; undefined for anything else. */
export function getCoordinates(
  value: unknown,
): [longitude: number | undefined, latitude: number | undefined] {
  const [longitude, latitude] = (value as { coordinates?: number[] } | null | undefined)?.coordinates ?? []
  return [longitude, latitude]
}

/** The heads of the columns; a point has two more, for its longitude and latitude. */
export function heads(columns: { head: string; type: string | undefined }[]): string[] {
  return columns.flatMap(({ head, type }) =>
    type === 'point' ? [head, `${head}.longitude`, `${head}.latitude`] : [head],
  )
}
