import { UnreadableError } from '../row.ts'
import { gridRows, type Grid, type GridRow } from './find-head.ts'
import { GridInspector } from './grid-inspector.ts'
import type { GridReader, ParsedSource } from './reading.ts'
import { RecordScanner } from './records.ts'
import { Sink } from './sink.ts'
import { openText } from './text.ts'

/** The first rows of a text table, split by the delimiter with which most rows have the same width. */
export const csvGrid: GridReader = (reading, isCut) => textGrid(reading, [',', ';', '\t', '|'], isCut)

/** The first rows of a tab-separated table. */
export const tsvGrid: GridReader = (reading, isCut) => textGrid(reading, ['\t'], isCut)

async function textGrid(reading: ParsedSource, delimiters: string[], isCut: boolean): Promise<Grid | null> {
  const open = await openText(reading, new Sink(reading))
  const { head, isWhole } = open
  const separator = /^sep=(.)\r?\n/i.exec(head)?.[1]
  const candidates = (separator ? [separator] : delimiters).map((delimiter) => ({
    delimiter,
    alike: alikeIn(rowsBy(head, isWhole, delimiter, reading)),
  }))
  const [best] = candidates.sort((a, b) => b.alike - a.alike)
  if (!best?.alike) return null
  const { options } = reading
  const look = new GridInspector(options.headerRows)
  const scanner = createScanner(best.delimiter, reading, open.encoding)
  let isFirst = separator !== undefined
  const inspectRecords = () => {
    while (scanner.next()) {
      if (isFirst) isFirst = false
      else if (isRow(scanner)) look.addRow(scanner.line, scanner.cells)
    }
  }
  try {
    for await (const piece of open.pieces) {
      scanner.push(piece)
      inspectRecords()
    }
    scanner.finish()
    inspectRecords()
  } catch (error) {
    // The rows before the error are still valid.
    if (!(error instanceof UnreadableError)) throw error
    return look.end(true)
  }
  return look.end(isCut)
}

function createScanner(delimiter: string, { caps }: ParsedSource, encoding: string) {
  return new RecordScanner({ delimiter, encoding, caps, line: 1, byte: 0 })
}

/**
 * Whether the record is a non-empty row; a line that begins with # may be a comment only before the first
 * one.
 */
function isRow(scanner: RecordScanner): boolean {
  const { cells, fault, isComment } = scanner
  scanner.mayComment &&= isComment
  return !fault && !isComment && cells.some((cell) => cell.trim() !== '')
}

function rowsBy(head: string, isWhole: boolean, delimiter: string, reading: ParsedSource): GridRow[] {
  const scanner = createScanner(delimiter, reading, 'utf-8')
  scanner.push({ text: head, bad: [], ascii: true })
  if (isWhole) scanner.finish()
  const rows: GridRow[] = []
  while (rows.length < gridRows && scanner.next())
    if (isRow(scanner)) rows.push({ line: scanner.line, cells: scanner.cells })
  return rows
}

/**
 * Counts the rows with the most common width of more than one column; at equal counts a larger width scores
 * higher.
 */
function alikeIn(rows: GridRow[]): number {
  const counts = new Map<number, number>()
  for (const { cells } of rows)
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  const most = [...counts].sort(([a, m], [b, n]) => n - m || b - a)[0]
  return most ? most[1] + Math.min(most[0], 99) / 100 : 0
}
