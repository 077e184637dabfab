import type { ParserName } from '#functions/shapes/parser/index.ts'
import type { ParseSettings } from '../index.ts'
import type { ReadingOptions } from '../reading.ts'

/** One source with what is wrong in it. */
export interface Nasty {
  /** What is nasty about it. */
  is: string
  parser: ParserName
  source: string | Uint8Array | AsyncIterable<Uint8Array>
  options?: ReadingOptions
  settings?: ParseSettings
  /** The good rows, as they must come out; a number where only how many matters. */
  good: unknown[] | number
  /** The faults seeded, each with its row and column (null: the row as a whole). */
  faults?: { row: number; field: string | null; line?: number; says?: RegExp }[]
  /** What must have been said. */
  notice?: RegExp
  /** The source is refused, at once or after the good rows. */
  refused?: RegExp
}

/** Rows of a table whose columns are a and b. */
export const ab = (...rows: [string, string][]) => rows.map(([a, b]) => ({ a, b }))
