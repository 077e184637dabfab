import { RecordScanner } from './records.ts'
import type { Caps } from './caps.ts'

export interface ChosenDelimiter {
  delimiter: string
  columns: number
  /** Each row ends with a delimiter that the header has not. */
  isTrailing: boolean
  evidence: string
}

const candidates: [delimiter: string, name: string][] = [
  [',', 'commas'],
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
]
const sampleRows = 50

/**
 * What separates the cells of a table, by its first rows: of the separators that the header has, the one by which most
 * rows have as many cells as it, then the one that makes most columns. None in the header: one column, as by commas.
 */
export function chooseDelimiter(head: string, isWhole: boolean, caps: Caps, only?: string): ChosenDelimiter {
  const tried = candidates
    .filter(([delimiter]) => only === undefined || delimiter === only)
    .map(([delimiter, name]) => ({ delimiter, name, ...sampleOf(head, isWhole, caps, delimiter) }))
    .sort((a, b) => b.share - a.share || b.columns - a.columns)
  const best = tried.find(({ columns }) => columns > 1)
  if (!best)
    return { delimiter: only ?? ',', columns: 1, isTrailing: false, evidence: 'The table has one column.' }
  const { delimiter, name, rows, alike, columns, isTrailing } = best
  const what = rows ? `${alike} of the first ${rows} rows have` : 'the header has'
  return {
    delimiter,
    columns,
    isTrailing,
    evidence: `Columns are separated by ${name}: ${what} ${columns} columns.`,
  }
}

function sampleOf(head: string, isWhole: boolean, caps: Caps, delimiter: string) {
  const counts: number[] = []
  const empties: boolean[] = []
  const scanner = new RecordScanner({ delimiter, encoding: 'utf-8', caps, line: 1, byte: 0 })
  scanner.push({ text: head, bad: [], ascii: true })
  if (isWhole) scanner.finish()
  let hasComments = false
  while (counts.length <= sampleRows && scanner.next()) {
    const { cells, isComment } = scanner
    hasComments ||= isComment
    if (isComment || (cells.length === 1 && !cells[0]?.trim())) continue
    scanner.mayComment = hasComments
    counts.push(cells.length)
    empties.push(cells.at(-1) === '')
  }
  const [columns = 0, ...rest] = counts
  const isTrailing =
    columns > 1 && rest.length > 0 && rest.every((count, i) => count === columns + 1 && empties[i + 1])
  const alike = rest.filter((count) => count === columns + (isTrailing ? 1 : 0)).length
  return { columns, rows: rest.length, alike, share: rest.length ? alike / rest.length : 0, isTrailing }
}
