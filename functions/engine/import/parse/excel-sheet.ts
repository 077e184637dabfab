import { UnreadableError } from '../row.ts'
import { formatByteCount, type ReadLimits } from './caps.ts'
import type { Book, PartEvents } from './excel-book.ts'
import { dateText } from './excel-dates.ts'

export type CellValue = string | number | boolean | null

/** A row of a sheet: values by column (from 0), and issues of cells. */
export interface SheetRow {
  number: number
  cells: Map<number, CellValue>
  faults: { column: number; message: string; value?: string }[]
}

/** Column 0 is A, 26 is AA. */
export function columnName(column: number): string {
  const rest = Math.floor(column / 26)
  return (rest ? columnName(rest - 1) : '') + String.fromCharCode(65 + (column % 26))
}

/** The column of letters: A is 0, AA is 26. */
export const columnNumber = (letters: string) =>
  [...letters].reduce((sum, char) => sum * 26 + char.charCodeAt(0) - 64, 0) - 1

/** Parses the non-empty rows of a sheet. Formulas are represented by their cached values. */
export function sheetEvents(book: Book, caps: ReadLimits, onRow: (row: SheetRow) => void): PartEvents {
  let row: SheetRow = { number: 0, cells: new Map(), faults: [] }
  let column = -1
  let type = ''
  let style = 0
  let text = ''
  let hasFormula = false
  let takes = false
  let isPhonetic = false

  function addCell() {
    // A cell may be repeated in the file, so the issues of a row are limited.
    if (row.faults.length >= caps.columns) return
    if (text.length > caps.cell) {
      const message = `The cell is longer than ${formatByteCount(caps.cell)}.`
      return row.faults.push({ column, message, value: text.slice(0, 200) })
    }
    const value = cellValue(type, text, style, hasFormula, book)
    if (typeof value === 'object' && value !== null)
      row.faults.push({ column, message: value.fault, value: text.slice(0, 200) })
    else if (value !== null && value !== '') row.cells.set(column, value)
  }

  return {
    open(name, attributes) {
      if (name === 'row') {
        row = { number: Number(attributes.r ?? row.number + 1), cells: new Map(), faults: [] }
        column = -1
      } else if (name === 'c') {
        column = parseColumnNumber(attributes.r) ?? column + 1
        if (column >= caps.columns)
          throw new UnreadableError(`The sheet has more than ${caps.columns} columns.`)
        type = attributes.t ?? 'n'
        style = Number(attributes.s ?? 0)
        text = ''
        hasFormula = false
      } else if (name === 'f') hasFormula = true
      else if (name === 'rPh') isPhonetic = true
      takes = name === 'v' || (name === 't' && !isPhonetic)
    },
    text(part) {
      if (takes && text.length <= caps.cell) text += part
    },
    close(name) {
      takes = false
      if (name === 'rPh') isPhonetic = false
      if (name === 'c') addCell()
      if (name === 'row' && (row.cells.size || row.faults.length)) onRow(row)
    },
  }
}

function cellValue(
  type: string,
  text: string,
  style: number,
  hasFormula: boolean,
  { strings, styles, is1904 }: Book,
): CellValue | { fault: string } {
  // An empty reference to a shared string: Number('') would be 0, the text of another cell.
  if (type === 's' && text.trim() === '') return null
  if (type === 's')
    return strings.get(Number(text)) ?? { fault: 'The cell refers to a text that is not there.' }
  if (type === 'e') return { fault: `The cell shows the error ${text}.` }
  if (type === 'str' || type === 'inlineStr') return unescapeText(text)
  if (text === '')
    return hasFormula ? { fault: 'The formula has no value that was kept: save it from Excel.' } : null
  if (type === 'b') return text === '1' || text === 'true'
  if (type === 'd') return text
  const number = Number(text)
  if (!Number.isFinite(number)) return { fault: 'The cell is not a number.' }
  if (Number.isInteger(number) && !Number.isSafeInteger(number) && /^-?\d+$/.test(text)) return text
  const format = styles[style]
  return format ? (dateText(number, format, is1904) ?? { fault: 'The number is not a date.' }) : number
}

/** A text as displayed by Excel: characters that XML cannot represent are escaped as `_x000D_`. */
export const unescapeText = (text: string) => text.replace(/_x([0-9A-Fa-f]{4})_/g, unescape)

function unescape(_: string, code: string): string {
  const unit = Number.parseInt(code, 16)
  return unit === 0 ? '' : String.fromCharCode(unit)
}

function parseColumnNumber(reference?: string): number | null {
  const letters = /^[A-Z]+/.exec(reference ?? '')?.[0]
  return letters ? columnNumber(letters) : null
}
