import type { FieldSchema, FieldType } from '#functions/shapes/field.ts'
import type { ColumnReadings } from '#functions/shapes/importerColumns.ts'
import type { Mapping } from '#functions/shapes/importerMapping.ts'
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
  /** Texts that stand for no value: always (`usual`), as proposed, or only if a person says so (`offered`). */
  missing: { word: string; count: number; how: 'usual' | 'chosen' | 'offered' }[]
}

/** The data type that is proposed for what was read, with the mapping to it. */
export interface Guess {
  schema: FieldSchema
  temporal: { primary: string } | null
  mapping: Mapping
  columns: ColumnReadings
  id: string | null
  fields: Evidence[]
}

/** What is known of a column of the first rows. */
export interface SeenColumn {
  path: string
  values: number
  missing: number
  distinct: number
  examples: string[]
  types: Record<string, number>
}

/**
 * Where rows may be in a file, with how many and the first keys of theirs; not `isWhole`: counted in its beginning. Of a sheet of a
 * workbook, or a table of one, `isHidden` says whether the sheet is.
 */
export interface SeenList {
  selector: string
  rows: number
  keys: string[]
  isWhole: boolean
  isHidden?: boolean
}

/** A row of a file that seems to be no record. `label`: what stands first in it, '' where that is a number. */
export interface LeftOutRow {
  line: number
  kind: LeftOutKind
  label: string
  cells: string[]
}

/**
 * The first rows of a file as they stand there, and what seems to be their header; `isFirst`: what is read anyway. `leftOut`: rows below
 * that seem to be no records.
 */
export interface Grid {
  rows: { line: number; cells: string[] }[]
  head: [number, number] | null
  isFirst: boolean
  leftOut: LeftOutRow[]
}

/** What trying a source gave, as its screens read it. */
export interface TrialResult {
  rows: {
    input: unknown
    output: unknown
    errors: { field?: string | null; message?: string }[]
    noPlaces?: { field: string; kind: 'ambiguous' | 'unknown'; message: string }[]
  }[]
  selectors: string[]
  lists: SeenList[]
  /** Of each source; null where no header can be chosen. */
  grids: (Grid | null)[]
  paths: SeenColumn[]
  guess: Guess
  notices: { level: 'info' | 'warn'; message: string }[]
  error?: string
}

/** Reads the answer of `importers/test` or `sources/test`. */
export function triedOf(answer: unknown): TrialResult {
  const { schemaGuess, ...rest } = answer as Omit<TrialResult, 'guess'> & { schemaGuess: Guess }
  return { ...rest, guess: schemaGuess }
}

/** A value of a row as one line of text, a point as longitude and latitude; nothing for what is missing, long ones are cut. */
export function shownValue(value: unknown, most = 80): string {
  if (value === null || value === undefined) return ''
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown }
  if (type === 'Point' && Array.isArray(coordinates)) return coordinates.join(', ')
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > most ? `${text.slice(0, most)}…` : text
}
