import { findHead, joinHead, readsAsHead, type GridRow } from './find-head.ts'
import type { SheetRow } from './excel-sheet.ts'
import type { JsonList } from './json-rows.ts'
import { rangeSelector } from './sheet-range.ts'

/** A sheet of a workbook, or one of several tables of a sheet. */
export interface SheetList extends JsonList {
  isHidden: boolean
  /** Whether all of its rows were counted. */
  isWhole: boolean
}

/** Maximum numbers of rows that are searched for tables, and that are counted. */
const maxKept = 2000
const maxCounted = 20_000
const maxKeys = 8
/** A table has a header and at least this many other rows; anything smaller is a note. */
const minRows = 2

/** A block of filled cells: the rows, and its first and last column. */
interface Block {
  rows: GridRow[]
  first: number
  last: number
  /** Whether it contains empty rows. */
  hasGaps: boolean
}

/** Inspects a sheet: its row count, its column names, and its tables, if it has several. */
export class SheetInspector {
  private rows: GridRow[] = []
  private count = 0

  constructor(private sheet: { name: string; isHidden: boolean }) {}

  get isFull(): boolean {
    return this.count >= maxCounted
  }

  inspectRow({ number, cells }: SheetRow) {
    this.count += 1
    if (this.rows.length >= maxKept) return
    const length = Math.max(-1, ...cells.keys()) + 1
    this.rows.push({
      line: number,
      cells: Array.from({ length }, (_, i) => String(cells.get(i) ?? '').slice(0, 80)),
    })
  }

  /**
   * Returns the sheet as a possible location of rows, after its tables if it has several, the largest first.
   * `rank`: 0 for a table with values, 1 for one of texts, 2 without a header, 3 for fewer than two rows;
   * plus 4 if hidden.
   */
  end(isRead = true): { lists: SheetList[]; rank: number } {
    const { name, isHidden } = this.sheet
    const { head } = findHead(this.rows)
    const above = this.rows.filter(({ line }) => head && line <= head[1]).length
    const state = { isHidden, isWhole: isRead && !this.isFull }
    const whole = {
      selector: name,
      rows: Math.max(0, this.count - Math.max(1, above)),
      keys: getHeadKeys(this.rows),
      ...state,
    }
    const tables = findTables(this.rows)
    const parts = tables.map((block): SheetList & { size: number } => {
      const [first] = block.rows
      const end = block.hasGaps ? String(block.rows.at(-1)?.line ?? '') : ''
      const selector = rangeSelector(name, [block.first, first?.line ?? 1], block.last, end)
      const rows = block.rows.length - headLength(block.rows)
      return {
        selector,
        rows,
        keys: getHeadKeys(block.rows),
        ...state,
        size: rows * (block.last - block.first + 1),
      }
    })
    const largest = Math.max(0, ...parts.map(({ size }) => size))
    const sorted = [
      ...parts.filter(({ size }) => size === largest),
      ...parts.filter(({ size }) => size < largest),
    ]
    const hasValues =
      head !== null && this.rows.some(({ line, cells }) => line > head[1] && cells.some(isValue))
    const rank = this.count < 2 ? 3 : head === null ? 2 : hasValues ? 0 : 1
    return {
      lists: [...sorted.map(({ size: _, ...list }) => list), whole],
      rank: rank + (isHidden ? 4 : 0),
    }
  }
}

/** Returns the locations of all sheets, best first, and `*` for all sheets together if there are several. */
export function sortSheetLists(looks: { lists: SheetList[]; rank: number }[]): SheetList[] {
  const lists = looks.toSorted((a, b) => a.rank - b.rank).flatMap((look) => look.lists)
  if (looks.length < 2) return lists
  const wholes = looks.flatMap((look) => look.lists.at(-1) ?? [])
  const rows = wholes.reduce((sum, list) => sum + list.rows, 0)
  return [
    ...lists,
    { selector: '*', rows, keys: [], isHidden: false, isWhole: wholes.every((list) => list.isWhole) },
  ]
}

const isFilled = (cell: string | undefined) => cell !== undefined && cell.trim() !== ''
const isValue = (cell: string) => /\d/.test(cell) && !/\p{L}{2}/u.test(cell)

function getHeadRows(rows: GridRow[]): GridRow[] {
  const { head } = findHead(rows)
  const [from, to] = head ?? [rows[0]?.line ?? 1, rows[0]?.line ?? 1]
  return rows.filter(({ line }) => line >= from && line <= to)
}

function headLength(rows: GridRow[]): number {
  const last = getHeadRows(rows).at(-1)
  return last ? rows.indexOf(last) + 1 : 0
}

const getHeadKeys = (rows: GridRow[]) =>
  rows.length
    ? joinHead(getHeadRows(rows).map(({ cells }) => cells))
        .filter(Boolean)
        .slice(0, maxKeys)
    : []

/**
 * Finds the tables of a sheet with several: blocks of filled cells, separated by empty rows or columns, each
 * with its own header. A block without a header below an empty row continues the table above it. Cells of a
 * block count from its first column.
 */
function findTables(rows: GridRow[]): Block[] {
  const tables: Block[] = []
  for (const lines of linesTogether(rows))
    for (const part of sideBySide(lines)) {
      const above = tables.findLast(({ first, last }) => first === part.first && last >= part.last)
      if (isTable(part)) tables.push(part)
      else if (above && part.last > part.first && !readsAsHead(part.rows, 0)) {
        above.rows.push(...part.rows)
        above.hasGaps = true
      }
    }
  return tables.length > 1 ? tables : []
}

function linesTogether(rows: GridRow[]): GridRow[][] {
  const blocks: GridRow[][] = []
  let before: GridRow | undefined
  for (const row of rows) {
    if (!row.cells.some(isFilled)) continue
    if (before && row.line === before.line + 1) blocks.at(-1)?.push(row)
    else blocks.push([row])
    before = row
  }
  return blocks
}

/** Splits a block at its empty columns. A part that is not a table is joined with the one before it. */
function sideBySide(rows: GridRow[]): Block[] {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length))
  const parts: Block[] = []
  let first = -1
  for (let column = 0; column <= width; column++) {
    const isUsed = rows.some(({ cells }) => isFilled(cells[column]))
    if (isUsed && first === -1) first = column
    if (isUsed || first === -1) continue
    const part = cutOut(rows, first, column - 1)
    const before = parts.at(-1)
    if (before && !isTable(part)) parts[parts.length - 1] = cutOut(rows, before.first, column - 1)
    else parts.push(part)
    first = -1
  }
  return parts
}

function cutOut(rows: GridRow[], first: number, last: number): Block {
  const within = rows.map(({ line, cells }) => ({ line, cells: cells.slice(first, last + 1) }))
  return { rows: within.filter(({ cells }) => cells.some(isFilled)), first, last, hasGaps: false }
}

/** Whether a block has a header of words above values, and its first column identifies the rows. */
function isTable({ rows, first, last }: Block): boolean {
  if (last - first < 1 || rows.length <= minRows) return false
  const { head } = findHead(rows)
  const end = rows.findIndex(({ line }) => line === head?.[1])
  if (end === -1 || rows.length - end <= minRows || !readsAsHead(rows, end)) return false
  const keys = rows.slice(end + 1).map(({ cells }) => cells[0] ?? '')
  const isKey = (key: string) => /\p{L}/u.test(key) || /^(?:19|20)\d\d(?:\D|$)/.test(key)
  return keys.filter(isKey).length * 2 > keys.length
}
