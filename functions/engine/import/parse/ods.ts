import { Unreadable, type Batch } from '../row.ts'
import { Archive } from './archive.ts'
import type { Caps } from './caps.ts'
import type { Entry } from './directory.ts'
import { chosenSheets, SheetTable } from './excel.ts'
import { readPart } from './excelBook.ts'
import type { SheetRow } from './excelSheet.ts'
import { odsEvents, type OdsRow, type OdsSheet } from './odsSheet.ts'
import { selectorsIn, type ParsedSource } from './reading.ts'
import { batches, Sink } from './sink.ts'

/** What one row of a file may stand for, all of them together: a sheet of Calc has as many. */
const mostRepeated = 1_048_576
/** So many cells are put out before what is full is taken. */
const cellsAtOnce = 20_000

/**
 * Reads the sheets of an OpenDocument workbook that the selector names (all without one), as those of Excel. Empty rows count by
 * their number and cost nothing, however many an element stands for; rows with something in them come as often as they are repeated.
 */
export function readOds(reading: ParsedSource): AsyncGenerator<Batch> {
  const sink = new Sink(reading)
  const { caps } = reading
  async function* steps() {
    const archive = await Archive.open(reading)
    const content = contentOf(archive)
    const selectors = selectorsIn(reading.options)
    // Names are asked for first where some are chosen: a wrong one is refused before any row is out.
    const names = selectors.length
      ? new Set(chosenSheets(await sheetsOf(archive, caps), selectors).map(nameOf))
      : null
    const reader = new OdsTables(sink, caps, names)
    const events = odsEvents(caps, reader)
    for await (const _ of readPart(archive, content, events, caps)) {
      for (const __ of reader.drain()) yield
      yield
    }
    for (const __ of reader.drain()) yield
    if (!reader.count) throw new Unreadable('The workbook has no sheets.')
  }
  return batches(sink, steps())
}

/** `*` and the names of the sheets of a workbook. */
export async function odsSelectors(reading: ParsedSource): Promise<string[]> {
  return ['*', ...(await sheetsOf(await Archive.open(reading), reading.caps)).map(nameOf)]
}

const nameOf = ({ name }: OdsSheet) => name

async function sheetsOf(archive: Archive, caps: Caps): Promise<OdsSheet[]> {
  const sheets: OdsSheet[] = []
  const events = odsEvents(caps, { sheet: (sheet) => sheets.push(sheet), row() {}, end() {} })
  for await (const _ of readPart(archive, contentOf(archive), events, caps));
  return sheets
}

/** The part that has all sheets. */
function contentOf(archive: Archive): Entry {
  if (archive.entries.some(({ name }) => name === 'encrypted-package'))
    throw new Unreadable('The workbook is protected by a password: save it without one.')
  const content = archive.entries.find(({ name }) => name === 'content.xml')
  if (content) return content
  const isExcel = archive.find(/(^|\/)workbook\.xml$/).length > 0
  throw new Unreadable(
    `This is not a workbook of type .ods${isExcel ? ' but .xlsx: choose Excel as its format' : ''}.`,
  )
}

/** Rows wait here, each once, until they are put out: what a block of the file stands for may be far more than it is long. */
class OdsTables {
  count = 0
  private waiting: (OdsSheet | OdsRow | 'end')[] = []
  private table: SheetTable | null = null
  private repeated = 0
  private widest = 1

  constructor(
    private sink: Sink,
    private caps: Caps,
    private names: ReadonlySet<string> | null,
  ) {}

  sheet(sheet: OdsSheet) {
    this.count += 1
    this.waiting.push(sheet)
  }

  row(row: OdsRow) {
    if (row.cells.length || row.faults.length) this.waiting.push(row)
  }

  end() {
    this.waiting.push('end')
  }

  /** Puts out what waits, with a stop now and then. */
  *drain() {
    const waiting = this.waiting
    this.waiting = []
    let out = 0
    for (const each of waiting) {
      if (each === 'end') this.endTable()
      else if ('name' in each) this.beginTable(each)
      else if (this.table)
        for (let i = 0; i < each.times; i++) {
          if (i > 0 && ++this.repeated > mostRepeated)
            throw new Unreadable(
              `Rows are repeated more than ${mostRepeated} times (row ${each.number} of a sheet).`,
            )
          const row = sheetRowOf(each, i)
          this.widest = Math.max(this.widest, row.cells.size)
          this.table.take(row)
          out += this.widest
          if (out < cellsAtOnce) continue
          out = 0
          yield
        }
    }
  }

  private beginTable(sheet: OdsSheet) {
    if (this.names && !this.names.has(sheet.name)) return
    if (sheet.isHidden)
      this.sink.notice('info', `The sheet "${sheet.name}" is hidden; it is read as the others.`)
    this.table = new SheetTable(sheet, this.sink, this.caps.columns)
  }

  private endTable() {
    this.table?.end()
    this.table = null
  }
}

/** A row as often as it is repeated, with its cells as often as they are. */
function sheetRowOf({ number, cells, faults }: OdsRow, i: number): SheetRow {
  const all: SheetRow['cells'] = new Map()
  for (const { column, times, value } of cells)
    for (let at = column; at < column + times; at++) all.set(at, value)
  return { number: number + i, cells: all, faults: faults.map((fault) => ({ ...fault })) }
}
