import { findDatePart, hasNames } from '#functions/shapes/field.ts'
import { formatValue, getFieldUnit } from './format.ts'
import type { ChartInput } from './frame.ts'
import { columnDecimals } from './measure.ts'
import { createExtentFinder } from './periods.ts'
import { getPhrases } from './phrases.ts'
import { toReadableAnswer } from './readable.ts'

/** A column of the table next to a chart; `unit` is '' for none, and is not repeated in its cells. */
interface TableColumn {
  key: string
  name: string
  unit: string
  numeric: boolean
}

/**
 * The answer as a table of texts in readable units: columns in the order of the answer, rows in the order of the query.
 * Partially covered buckets are marked.
 */
export function chartTable(
  input: Pick<ChartInput, 'output' | 'rows' | 'locale' | 'timeZone' | 'dateLocale'>,
): {
  columns: TableColumn[]
  rows: string[][]
} {
  const { output, rows, locale, timeZone, dateLocale } = toReadableAnswer(input)
  const fields = Object.entries(output.schema)
  const columns = fields.map(([key, field]) => ({
    key,
    name: field.name,
    unit: getFieldUnit(field, locale),
    numeric: field.type === 'number' && findDatePart(field) === undefined && !hasNames(field),
  }))
  const options = fields.map(([key, field]) => ({
    locale,
    timeZone,
    dateLocale,
    unit: '',
    decimals: field.type === 'number' ? columnDecimals(rows, key, field) : undefined,
  }))
  const { partial } = getPhrases(locale)
  const extents = fields.map(([key]) => createExtentFinder({ output, rows, timeZone }, key))
  return {
    columns,
    rows: rows.map((row) =>
      fields.map(([key, field], at) => {
        const text = formatValue(row[key], field, options[at] ?? { locale, timeZone, dateLocale })
        return extents[at]?.(row[key]) === 'partial' ? `${text} (${partial})` : text
      }),
    ),
  }
}
