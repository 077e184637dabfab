import { own } from '#functions/shapes/fields/plain.ts'
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

/** A column of a file. `field` is what the data type says of it; undefined for the columns of an answer. */
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

/** What a file says of itself: where its rows are from, and in which state. */
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
  /** Words to find it by. */
  keywords: string[]
  /** The data version; of several sources `id=version`, separated by commas. */
  version: string
  /** When the data was last changed, as ISO text; null when there was none yet. */
  updatedAt: string | null
}

/** What one line of a text file is made of. */
export type LineKind = 'csv' | 'tsv' | 'json' | 'feature'

/**
 * Which geometries the rows of a walk have. `fields`: those of the fields. `exact`: the one that stands for the record,
 * and none of the fields. `map`: the same with 7 decimals (1 cm), and outer rings counterclockwise (RFC 7946, 3.1.6).
 */
export type Shapes = 'fields' | 'exact' | 'map'

/** Rows for a file. A walk goes from the first row to the last and gives all of them or throws; there may be several. */
export interface FileSource {
  about: FileAbout
  columns: FileColumn[]
  count: number
  /** Around the geometries that stand for the rows; null where that is not known before they are read. */
  extent: Extent | null
  pages(shapes: Shapes): AsyncIterable<FileRow[]>
  /**
   * Pages of finished lines with `separator` between them, where something makes them faster than rows; else null.
   * `timeZone`: by whose clock CSV and TSV write instants.
   */
  lines(kind: LineKind, separator: string, timeZone: string): AsyncIterable<string> | null
}

/**
 * `names`: columns are headed by name; `excel`: text that a spreadsheet would run is defused; `timeZone`: by whose clock
 * instants are written in formats that people read. JSON and Parquet have them in UTC.
 */
export interface FileOptions {
  names: boolean
  bom: boolean
  excel: boolean
  timeZone: string
}

/** Writes a file, piece by piece. Nothing is read before the first piece is asked for. */
export type FileWriter = (source: FileSource, options: FileOptions) => AsyncIterable<Uint8Array | string>

/** A file cannot hold these rows, and why; said before its first piece. */
export class UnfitRows extends Error {}

const shapes: readonly string[] = [...geometryTypes, 'geometry']

/** Whether the values of a column are GeoJSON geometries. */
export function isShape({ type }: Pick<FileColumn, 'type'>): boolean {
  return type !== undefined && shapes.includes(type)
}

/** The columns that are no geometries. */
export function plainColumns(columns: FileColumn[]): FileColumn[] {
  return columns.filter((column) => !isShape(column))
}

/** The geometry that stands for a row: the record's own; of an answer's row the first that it has. Null without any. */
export function shapeOf({ id, data, geometry }: FileRow, columns: FileColumn[]): Geometry | null {
  if (geometry !== null || id !== null) return geometry
  const match = columns.find((column) => isShape(column) && own(data, column.key))
  return match ? (own(data, match.key) as Geometry) : null
}
