/** How far values are made out of text: by value, with keys in camelCase, with geometry from columns. */
export const autoFormats = ['simple', 'aggressive', 'extreme'] as const

/** Rows of a table that are no records: notes and sources below it; totals and subtotals. */
export const leftOutKinds = ['notes', 'totals'] as const
export type LeftOutKind = (typeof leftOutKinds)[number]

/** The options that parsers have; `optionTable` (`../importerParsers.ts`) has their shapes. */
export type ParserOption = 'autoFormat' | 'zip' | 'strict' | 'selector' | 'headerRows' | 'leaveOut' | 'takeIn'

/** A format that can be read, without what reads it. */
export interface Parser {
  label: string
  notes: string
  options: readonly ParserOption[]
  /** Options without which it cannot read. */
  required?: readonly ParserOption[]
  /** Whether rows are features: an object of GeoJSON each. */
  features?: boolean
  /** The endings of names and addresses that mean it, without the dot. No other format has one of them. */
  endings: readonly string[]
  /**
   * What a source of it begins with: `table` and `text` are text, `elements` text with a "<" in front, `page` may be anything that
   * browsers read. An `archive` can be read whole or not at all.
   */
  content: 'table' | 'text' | 'elements' | 'page' | 'bytes' | 'archive'
  /** The names of the files that it reads in a zip archive; null: it reads no archives of such files. */
  zipped: RegExp | null
}
