/** How much is inferred from text: values, keys in camelCase, geometry from columns. */
export const autoFormats = ['simple', 'aggressive', 'extreme'] as const

/** Rows of a table that are not records: notes and sources below it; totals and subtotals. */
export const leftOutKinds = ['notes', 'totals'] as const
export type LeftOutKind = (typeof leftOutKinds)[number]

/** The options of parsers; `optionTable` (`../importer-parsers.ts`) has their schemas. */
export type ParserOption =
  | 'autoFormat'
  | 'zip'
  | 'file'
  | 'strict'
  | 'selector'
  | 'headerRows'
  | 'leaveOut'
  | 'takeIn'

/** A readable format, without its parser. */
export interface Parser {
  label: string
  notes: string
  options: readonly ParserOption[]
  /** The required options. */
  required?: readonly ParserOption[]
  /** Whether rows are GeoJSON features. */
  features?: boolean
  /** Its file extensions without the dot, unique among formats. */
  endings: readonly string[]
  /**
   * How its content starts, for detection: `table` and `text` are text, `elements` is text starting with "<", `page` may be anything
   * that browsers display. An `archive` can only be read as a whole.
   */
  content: 'table' | 'text' | 'elements' | 'page' | 'bytes' | 'archive'
  /** The names of its files within a zip archive; null: zip archives are not supported. */
  zipped: RegExp | null
  /**
   * The largest file that is read, in bytes: measured within the memory of an isolate (`scripts/README.md`). Null: it is read piece
   * by piece, whatever its size.
   */
  mostBytes: number | null
  /** What to do with a file that is larger, as a sentence. */
  tooLarge: string
}
