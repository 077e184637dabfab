/** Limits of a reading. Lengths are in bytes of the source or, for text, in UTF-16 units. */
export interface ReadLimits {
  /** The size of a file of a format that is not read from its beginning to its end, such as an archive. */
  file: number
  /** The unpacked size of everything read from an archive, counted while unpacking. */
  unpacked: number
  entries: number
  /** The maximum ratio of unpacked to packed size of an entry, checked after its first megabyte. */
  ratio: number
  /** A cell of a table. */
  cell: number
  /** A record of CSV, which an unclosed quote could extend. */
  record: number
  columns: number
  /** A row of JSON or XML, as text. */
  row: number
  /** A text within such a row. */
  text: number
  depth: number
  /**
   * Lists, objects and members of a row, or elements, attributes and texts of one of XML: each takes far more
   * memory than its text.
   */
  members: number
  /** Points of a geometry. */
  points: number
  /** Lines or rings of a shape. */
  parts: number
  /** The shared strings of a workbook, the points of the shapes of a timetable: what must be in memory at once. */
  held: number
  /** The size of a block that is read at a time. */
  block: number
}

const kB = 1024
const MB = 1024 * kB

export const defaultCaps: ReadLimits = {
  file: 100_000_000,
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

/** The most collections of geometries that may be nested in each other, and the issue of one that is deeper. */
export const deepestCollection = 20
export const tooDeepCollection = `Collections are nested deeper than ${deepestCollection} levels.`

/** The issue of a geometry with too many points, and their number. */
export const createPointLimitIssue = (points: number, most: number) => ({
  message: `The geometry has ${points.toLocaleString('en')} points; it may have ${most.toLocaleString('en')}.`,
  points,
})

/** The beginning of a text as a copy: a substring would keep the whole text in memory. */
export function copyBeginning(text: string, length: number): string {
  return text.slice(0, length).split('').join('')
}

/** Formats a number of bytes: `1 MB`, `256 kB`, `12 bytes`. */
export function formatByteCount(bytes: number): string {
  if (bytes >= MB) return `${Math.round(bytes / MB)} MB`
  return bytes >= kB ? `${Math.round(bytes / kB)} kB` : `${bytes} bytes`
}
