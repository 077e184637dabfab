import type { ParserName } from '#functions/shapes/parser/index.ts'
import type { LeftOutKind } from '#functions/shapes/parser/parser.ts'
import type { Batch, Cursor } from '../row.ts'
import type { AutoFormat } from './autoFormat.ts'
import type { Ranges } from './ranges.ts'
import type { Caps } from './caps.ts'
import type { Grid, HeadRows } from './findHead.ts'

/** A parser's options as `shapes/importerParsers.ts` lets them in. */
export interface ReadingOptions {
  autoFormat?: AutoFormat
  zip?: boolean
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
  caps: Caps
  batchRows: number
  from?: Cursor
  /** Positions of GeoJSON have latitude before longitude. */
  isSwapped?: boolean
  /** What the server said it sent. */
  contentType?: string
  /** The same source by ranges: archives are then read where they lie and not held in memory. */
  ranges?: Ranges
}

/** Reads one format. Ends with an `Unreadable` where nothing more can be read, after the rows before that. */
export type Reader = (reading: ParsedSource) => AsyncGenerator<Batch>

/** Finds the selectors of a source that lead to rows. */
export type SelectorFinder = (reading: ParsedSource) => Promise<string[]>

/**
 * Shows the first rows of a source as they stand there, with the head among them, and those that seem to be no records; null where there
 * is no table. `isCut`: the source goes on behind what is there.
 */
export type GridReader = (reading: ParsedSource, isCut: boolean) => Promise<Grid | null>

/** The selectors of the options as a list; empty when there are none. */
export function selectorsIn({ selector }: ReadingOptions): string[] {
  return selector === undefined ? [] : [selector].flat()
}
