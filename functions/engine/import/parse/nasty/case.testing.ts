import type { ParserName } from '#functions/shapes/parser/index.ts'
import type { ParseSettings } from '../index.ts'
import type { ReadingOptions } from '../reading.ts'

/** A source with its seeded faults. */
export interface FaultyCase {
  /** The description of the fault. */
  is: string
  parser: ParserName
  source: string | Uint8Array | AsyncIterable<Uint8Array>
  options?: ReadingOptions
  settings?: ParseSettings
  /** The expected good rows; a number if only their count matters. */
  good: unknown[] | number
  /** The seeded faults, each with its row and column (null: the row as a whole). */
  faults?: { row: number; field: string | null; line?: number; says?: RegExp }[]
  /** An expected notice. */
  notice?: RegExp
  /** The expected fatal error, at once or after the good rows. */
  refusal?: RegExp
}

/** Rows of a table whose columns are a and b. */
export const ab = (...rows: [string, string][]) => rows.map(([a, b]) => ({ a, b }))
