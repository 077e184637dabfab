import type { LeftOutRow } from './left-out.ts'

/** The first and the last row of a table's header, by their numbers in the file. */
export type HeadRows = [first: number, last: number]

/** A raw row: `line` is its line of text or its row in a sheet, from 1. */
export interface GridRow {
  line: number
  cells: string[]
}

/** The first raw rows of a file, and the detected header; null where it is ambiguous. */
export interface Grid {
  rows: GridRow[]
  head: HeadRows | null
  /** The header is the first non-empty row, the default of readers. */
  isFirst: boolean
  /** The first rows below that seem to be notes or totals. */
  leftOut: LeftOutRow[]
}

/** The first rows and their header, without the rows left out below. */
type HeadGrid = Omit<Grid, 'leftOut'>

/** The number of rows that are searched for the header. */
export const gridRows = 50
const maxHeadRows = 3

const isFilled = (cell: string) => cell.trim() !== ''
const countFilledCells = ({ cells }: GridRow) => cells.filter(isFilled).length
const isWord = (cell: string) => /\p{L}/u.test(cell) && !/^\s*(?:true|false|n\/?a|null|nan)\s*$/i.test(cell)

/**
 * Finds the header: the first row that is about as wide as most rows after it. Rows above it that are at most half as
 * wide are titles and notes. One directly above it with gaps, as merged cells leave them, belongs to the header where
 * the row below has words above values.
 */
export function findHead(all: GridRow[]): HeadGrid {
  const rows = all.slice(0, gridRows).filter((row) => countFilledCells(row) > 0)
  const wide = rows.findIndex((row, i) => i + 1 < rows.length && isWide(row, rows.slice(i + 1)))
  const at = findCompleteRowBelow(rows, wide) ?? wide
  const pairAt = rows.findIndex((_, i) => isPair(rows, i))
  const grid =
    pairAt !== -1 && (at === -1 || pairAt < at) ? headAt(rows, pairAt, pairAt + 1) : headAt(rows, at, at)
  return { rows: all.slice(0, gridRows), ...grid }
}

function headAt(rows: GridRow[], from: number, to: number): Pick<Grid, 'head' | 'isFirst'> {
  const typical = computeMedian(rows.slice(to + 1).map(countFilledCells))
  if (to < 0 || typical < 2) return { head: null, isFirst: true }
  let first = from
  while (to - first + 1 < maxHeadRows && isPartAbove(rows, first, to)) first--
  // More rows with gaps than a header may have are a note that spans several columns.
  const isNote = to - first + 1 === maxHeadRows && isPartAbove(rows, first, to)
  if (isNote) first = to
  // A row above that is nearly as wide is not a title: what it is, is left to the person.
  const isClear = isNote || rows.slice(0, first).every((row) => countFilledCells(row) * 2 <= typical)
  const begin = rows[isClear ? first : 0] as GridRow
  const end = isClear ? (rows[to] as GridRow) : begin
  return { head: [begin.line, end.line], isFirst: begin === end && begin === rows[0] }
}

/** Finds the complete row of words above values, directly below a wide one with gaps; null without one. */
function findCompleteRowBelow(rows: GridRow[], wide: number): number | null {
  const row = rows[wide]
  if (!row) return null
  const next = rows.slice(wide + 1, wide + 1 + maxHeadRows)
  const whole = next.findIndex(
    (each, i) =>
      each.line === row.line + 1 + i &&
      countFilledCells(each) > countFilledCells(row) &&
      countFilledCells(each) >= measureWidth(rows.slice(wide + 2 + i)) &&
      readsAsHead(rows, wide + 1 + i),
  )
  return whole === -1 ? null : wide + 1 + whole
}

const computeMedian = (numbers: number[]) =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const isWide = (row: GridRow, below: GridRow[]) => {
  const typical = computeMedian(below.map(countFilledCells))
  return typical > 1 && countFilledCells(row) >= typical * 0.8
}

/**
 * Whether the row above names column groups: it is directly above, has gaps, is not alone in the first
 * column, and the header has words above values.
 */
function isPartAbove(rows: GridRow[], first: number, last: number): boolean {
  const [above, row] = [rows[first - 1], rows[first]]
  if (!above || !row || above.line !== row.line - 1) return false
  const count = countFilledCells(above)
  const isTitle = count === 1 && isFilled(above.cells[0] ?? '')
  return count > 0 && !isTitle && count < measureWidth(rows.slice(last + 1)) && readsAsHead(rows, last)
}

/** Two rows that are as wide as the table only together. */
function isPair(rows: GridRow[], at: number): boolean {
  const [upper, lower] = [rows[at], rows[at + 1]]
  if (!upper || !lower || lower.line !== upper.line + 1 || countFilledCells(upper) < 2) return false
  const below = rows.slice(at + 2)
  const most = measureWidth(below)
  const arePresent = Array.from(
    { length: most },
    (_, i) => isFilled(upper.cells[i] ?? '') || isFilled(lower.cells[i] ?? ''),
  )
  const isWhole = most > 2 && arePresent.every(Boolean)
  return (
    isWhole && countFilledCells(upper) < most && countFilledCells(lower) < most && readsAsHead(rows, at + 1)
  )
}

const measureWidth = (rows: GridRow[]) => computeMedian(rows.map(countFilledCells))

/** Whether a row has only words, or years, and most cells below its words are none. */
export function readsAsHead(rows: GridRow[], at: number): boolean {
  const below = rows.slice(at + 1)
  const cells = rows[at]?.cells ?? []
  if (!cells.every((cell) => !isFilled(cell) || isWord(cell) || /^\s*(?:19|20)\d\d\s*$/.test(cell)))
    return false
  return cells.some((cell, i) => {
    const values = below.map((row) => row.cells[i] ?? '').filter(isFilled)
    return isFilled(cell) && values.length > 0 && values.filter(isWord).length * 2 < values.length
  })
}

/**
 * The name of each column in a header of several rows, from top to bottom. A cell of an upper row extends right over
 * empty cells, like a merged cell, but only over columns with a name below.
 */
export function joinHead(rows: string[][]): string[] {
  const length = Math.max(...rows.map((row) => row.length))
  const spread = rows.map((row, r) => {
    let current = ''
    return Array.from({ length }, (_, i) => {
      const text = (row[i] ?? '').replace(/\s+/g, ' ').trim()
      const hasOwn = rows.slice(r + 1).some((lower) => isFilled(lower[i] ?? ''))
      current = text === '' && hasOwn ? current : hasOwn ? text : ''
      return text || current
    })
  })
  return Array.from({ length }, (_, i) =>
    [...new Set(spread.map((row) => row[i] as string))].filter(Boolean).join(' '),
  )
}
