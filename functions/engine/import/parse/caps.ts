/** What a reading may cost at most. Lengths are in bytes of the source or, of text, in UTF-16 units. */
export interface Caps {
  /** An archive as it comes. */
  zipped: number
  /** All that is taken out of an archive, counted while it is unpacked. */
  unpacked: number
  entries: number
  /** Unpacked to packed, of one entry, once a megabyte of it is out. */
  ratio: number
  /** A cell of a table. */
  cell: number
  /** A record of CSV: what an open quote can swallow. */
  record: number
  columns: number
  /** A row of JSON or XML, as text. */
  row: number
  /** A text within such a row. */
  text: number
  depth: number
  /** Lists, objects and members of a row, or elements, attributes and texts of one of XML: each costs far more than it is long. */
  members: number
  /** Points of a geometry. */
  points: number
  /** Lines or rings of a shape. */
  parts: number
  /** The shared strings of a workbook, the points of the shapes of a timetable: what must be held at once. */
  held: number
  /** How much is read at a time. */
  block: number
}

const kB = 1024
const MB = 1024 * kB

export const defaultCaps: Caps = {
  zipped: 100 * MB,
  unpacked: 1024 * MB,
  entries: 10_000,
  ratio: 200,
  cell: 256 * kB,
  record: MB,
  columns: 2000,
  row: 16 * MB,
  text: MB,
  depth: 100,
  members: 500_000,
  points: 500_000,
  parts: 50_000,
  held: 32 * MB,
  block: 64 * kB,
}

/** The beginning of a text by itself: what is only cut off keeps all of the text in memory. */
export function beginningOf(text: string, length: number): string {
  return text.slice(0, length).split('').join('')
}

/** A number of bytes as people write it: `1 MB`, `256 kB`, `12 bytes`. */
export function bytesText(bytes: number): string {
  if (bytes >= MB) return `${Math.round(bytes / MB)} MB`
  return bytes >= kB ? `${Math.round(bytes / kB)} kB` : `${bytes} bytes`
}
