import { UnreadableError, type Batch } from '../row.ts'
import { Archive } from './archive.ts'
import type { ReadLimits } from './caps.ts'
import type { Entry } from './directory.ts'
import { readPart } from './excel-book.ts'
import type { SheetRow } from './excel-sheet.ts'
import type { Grid } from './find-head.ts'
import { GridInspector } from './grid-inspector.ts'
import { odsEvents, type OdsRow, type OdsSheet } from './ods-sheet.ts'
import { selectorsIn, type ParsedSource, type ReadingOptions } from './reading.ts'
import { SheetInspector, sortSheetLists, type SheetList } from './sheet-inspector.ts'
import { pickSheets, gridCells, RangeReader, type ChosenSheet, visibleFirst } from './sheet-range.ts'
import { SheetTable } from './sheet-table.ts'
import { batches, Sink } from './sink.ts'

/** Maximum number of repetitions of all rows of a file together: the size of a sheet in Calc. */
const maxRepeated = 1_048_576
/** Cells that are emitted before full batches are taken. */
const cellsAtOnce = 20_000

/**
 * Reads the selected sheets of an OpenDocument workbook (all by default), like those of Excel. Empty rows are
 * only counted, however many an element represents; others are emitted as often as they are repeated.
 */
export function readOds(reading: ParsedSource): AsyncGenerator<Batch> {
  const sink = new Sink(reading)
  const { caps } = reading
  async function* steps() {
    const archive = await Archive.open(reading)
    const content = getContentEntry(archive)
    const selectors = selectorsIn(reading.options)
    // Sheet names are read first where some are selected: a wrong one is reported before any row.
    const choices = selectors.length ? pickSheets(await readSheets(archive, caps), selectors) : null
    const reader = new OdsTables(sink, caps, reading.options, choices)
    const events = odsEvents(caps, reader)
    try {
      for await (const _ of readPart(archive, content, events, caps)) {
        for (const __ of reader.drain()) yield
        yield
      }
      for (const __ of reader.drain()) yield
    } catch (error) {
      reader.release()
      throw error
    }
    if (!reader.count) throw new UnreadableError('The workbook has no sheets.')
  }
  return batches(sink, steps())
}

/** Returns `*` and the sheet names of a workbook, visible sheets first. */
export async function odsSelectors(reading: ParsedSource): Promise<string[]> {
  return ['*', ...visibleFirst(await readSheets(await Archive.open(reading), reading.caps)).map(getSheetName)]
}

/**
 * Returns the sheets of a workbook, and the tables of a sheet with several, in descending likelihood of being
 * the data.
 */
export async function odsLists(reading: ParsedSource): Promise<SheetList[]> {
  const { caps } = reading
  const archive = await Archive.open(reading)
  const looks: SheetInspector[] = []
  const events = odsEvents(caps, {
    sheet: (sheet) => looks.push(new SheetInspector(sheet)),
    row: (row) => expandRepeatedRow(row, (each) => looks.at(-1)?.inspectRow(each)),
    end() {},
  })
  for await (const _ of readPart(archive, getContentEntry(archive), events, caps));
  return sortSheetLists(looks.map((look) => look.end()))
}

/** Previews the first selected sheet, visible sheets before hidden ones. */
export async function odsGrid(reading: ParsedSource): Promise<Grid | null> {
  const { caps, options } = reading
  const archive = await Archive.open(reading)
  const [choice] = pickSheets(visibleFirst(await readSheets(archive, caps)), selectorsIn(options))
  if (!choice) return null
  const look = new GridInspector(options.headerRows)
  const part = new RangeReader(choice.range)
  let isOpen = false
  const events = odsEvents(caps, {
    sheet: ({ name }) => (isOpen = name === choice.sheet.name),
    row(row) {
      if (isOpen)
        expandRepeatedRow(row, (each) => {
          const narrow = part.narrow(each)
          if (narrow) look.addRow(narrow.number, gridCells(narrow, choice.range))
        })
    },
    end: () => (isOpen = false),
  })
  for await (const _ of readPart(archive, getContentEntry(archive), events, caps));
  return look.end()
}

/** Maximum number of repetitions of a row in the grid. */
const maxShown = 100

function expandRepeatedRow(row: OdsRow, emitRow: (row: SheetRow) => void) {
  if (!row.cells.length && !row.faults.length) return
  for (let i = 0; i < Math.min(row.times, maxShown); i++) emitRow(toSheetRow(row, i))
}

const getSheetName = ({ name }: OdsSheet) => name

async function readSheets(archive: Archive, caps: ReadLimits): Promise<OdsSheet[]> {
  const sheets: OdsSheet[] = []
  const events = odsEvents(caps, { sheet: (sheet) => sheets.push(sheet), row() {}, end() {} })
  for await (const _ of readPart(archive, getContentEntry(archive), events, caps));
  return sheets
}

/** Returns the entry with all sheets. */
function getContentEntry(archive: Archive): Entry {
  if (archive.entries.some(({ name }) => name === 'encrypted-package'))
    throw new UnreadableError('The workbook is protected by a password: save it without one.')
  const content = archive.entries.find(({ name }) => name === 'content.xml')
  if (content) return content
  const isExcel = archive.find(/(^|\/)workbook\.xml$/).length > 0
  throw new UnreadableError(
    `This is not a workbook of type .ods${isExcel ? ' but .xlsx: choose Excel as its format' : ''}.`,
  )
}

/** Rows wait here, each once, until they are emitted: a block of the file may expand to far more than its size. */
class OdsTables {
  count = 0
  private waiting: (OdsSheet | OdsRow | 'end')[] = []
  private tables: SheetTable[] = []
  private repeated = 0
  private widest = 1

  constructor(
    private sink: Sink,
    private caps: ReadLimits,
    private options: ReadingOptions,
    /** Null: all sheets. */
    private choices: ChosenSheet<OdsSheet>[] | null,
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

  /** Emits the waiting rows, yielding regularly. */
  *drain() {
    const waiting = this.waiting
    this.waiting = []
    let out = 0
    for (const each of waiting) {
      if (each === 'end') this.endTable()
      else if ('name' in each) this.beginTable(each)
      else if (this.tables.length)
        for (let i = 0; i < each.times; i++) {
          if (i > 0 && ++this.repeated > maxRepeated)
            throw new UnreadableError(
              `Rows are repeated more than ${maxRepeated} times (row ${each.number} of a sheet).`,
            )
          const row = toSheetRow(each, i)
          this.widest = Math.max(this.widest, row.cells.size)
          for (const table of this.tables) table.processRow(row)
          out += this.widest
          if (out < cellsAtOnce) continue
          out = 0
          yield
        }
    }
  }

  /** Admits rows that filters hold back, if reading ends before the sheet. */
  release() {
    for (const table of this.tables) table.release()
  }

  private beginTable(sheet: OdsSheet) {
    const choices = this.choices?.filter((each) => each.sheet.name === sheet.name) ?? [{ sheet, range: null }]
    if (choices.length && sheet.isHidden)
      this.sink.notice('info', `The sheet "${sheet.name}" is hidden; it is read as the others.`)
    this.tables = choices.map((each) => new SheetTable(each, this.sink, this.caps.columns, this.options))
  }

  private endTable() {
    for (const table of this.tables) table.end()
    this.tables = []
  }
}

/** A repetition of a row, with its cells repeated. */
function toSheetRow({ number, cells, faults }: OdsRow, i: number): SheetRow {
  const all: SheetRow['cells'] = new Map()
  for (const { column, times, value } of cells)
    for (let at = column; at < column + times; at++) all.set(at, value)
  return { number: number + i, cells: all, faults: faults.map((fault) => ({ ...fault })) }
}
