import type { FieldSchema, FieldType } from '#functions/shapes/field.ts'
import type { ColumnReadings } from '#functions/shapes/importer-columns.ts'
import type { Mapping } from '#functions/shapes/importer-mapping.ts'
import type { ArchiveFormat } from '#functions/engine/import/parse/archive-inspector.ts'
import type { LeftOutKind } from '#functions/shapes/parser/parser.ts'

/** Why a field is proposed as it is. `parsed` of `values` fit. */
export interface Evidence {
  key: string
  paths: string[]
  type: FieldType
  values: number
  parsed: number
  reason: string
  notes: string[]
  failing: { row: number; value: string }[]
  /** Words for missing values: always recognized (`usual`), proposed (`chosen`), or only on request (`offered`). */
  missing: { word: string; count: number; how: 'usual' | 'chosen' | 'offered' }[]
}

/** The data type proposed for the data, with its mapping. */
export interface Guess {
  schema: FieldSchema
  temporal: { primary: string } | null
  mapping: Mapping
  columns: ColumnReadings
  id: string | null
  fields: Evidence[]
}

/** Statistics of a column in the first rows. */
export interface SeenColumn {
  path: string
  values: number
  missing: number
  distinct: number
  examples: string[]
  types: Record<string, number>
}

/**
 * A possible location of rows in a file, with their number and first keys; not `isWhole`: counted in the beginning only. For a sheet
 * or table of a workbook `isHidden` says whether the sheet is hidden.
 */
export interface SeenList {
  selector: string
  rows: number
  keys: string[]
  isWhole: boolean
  isHidden?: boolean
}

/** A row that seems not to be a record. `label`: its first text, '' for a number. */
export interface LeftOutRow {
  line: number
  kind: LeftOutKind
  label: string
  cells: string[]
}

/**
 * The first rows of a file as cells, and the detected header; `isFirst`: it is the default. `leftOut`: rows below that seem not to be
 * records.
 */
export interface Grid {
  rows: { line: number; cells: string[] }[]
  head: [number, number] | null
  isFirst: boolean
  leftOut: LeftOutRow[]
}

/** The result of a trial read, as used by screens. */
export interface TrialResult {
  rows: {
    input: unknown
    output: unknown
    errors: { field?: string | null; message?: string }[]
    noPlaces?: { field: string; kind: 'ambiguous' | 'unknown'; message: string }[]
  }[]
  selectors: string[]
  lists: SeenList[]
  /** One per source; null if no header can be chosen. */
  grids: (Grid | null)[]
  /** One per source: the formats in which a zip archive can be read, best first; null if it is none. */
  archives: (ArchiveFormat[] | null)[]
  paths: SeenColumn[]
  guess: Guess
  notices: { level: 'info' | 'warn'; message: string }[]
  error?: string
}

/** Parses the result of `importers/test` or `sources/test`. */
export function toTrialResult(answer: unknown): TrialResult {
  const { schemaGuess, ...rest } = answer as Omit<TrialResult, 'guess'> & { schemaGuess: Guess }
  return { ...rest, guess: schemaGuess }
}

/** A value as one line of text, a point as longitude and latitude; '' if missing, truncated if long. */
export function formatShortValue(value: unknown, most = 80): string {
  if (value === null || value === undefined) return ''
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown }
  if (type === 'Point' && Array.isArray(coordinates)) return coordinates.join(', ')
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > most ? `${text.slice(0, most)}…` : text
}
