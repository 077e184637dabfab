import type { ParserName } from '#functions/shapes/parser/index.ts'
import type { LeftOutKind } from '#functions/shapes/parser/parser.ts'
import type { Batch, Cursor } from '../row.ts'
import type { AutoFormat } from './auto-format.ts'
import type { Ranges } from './ranges.ts'
import type { ReadLimits } from './caps.ts'
import type { Grid, HeadRows } from './find-head.ts'

/** A parser's options as validated by `shapes/importer-parsers.ts`. */
export interface ReadingOptions {
  autoFormat?: AutoFormat
  zip?: boolean
  /** The only file of the archive to read, by its name there. */
  file?: string
  strict?: boolean
  selector?: string | string[]
  headerRows?: HeadRows
  leaveOut?: LeftOutKind[]
  takeIn?: string[]
}

/** One source being read. */
export interface ParsedSource {
  name: ParserName
  bytes: AsyncIterable<Uint8Array>
  options: ReadingOptions
  caps: ReadLimits
  batchRows: number
  from?: Cursor
  /** Positions of features have latitude before longitude, or northing before easting. */
  isSwapped?: boolean
  /** Rings may be open or too short, and geometries collections: whoever reads areas repairs them. */
  isLoose?: boolean
  /** The declared content type. */
  contentType?: string
  /** Random access to the same source: archives are then not held in memory. */
  ranges?: Ranges
}

/** Reads one format. Throws an `UnreadableError` after the last readable row. */
export type Reader = (reading: ParsedSource) => AsyncGenerator<Batch>

/** Finds the selectors of a source that lead to rows. */
export type SelectorFinder = (reading: ParsedSource) => Promise<string[]>

/**
 * The first raw rows of a source, including its header and rows that do not look like records; null without a table.
 * `isCut`: the source is truncated.
 */
export type GridReader = (reading: ParsedSource, isCut: boolean) => Promise<Grid | null>

/** The selectors of the options as a list; empty when there are none. */
export function selectorsIn({ selector }: ReadingOptions): string[] {
  return selector === undefined ? [] : [selector].flat()
}
