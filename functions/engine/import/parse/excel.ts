import { Unreadable, type Batch } from '../row.ts'
import { Archive } from './archive.ts'
import { openBook, readPart, sheetsOf, type Sheet } from './excelBook.ts'
import { findHead, gridRows, joinHead, type Grid, type GridRow, type HeadRows } from './findHead.ts'
import { columnName, sheetEvents, type CellValue, type SheetRow } from './excelSheet.ts'
import { doubtHeader, headerOf } from './header.ts'
import { selectorsIn, type ParsedSource } from './reading.ts'
import { batches, Sink } from './sink.ts'

/**
 * Reads the sheets of a workbook that the selector names (all without one). The first row with something in it heads
 * its sheet; cells without anything are null. `line` is the number of the row in its sheet.
 */
export function readExcel(reading: ParsedSource): AsyncGenerator<Batch> {
  const sink = new Sink(reading)
  const { caps } = reading
  async function* steps() {
    const archive = await Archive.open(reading)
    const book = await openBook(archive, caps)
    for (const sheet of chosenSheets(book.sheets, selectorsIn(reading.options))) {
      if (sheet.isHidden)
        sink.notice('info', `The sheet "${sheet.name}" is hidden; it is read as the others.`)
      const table = new SheetTable(sheet, sink, caps.columns, reading.options.headerRows)
      yield* readPart(
        archive,
        sheet.entry,
        sheetEvents(book, caps, (row) => table.take(row)),
        caps,
      )
      table.end()
    }
  }
  return batches(sink, steps())
}

/** `*` and the names of the sheets of a workbook. */
export async function excelSelectors(reading: ParsedSource): Promise<string[]> {
  const { sheets } = await sheetsOf(await Archive.open(reading), reading.caps)
  return ['*', ...visibleFirst(sheets).map(({ name }) => name)]
}

/** The sheets that are shown, then those that are hidden. */
const visibleFirst = (sheets: Sheet[]) => [
  ...sheets.filter(({ isHidden }) => !isHidden),
  ...sheets.filter(({ isHidden }) => isHidden),
]

/** The first rows of the first sheet that is read, one that is shown before one that is hidden. */
export async function excelGrid(reading: ParsedSource): Promise<Grid | null> {
  const { caps } = reading
  const archive = await Archive.open(reading)
  const book = await openBook(archive, caps)
  const [sheet] = visibleFirst(chosenSheets(book.sheets, selectorsIn(reading.options)))
  if (!sheet) return null
  const rows: GridRow[] = []
  const events = sheetEvents(book, caps, ({ number, cells }) => {
    const length = Math.max(0, ...cells.keys()) + 1
    rows.push({ line: number, cells: Array.from({ length }, (_, i) => String(cells.get(i) ?? '')) })
  })
  for await (const _ of readPart(archive, sheet.entry, events, caps)) if (rows.length >= gridRows) break
  return rows.length ? findHead(rows) : null
}

/** The sheets that a selector names, all without one; Unreadable where it names none. */
export function chosenSheets<S extends Pick<Sheet, 'name'>>(sheets: S[], selectors: string[]): S[] {
  const names = sheets.map(({ name }) => `"${name}"`).join(', ')
  if (!sheets.length) throw new Unreadable('The workbook has no sheets.')
  if (!selectors.length || selectors.includes('*')) return sheets
  for (const selector of selectors)
    if (!sheets.some(({ name }) => name === selector))
      throw new Unreadable(`The workbook has no sheet "${selector}": it has ${names}.`)
  return sheets.filter(({ name }) => selectors.includes(name))
}

/** The rows of a sheet, by the names in its head. */
export class SheetTable {
  private header: string[] | null = null
  private first = 0
  private hasRows = false
  /** The rows of the head that were read so far. */
  private heads: SheetRow[] = []

  constructor(
    private sheet: Pick<Sheet, 'name'>,
    private sink: Sink,
    private most: number,
    private headRows?: HeadRows,
  ) {}

  take(row: SheetRow) {
    if (!this.header) {
      const [first, last] = this.headRows ?? [row.number, row.number]
      if (row.number < first) {
        const where = `row ${first} of the sheet "${this.sheet.name}"`
        return this.sink.notice(
          'info',
          `Rows before ${where} are left out: the header begins there, as was said.`,
        )
      }
      if (row.number <= last || !this.heads.length) this.heads.push(row)
      if (row.number < last) return
      this.header = this.head()
      if (this.heads.at(-1) === row) return
    }
    this.hasRows = true
    const { header, first, sink } = this
    const at = { line: row.number, sheet: this.sheet.name }
    const nameOf = (column: number) => header[column - first] ?? columnName(column)
    const faults = row.faults.map(({ column, ...fault }) => ({ field: nameOf(column), ...fault }))
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

  end() {
    const { sheet, sink } = this
    if (!this.header && this.heads.length) this.header = this.head()
    if (!this.header) sink.notice('warn', `The sheet "${sheet.name}" is empty.`)
    else if (!this.hasRows) sink.notice('warn', `The sheet "${sheet.name}" has a header and no rows.`)
  }

  private head(): string[] {
    for (const { faults, number } of this.heads) {
      const [fault] = faults
      if (!fault) continue
      const where = `${columnName(fault.column)}${number} of the sheet "${this.sheet.name}"`
      throw new Unreadable(`The header cannot be read at ${where}: ${fault.message}`)
    }
    const columns = this.heads.flatMap(({ cells }) => [...cells.keys()])
    this.first = Math.min(...columns)
    const width = Math.max(...columns) - this.first + 1
    const rows = this.heads.map(({ cells }) =>
      Array.from({ length: width }, (_, i) => String(cells.get(this.first + i) ?? '')),
    )
    const names = rows.length > 1 ? joinHead(rows) : (rows[0] ?? [])
    const header = headerOf(names, this.sink, this.most, this.first)
    doubtHeader(header, this.sink)
    return header
  }
}
