import { csvCells, csvHead, csvLine } from '#functions/engine/export/csv.ts'
import { spanOf } from '#functions/engine/export/spans.ts'
import { clockOf } from '#functions/engine/export/zone.ts'
import { flatRows } from '#functions/engine/chart/readable.ts'
import type { AnswerRow, Output } from '#functions/shapes/analytics.ts'

interface CsvAnswer {
  output: Output
  rows: AnswerRow[]
}

/** By whose clock the CSV of an answer is: the one by which it was cut; where nothing was, that of `timeZone`. */
const csvZoneOf = ({ output }: Pick<CsvAnswer, 'output'>, timeZone: string) => output.timeZone ?? timeZone

/** How the CSV of an answer is written, for who reads it by a program. */
export function csvNotes(answer: Pick<CsvAnswer, 'output'>, timeZone: string) {
  const spans = Object.entries(answer.output.schema).flatMap(([alias, field]) => {
    const span = spanOf(field)
    return span === undefined ? [] : [[alias, span] as const]
  })
  return {
    numbers: 'full precision' as const,
    timeZone: csvZoneOf(answer, timeZone),
    spans: Object.fromEntries(spans),
  }
}

/**
 * An answer as CSV, headed by its aliases; a point has two more columns, for its longitude and latitude. People open it in
 * spreadsheets, so what one would take for a formula gets an apostrophe; the JSON of the answer is exact. Spans of time are
 * called as people call them (`2012-01`), moments have the offset of the clock by which the answer was cut; numbers are
 * those of the answer, with all their digits.
 */
export function answerCsv(answer: CsvAnswer, timeZone: string): string {
  const { output, rows } = flatRows(answer)
  const clock = clockOf(csvZoneOf(answer, timeZone))
  const columns = Object.entries(output.schema).map(([key, field]) => {
    const { type, precision, items } = field
    const bucket = spanOf(field)
    return {
      ...{ key, head: key, type },
      ...(precision && { precision }),
      ...(items && { items }),
      ...(bucket !== undefined && { bucket }),
    }
  })
  const lines = rows.map((row) => csvLine(csvCells(columns, row, true, clock)))
  return csvLine(csvHead(columns, true)) + lines.join('')
}
