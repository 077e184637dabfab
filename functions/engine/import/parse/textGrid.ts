import { findHead, gridRows, type Grid, type GridRow } from './findHead.ts'
import type { ParsedSource } from './reading.ts'
import { RecordScanner } from './records.ts'
import { Sink } from './sink.ts'
import { openText } from './text.ts'

/** The first rows of a table of text, cut by the separator that makes most rows equally wide. */
export const csvGrid = (reading: ParsedSource) => textGrid(reading, [',', ';', '\t', '|'])

/** The first rows of a table that is separated by tabs. */
export const tsvGrid = (reading: ParsedSource) => textGrid(reading, ['\t'])

async function textGrid(reading: ParsedSource, delimiters: string[]): Promise<Grid | null> {
  const { head, isWhole } = await openText(reading, new Sink(reading))
  const named = /^sep=(.)\r?\n/i.exec(head)?.[1]
  const tried = (named ? [named] : delimiters).map((delimiter) => {
    const rows = rowsBy(head, isWhole, delimiter, reading)
    return { rows: named ? rows.slice(1) : rows, alike: alikeIn(rows) }
  })
  const [best] = tried.sort((a, b) => b.alike - a.alike)
  return best?.alike ? findHead(best.rows) : null
}

function rowsBy(head: string, isWhole: boolean, delimiter: string, { caps }: ParsedSource): GridRow[] {
  const scanner = new RecordScanner({ delimiter, encoding: 'utf-8', caps, line: 1, byte: 0 })
  scanner.push({ text: head, bad: [], ascii: true })
  if (isWhole) scanner.finish()
  const rows: GridRow[] = []
  while (rows.length < gridRows && scanner.next()) {
    const { cells, line, fault, isComment } = scanner
    scanner.mayComment &&= isComment
    if (!fault && !isComment && cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells })
  }
  return rows
}

/** How many rows have the width that most have, if that is more than one column; of equal ones the wider counts more. */
function alikeIn(rows: GridRow[]): number {
  const counts = new Map<number, number>()
  for (const { cells } of rows)
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  const most = [...counts].sort(([a, m], [b, n]) => n - m || b - a)[0]
  return most ? most[1] + Math.min(most[0], 99) / 100 : 0
}
