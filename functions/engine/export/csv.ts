import { getOwnProperty } from '#functions/shapes/fields/plain.ts'
import type { Precision } from '#functions/shapes/field.ts'
import { cellText, getCoordinates, heads } from './cell.ts'
import { type FileColumn, type FileOptions, type FileSource, type LineKind } from './file.ts'
import { lineTexts } from './lines.ts'
import { spanText } from './spans.ts'
import { createClock, type Clock } from './zone.ts'

interface CsvColumn {
  key: string
  head: string
  type: string | undefined
  precision?: Precision
  items?: { type: string; precision?: Precision }
  bucket?: string
}

/**
 * The header of the columns; a point has two more, for its longitude and latitude. `isForExcel`: possible formulas are
 * prefixed with an apostrophe.
 */
export function csvHead(columns: CsvColumn[], isForExcel = false): string[] {
  return isForExcel ? heads(columns).map(escapeFormula) : heads(columns)
}

/** A line of CSV (RFC 4180): CRLF at its end, quotes only where needed and doubled inside. */
export function csvLine(cells: string[]): string {
  return `${join(cells, comma)}\r\n`
}

/**
 * The cells of a record. `isForExcel`: possible formulas are prefixed with an apostrophe. Instants are formatted by the
 * clock and buckets by their names; without one unchanged.
 */
export function csvCells(
  columns: CsvColumn[],
  data: Record<string, unknown>,
  isForExcel: boolean,
  clock?: Clock,
): string[] {
  return columns.flatMap((column) => {
    const value = getOwnProperty(data, column.key)
    const text =
      clock && typeof value === 'string' && column.bucket !== undefined
        ? spanText(value, { ...column, bucket: column.bucket }, clock)
        : cellText(value, column, clock?.text)
    if (column.type === 'point')
      return [text, ...getCoordinates(value).map((degrees) => String(degrees ?? ''))]
    return [isForExcel && typeof value !== 'number' ? escapeFormula(text) : text]
  })
}

/** The separator of cells, and the characters that require quotes. */
interface Dialect {
  separator: string
  end: string
  special: RegExp
}
const comma: Dialect = { separator: ',', end: '\r\n', special: /[",\r\n]/ }
const tab: Dialect = { separator: '\t', end: '\n', special: /["\t\r\n]/ }

/** A blank line would not be read as a row: the one empty cell of a row is quoted. */
function join(cells: string[], { separator, special }: Dialect): string {
  if (cells.length === 1 && cells[0] === '') return '""'
  return cells.map((text) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(separator)
}

/** Characters that start a formula, also in their full-width forms, or that make the rest be parsed as one. */
const starters = '=+\\-@\\t\\r\\0\uFF1D\uFF0B\uFF0D\uFF20'
/** Characters that spreadsheets strip from the start of a cell: spaces, line breaks, and zero-width characters. */
const dropped = '\\s\u00AD\u180E\u200B-\u200F\u2060-\u2064\uFEFF'
const formula = new RegExp(`^[${dropped}]*[${starters}]`)

/** Prefixes a possible formula with an apostrophe; other texts are returned unchanged. */
export function escapeFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text
}

/** A text as it was before `escapeFormula`. */
export function unescapeFormula(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text
}

/** A file of comma-separated values. */
export function csvFile(source: FileSource, options: FileOptions): AsyncIterable<string> {
  return separate(source, options, 'csv', comma)
}

/** A file of tab-separated values; quoted as in CSV, since texts may contain tabs and line breaks. */
export function tsvFile(source: FileSource, options: FileOptions): AsyncIterable<string> {
  return separate(source, options, 'tsv', tab)
}

async function* separate(
  source: FileSource,
  { names, bom, excel, timeZone }: FileOptions,
  kind: LineKind,
  dialect: Dialect,
): AsyncIterable<string> {
  const columns = source.columns.map((column: FileColumn) => ({
    ...column,
    head: names ? column.name : column.key,
  }))
  const heading = csvHead(columns, excel)
  yield `${bom || excel ? '\uFEFF' : ''}${join(heading, dialect)}${dialect.end}`
  const clock = createClock(timeZone)
  const line = { kind, separator: dialect.end, isPlain: !excel, timeZone }
  const texts = lineTexts(source, line, 'fields', ({ data }) =>
    join(csvCells(columns, data, excel, clock), dialect),
  )
  for await (const text of texts) yield text + dialect.end
}
