/** The position of a row in its source, as far as the format has one; shown to people. */
export interface Place {
  /** From 1, over all rows of one request. */
  row: number
  /** For text: the first line of the row, from 1. */
  line?: number
  /** The file within an archive. */
  entry?: string
  /** The sheet of a workbook. */
  sheet?: string
}

/** A row as returned by a parser: an object of texts by header, a JSON value, a feature. */
export interface SourceRow {
  at: Place
  value: unknown
}

/** An issue of a row, or of a part of the source that could not be parsed. */
export interface Reject {
  at: Place
  /** The field of the record, or the column of the source where there is none yet; null: the row as a whole. */
  field: string | null
  /** A sentence. */
  message: string
  /** The value at that place, at most 200 characters of it. */
  value?: string
  /** The points of a geometry that was left out because it has too many. */
  points?: number
  /** The row is imported without this value. */
  isTaken?: boolean
}

/** A decision made while reading, with its evidence: an encoding, a delimiter, a repeated header. */
export interface Notice {
  level: 'info' | 'warn'
  message: string
}

/** Consecutive rows of a source. Every row is either in `rows` or in `rejects`. */
export interface Batch {
  rows: SourceRow[]
  rejects: Reject[]
  notices: Notice[]
  /** The position after this batch, to be passed back unchanged to the same parser. */
  cursor: Cursor
}

/** The position of a parser. Plain JSON: it is stored between the steps of a run. */
export interface Cursor {
  /** Rows read so far, good and bad. */
  rows: number
  /** The byte from which the parser can continue; null: it has to read from the beginning and skip `rows`. */
  byte: number | null
  /** Further state of the parser: header, encoding, delimiter, line. */
  state?: Record<string, unknown>
}

/** A fatal error of a source, with a sentence for people: nothing after it can be read. */
export class UnreadableError extends Error {
  override name = 'UnreadableError'
}

/** A readable source without anything at its selectors. */
export class NothingSelectedError extends UnreadableError {
  override name = 'NothingSelectedError'
}

/** Batches that end, instead of throwing, where nothing is selected: after the last page some servers return a response without a list. */
export async function* endWhereNothingSelected(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  try {
    yield* batches
  } catch (error) {
    if (!(error instanceof NothingSelectedError)) throw error
  }
}
