import { csvCells, csvHead, csvLine } from '../exports/csv.ts'
import { flatRows } from '../pictures/subject.ts'
import type { AnswerRow, Output } from '../shapes/analytics.ts'

/**
 * An answer as CSV, headed by its aliases; a point has two more columns, for its longitude and latitude. People open it in
 * spreadsheets, so what one would take for a formula gets an apostrophe; the JSON of the answer is exact.
 */
export function answerCsv(answer: { output: Output; rows: AnswerRow[] }): string {
  const { output, rows } = flatRows(answer)
  const columns = Object.entries(output.schema).map(([key, { type, items }]) => ({
    ...{ key, head: key, type },
    ...(items && { items: { type: items.type } }),
  }))
  const lines = rows.map((row) => csvLine(csvCells(columns, row, true)))
  return csvLine(csvHead(columns, true)) + lines.join('')
}
