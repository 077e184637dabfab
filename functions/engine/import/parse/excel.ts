import { UnreadableError, type Batch } from '../row.ts'
import { Archive } from './archive.ts'
import { openBook, readPart, readSheets, type Book, type Sheet } from './excel-book.ts'
import type { Grid } from './find-head.ts'
import { GridInspector } from './grid-inspector.ts'
import { sheetEvents, type SheetRow } from './excel-sheet.ts'
import { selectorsIn, type ParsedSource } from './reading.ts'
import { SheetInspector, sortSheetLists, type SheetList } from './sheet-inspector.ts'
import { pickSheets, gridCells, RangeReader, visibleFirst } from './sheet-range.ts'
import { SheetTable } from './sheet-table.ts'
import { batches, Sink } from './sink.ts'

/**
 * Reads the selected sheets of a workbook, whole or in part (all by default). The first non-empty row is the header of
 * its sheet; empty cells are null. `line` is the number of the row in its sheet.
 */
export function readExcel(reading: ParsedSource): AsyncGenerator<Batch> {
  const sink = new Sink(reading)
  const { caps, options } = reading
  async function* steps() {
    const archive = await Archive.open(reading)
    const book = await openBook(archive, caps)
    for (const choice of pickSheets(book.sheets, selectorsIn(options))) {
      const { sheet } = choice
      if (sheet.isHidden)
        sink.notice('info', `The sheet "${sheet.name}" is hidden; it is read as the others.`)
      const table = new SheetTable(choice, sink, caps.columns, options)
      try {
        yield* readSheet(archive, book, sheet, reading, (row) => table.processRow(row))
      } catch (error) {
        table.release()
        throw error
      }
      table.end()
    }
  }
  return batches(sink, steps())
}

const readSheet = (
  archive: Archive,
  book: Book,
  { entry }: Sheet,
  { caps }: ParsedSource,
  onRow: (row: SheetRow) => void,
) => readPart(archive, entry, sheetEvents(book, caps, onRow), caps)

/** Returns `*` and the sheet names of a workbook, visible sheets first. */
export async function excelSelectors(reading: ParsedSource): Promise<string[]> {
  const { sheets } = await readSheets(await Archive.open(reading), reading.caps)
  return ['*', ...visibleFirst(sheets).map(({ name }) => name)]
}

/**
 * Returns the sheets of a workbook, and the tables of a sheet with several, in descending likelihood of being
 * the data.
 */
export async function excelLists(reading: ParsedSource): Promise<SheetList[]> {
  const archive = await Archive.open(reading)
  const book = await openBook(archive, reading.caps)
  const looks = []
  for (const sheet of book.sheets) {
    const look = new SheetInspector(sheet)
    let isRead = true
    try {
      for await (const _ of readSheet(archive, book, sheet, reading, (row) => look.inspectRow(row)))
        if (look.isFull) break
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error
      isRead = false
    }
    looks.push(look.end(isRead))
  }
  return sortSheetLists(looks)
}

/** Previews the first selected sheet, visible sheets before hidden ones. */
export async function excelGrid(reading: ParsedSource): Promise<Grid | null> {
  const { caps, options } = reading
  const archive = await Archive.open(reading)
  const book = await openBook(archive, caps)
  const [choice] = pickSheets(visibleFirst(book.sheets), selectorsIn(options))
  if (!choice) return null
  const look = new GridInspector(options.headerRows)
  const part = new RangeReader(choice.range)
  const inspectSheetRow = (sheetRow: SheetRow) => {
    const row = part.narrow(sheetRow)
    if (row) look.addRow(row.number, gridCells(row, choice.range))
  }
  for await (const _ of readSheet(archive, book, choice.sheet, reading, inspectSheetRow));
  return look.end()
}
