import { UnreadableError } from '../row.ts'
import { columnName, type CellValue, type SheetRow } from './excel-sheet.ts'
import { joinHead } from './find-head.ts'
import { doubtHeader, buildColumnNames } from './header.ts'
import { RowFilter } from './left-out.ts'
import type { ReadingOptions } from './reading.ts'
import { RangeReader, type ChosenSheet } from './sheet-range.ts'
import type { Sink } from './sink.ts'

/** The rows of a sheet, or of a part of it, by the names in its header. */
export class SheetTable {
  private header: string[] | null = null
  private first = 0
  private hasRows = false
  /** The rows of the header so far. */
  private heads: SheetRow[] = []
  private filter: RowFilter | null = null
  private part: RangeReader
  private name: string

  constructor(
    private choice: ChosenSheet<{ name: string }>,
    private sink: Sink,
    private most: number,
    private options: Pick<ReadingOptions, 'headerRows' | 'leaveOut' | 'takeIn'>,
  ) {
    this.part = new RangeReader(choice.range)
    this.name = choice.sheet.name
  }

  processRow(sheetRow: SheetRow) {
    const row = this.part.narrow(sheetRow)
    if (!row) return
    const header = this.header ?? this.addHeaderRow(row)
    if (!header || this.heads.at(-1) === row) return
    const admit = () => this.putRow(row, header)
    if (!this.filter || row.faults.length) {
      this.filter?.release()
      return admit()
    }
    const columns = [...row.cells.keys()]
    const width = Math.max(header.length, Math.max(...columns) - this.first + 1)
    const cells = Array.from({ length: width }, (_, i) => row.cells.get(this.first + i))
    this.filter.filterRow(row.number, cells, admit)
  }

  end() {
    const { choice, sink, name } = this
    const subject = `The ${choice.range ? `range ${choice.range.text} of the ` : ''}sheet "${name}"`
    if (choice.range && this.part.isEmpty)
      throw new UnreadableError(`${subject} has nothing in it: choose where the table is now.`)
    if (!this.header && this.heads.length) this.header = this.head()
    if (!this.header) sink.notice('warn', `${subject} is empty.`)
    this.filter?.end(sink, ` of the sheet "${name}"`)
    if (this.header && !this.hasRows) sink.notice('warn', `${subject} has a header and no rows.`)
  }

  /** Admits rows that the filter holds back, if reading ends before the sheet. */
  release() {
    this.filter?.release()
  }

  private putRow(row: SheetRow, header: string[]) {
    this.hasRows = true
    const { first, sink } = this
    const at = { line: row.number, sheet: this.name }
    const getColumnName = (column: number) => header[column - first] ?? columnName(column)
    const faults = row.faults.map(({ column, ...fault }) => ({ field: getColumnName(column), ...fault }))
    const value: Record<string, CellValue> = {}
    for (const name of header) value[name] = null
    for (const [column, cell] of row.cells) {
      const name = header[column - first]
      if (name !== undefined) value[name] = cell
      else {
        const message = `The cell ${columnName(column)}${row.number} stands under no name of the header.`
        faults.push({ field: columnName(column), message, value: String(cell) })
      }
    }
    if (faults.length) sink.reject(faults, at)
    else sink.row(value, at)
  }

  /** Takes a row above the first record; returns the column names after the last row of the header. */
  private addHeaderRow(row: SheetRow): string[] | null {
    const [first, last] = this.options.headerRows ?? [row.number, row.number]
    if (row.number < first) {
      const where = `row ${first} of the sheet "${this.name}"`
      this.sink.notice('info', `Rows before ${where} are left out: the header begins there, as was said.`)
      return null
    }
    if (row.number <= last || !this.heads.length) this.heads.push(row)
    if (row.number < last) return null
    this.header = this.head()
    return this.header
  }

  private head(): string[] {
    for (const { faults, number } of this.heads) {
      const [fault] = faults
      if (!fault) continue
      const where = `${columnName(fault.column)}${number} of the sheet "${this.name}"`
      throw new UnreadableError(`The header cannot be read at ${where}: ${fault.message}`)
    }
    const columns = this.heads.flatMap(({ cells }) => [...cells.keys()])
    this.first = this.choice.range?.firstColumn ?? Math.min(...columns)
    const width = Math.max(...columns) - this.first + 1
    const rows = this.heads.map(({ cells }) =>
      Array.from({ length: width }, (_, i) => String(cells.get(this.first + i) ?? '')),
    )
    const names = rows.length > 1 ? joinHead(rows) : (rows[0] ?? [])
    const header = buildColumnNames(names, this.sink, this.most, this.first)
    doubtHeader(header, this.sink)
    if (this.options.leaveOut) this.filter = new RowFilter(this.options, header.length)
    return header
  }
}
