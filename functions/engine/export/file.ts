import { getOwnProperty } from '#functions/shapes/fields/plain.ts'
import type { Field, Precision } from '#functions/shapes/field.ts'
import { geometryTypes } from '#functions/shapes/field.ts'
import type { Extent } from '#functions/shapes/fields/extent.ts'
import type { Geometry } from '#functions/shapes/fields/geometry.ts'

/** A record on its way into a file. `id` and `geometry` are null for rows of an answer. */
export interface FileRow {
  id: string | null
  data: Record<string, unknown>
  geometry: Geometry | null
}

/** A column of a file. `field`: its field in the data type; undefined for the columns of an answer. */
export interface FileColumn {
  key: string
  name: string
  type: string | undefined
  /** Only of dates: calendar dates are `YYYY-MM-DD` in the rows and have no zone. */
  precision?: Precision
  items?: { type: string; precision?: Precision }
  /** Only of dates of an answer that were cut down to spans of time: to which. */
  bucket?: string
  field?: Field
}

/** The metadata of a file: the origin and the version of its rows. */
export interface FileAbout {
  /** For names of files inside of a file: letters, digits, dashes. */
  id: string
  title: string
  description: string
  licence: string | null
  /** The address of a licence that is not on the list. */
  licenceUrl: string | null
  attribution: string | null
  attributionUrl: string | null
  /** Null: the organization itself. */
  publisher: string | null
  publisherUrl: string | null
  contactName: string | null
  /** An email or web address. */
  contact: string | null
  /** Keywords. */
  keywords: string[]
  /** The data version; of several sources `id=version`, separated by commas. */
  version: string
  /** The last change of the data, as ISO text; null before the first data. */
  updatedAt: string | null
}

/** The format of a line in a text file. */
export type LineKind = 'csv' | 'tsv' | 'json' | 'feature'

/**
 * The geometries of rows. `fields`: those of the fields. `exact`: only the record's own. `map`: the same with 7 decimals
 * (1 cm), and outer rings counterclockwise (RFC 7946, 3.1.6).
 */
export type Shapes = 'fields' | 'exact' | 'map'

/** The rows of a file. An iteration returns all rows in order or throws; several are possible. */
export interface FileSource {
  about: FileAbout
  columns: FileColumn[]
  count: number
  /** The extent of the rows' geometries; null where that is unknown before they are read. */
  extent: Extent | null
  pages(shapes: Shapes): AsyncIterable<FileRow[]>
  /**
   * Pages of formatted lines with `separator` between them, where the database can format them faster than rows; else
   * null. `timeZone`: for instants in CSV and TSV.
   */
  lines(kind: LineKind, separator: string, timeZone: string): AsyncIterable<string> | null
}

/**
 * `names`: headers are display names; `excel`: possible formulas are escaped; `timeZone`: for instants in formats for
 * people. JSON and Parquet use UTC.
 */
export interface FileOptions {
  names: boolean
  bom: boolean
  excel: boolean
  timeZone: string
}

/** Writes a file in chunks. Nothing is read before the first chunk is requested. */
export type FileWriter = (source: FileSource, options: FileOptions) => AsyncIterable<Uint8Array | string>

/** The format cannot represent these rows; thrown before the first chunk. */
export class UnfitRowsError extends Error {}

const shapes: readonly string[] = [...geometryTypes, 'geometry']

/** Whether the values of a column are GeoJSON geometries. */
export function isShape({ type }: Pick<FileColumn, 'type'>): boolean {
  return type !== undefined && shapes.includes(type)
}

/** The columns that are no geometries. */
export function omitGeometryColumns(columns: FileColumn[]): FileColumn[] {
  return columns.filter((column) => !isShape(column))
}

/** The geometry of a row: the record's own; for a row of an answer the first one. Null without any. */
export function findRowGeometry({ id, data, geometry }: FileRow, columns: FileColumn[]): Geometry | null {
  if (geometry !== null || id !== null) return geometry
  const match = columns.find((column) => isShape(column) && getOwnProperty(data, column.key))
  return match ? (getOwnProperty(data, match.key) as Geometry) : null
}
