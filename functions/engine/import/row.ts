/** Where a row stands in what was read, as far as its format has such places; for people who look for it there. */
export interface Place {
  /** From 1, over all rows of one request. */
  row: number
  /** Of text: the line it begins in, from 1. */
  line?: number
  /** The file within an archive. */
  entry?: string
  /** The sheet of a workbook. */
  sheet?: string
}

/** A row as a parser gives it: an object of text by header, a value of JSON, a feature. */
export interface SourceRow {
  at: Place
  value: unknown
}

/** A row that is not let in, or a part of the source that could not be read as one. */
export interface Reject {
  at: Place
  /** The field of the record, or the column of the source where there is none yet; null: the row as a whole. */
  field: string | null
  /** A sentence. */
  message: string
  /** What stood there, at most 200 characters of it. */
  value?: string
  /** The row is let in all the same, without this value. */
  isTaken?: boolean
}

/** Something decided while reading, with what spoke for it: an encoding, a delimiter, a header that came twice. */
export interface Notice {
  level: 'info' | 'warn'
  message: string
}

/** Some rows in the order of the source. Every row read is in `rows` or in `rejects`, never in neither. */
export interface Batch {
  rows: SourceRow[]
  rejects: Reject[]
  notices: Notice[]
  /** Where to go on after this batch: given back as it is to the parser that made it. */
  cursor: Cursor
}

/** Where a parser was. Plain JSON: it is kept between the steps of a run. */
export interface Cursor {
  /** Rows read so far, good and bad. */
  rows: number
  /** The byte from which the parser can go on by itself; null: it needs all from the beginning and skips `rows`. */
  byte: number | null
  /** What the parser must know besides: header, encoding, delimiter, line. */
  state?: Record<string, unknown>
}

/** What is wrong with a source as a whole: nothing more can be read of it. A sentence for people. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

/** A source that can be read, but has nothing where its selectors look. */
export class NothingSelected extends Unreadable {
  override name = 'NothingSelected'
}
