import { findHead, gridRows, type Grid, type GridRow, type HeadRows } from './find-head.ts'
import { RowFilter, type TableCell } from './left-out.ts'

/** Collects the raw rows of a table, finds the header among the first, and rows below it that are no records. */
export class GridInspector {
  private first: { line: number; cells: readonly TableCell[] }[] = []
  private filter: RowFilter | null = null
  private grid: Omit<Grid, 'leftOut'> | null = null

  constructor(private headRows?: HeadRows) {}

  addRow(line: number, cells: readonly TableCell[]) {
    if (this.filter) return this.filter.filterRow(line, cells, () => {})
    this.first.push({ line, cells })
    if (this.first.length === gridRows) this.begin()
  }

  /** The result; null without any row. `isCut`: the table may continue. */
  end(isCut = false): Grid | null {
    if (!this.first.length) return null
    if (!this.filter) this.begin()
    const { filter, grid } = this
    if (!filter || !grid) return null
    if (!isCut) filter.end()
    return { ...grid, leftOut: filter.rows }
  }

  private begin() {
    const rows = this.first.map(({ line, cells }): GridRow => ({ line, cells: cells.map(toText) }))
    this.grid = findHead(rows)
    const [line = 1] = rows.map((row) => row.line)
    const [from, to] = this.headRows ?? this.grid.head ?? [line, line]
    const head = rows.filter((row) => row.line >= from && row.line <= to)
    this.filter = new RowFilter({}, Math.max(1, ...head.map(({ cells }) => cells.length)))
    for (const row of this.first) if (row.line > to) this.filter.filterRow(row.line, row.cells, () => {})
  }
}

const toText = (cell: TableCell) => (cell === null || cell === undefined ? '' : String(cell))
