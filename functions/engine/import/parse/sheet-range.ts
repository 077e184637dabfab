import { UnreadableError } from '../row.ts'
import { columnName, columnNumber, type CellValue, type SheetRow } from './excel-sheet.ts'

/** A part of a sheet. Without a last row it ends before the first empty one. Columns from 0, rows from 1. */
interface SheetRange {
  text: string
  firstColumn: number
  lastColumn: number
  firstRow: number
  lastRow: number | null
}

/** A selected sheet, whole or in part. */
export interface ChosenSheet<S> {
  sheet: S
  range: SheetRange | null
}

/** The visible sheets, then the hidden ones. */
export const visibleFirst = <S extends { isHidden: boolean }>(sheets: readonly S[]): S[] => [
  ...sheets.filter(({ isHidden }) => !isHidden),
  ...sheets.filter(({ isHidden }) => isHidden),
]

/** Parses a range of spreadsheets: `A3:F20`, or `A3:F` to the first empty row. Null if it is invalid. */
function rangeIn(text: string): SheetRange | null {
  const match = /^\$?([a-z]{1,3})\$?([1-9]\d{0,6}):\$?([a-z]{1,3})(?:\$?([1-9]\d{0,6}))?$/i.exec(text.trim())
  if (!match) return null
  const [, from = '', row = '', to = '', last] = match
  const range = {
    text: text.trim().toUpperCase(),
    firstColumn: columnNumber(from.toUpperCase()),
    lastColumn: columnNumber(to.toUpperCase()),
    firstRow: Number(row),
    lastRow: last === undefined ? null : Number(last),
  }
  const isOrdered =
    range.firstColumn <= range.lastColumn && (range.lastRow === null || range.firstRow <= range.lastRow)
  return isOrdered ? range : null
}

/** Returns the selector of a part of a sheet. Columns from 0. */
export const rangeSelector = (sheet: string, first: [number, number], lastColumn: number, lastRow = '') =>
  `${sheet}!${columnName(first[0])}${first[1]}:${columnName(lastColumn)}${lastRow}`

/**
 * Returns the selected sheets, whole or in part; all without a selector. Unreadable if one does not exist.
 */
export function pickSheets<S extends { name: string }>(
  sheets: readonly S[],
  selectors: string[],
): ChosenSheet<S>[] {
  const names = sheets.map(({ name }) => `"${name}"`).join(', ')
  if (!sheets.length) throw new UnreadableError('The workbook has no sheets.')
  if (!selectors.length || selectors.includes('*')) return sheets.map((sheet) => ({ sheet, range: null }))
  const choices = selectors.map((selector): ChosenSheet<S> => {
    const namedSheet = sheets.find(({ name }) => name === selector)
    if (namedSheet) return { sheet: namedSheet, range: null }
    const at = selector.lastIndexOf('!')
    const range = at > 0 ? rangeIn(selector.slice(at + 1)) : null
    const name = range ? selector.slice(0, at) : selector
    const bare = name.replace(/^'(.*)'$/s, '$1').replaceAll("''", "'")
    const sheet = sheets.find((each) => each.name === name) ?? sheets.find((each) => each.name === bare)
    if (!sheet) throw new UnreadableError(`The workbook has no sheet "${name}": it has ${names}.`)
    return { sheet, range }
  })
  return sheets.flatMap((sheet) => choices.filter((each) => each.sheet === sheet))
}

/** Returns the cells of a row in order, from the first column of the range. */
export function gridCells({ cells }: SheetRow, range: SheetRange | null): CellValue[] {
  const first = range?.firstColumn ?? 0
  const length = Math.max(0, Math.max(-1, ...cells.keys()) - first + 1)
  return Array.from({ length }, (_, i) => cells.get(first + i) ?? null)
}

/** Cuts the rows of a sheet to a range. */
export class RangeReader {
  private last: number | null = null
  private hasEnded = false

  constructor(private range: SheetRange | null) {}

  /** Returns the row with the cells within the range; null if there are none, or the range has ended. */
  narrow(row: SheetRow): SheetRow | null {
    const { range } = this
    if (!range) return row
    if (this.hasEnded || row.number < range.firstRow) return null
    if (range.lastRow !== null && row.number > range.lastRow) return this.stop()
    const isIn = (column: number) => column >= range.firstColumn && column <= range.lastColumn
    const cells = new Map([...row.cells].filter(([column]) => isIn(column)))
    const faults = row.faults.filter(({ column }) => isIn(column))
    const isEmpty = cells.size === 0 && faults.length === 0
    const isBehindGap = this.last !== null && (isEmpty || row.number > this.last + 1)
    if (range.lastRow === null && isBehindGap) return this.stop()
    if (isEmpty) return null
    this.last = row.number
    return { ...row, cells, faults }
  }

  /** Whether no row was within it. */
  get isEmpty(): boolean {
    return this.last === null
  }

  private stop(): null {
    this.hasEnded = true
    return null
  }
}
