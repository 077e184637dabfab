import { csvCells, csvHead, csvLine } from '#functions/engine/export/csv.ts'
import { findBucketSpan } from '#functions/engine/export/spans.ts'
import { createClock } from '#functions/engine/export/zone.ts'
import { flatRows } from '#functions/engine/chart/readable.ts'
import type { AnswerRow, Output } from '#functions/shapes/analytics.ts'

interface CsvAnswer {
  output: Output
  rows: AnswerRow[]
}

/** The time zone of an answer's CSV: the one of its buckets, otherwise `timeZone`. */
const getCsvZone = ({ output }: Pick<CsvAnswer, 'output'>, timeZone: string) => output.timeZone ?? timeZone

/** The format of an answer's CSV, for programs. */
export function csvNotes(answer: Pick<CsvAnswer, 'output'>, timeZone: string) {
  const spans = Object.entries(answer.output.schema).flatMap(([alias, field]) => {
    const span = findBucketSpan(field)
    return span === undefined ? [] : [[alias, span] as const]
  })
  return {
    numbers: 'full precision' as const,
    timeZone: getCsvZone(answer, timeZone),
    spans: Object.fromEntries(spans),
  }
}

/**
 * An answer as CSV, with its aliases as header; a point has two more columns, for its longitude and latitude. Meant for
 * spreadsheets, so possible formulas are prefixed with an apostrophe; the JSON of the answer is exact. Buckets have
 * readable names (`2012-01`), instants the offset of the answer's time zone; numbers are unrounded.
 */
export function answerCsv(answer: CsvAnswer, timeZone: string): string {
  const { output, rows } = flatRows(answer)
  const clock = createClock(getCsvZone(answer, timeZone))
  const columns = Object.entries(output.schema).map(([key, field]) => {
    const { type, precision, items } = field
    const bucket = findBucketSpan(field)
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
