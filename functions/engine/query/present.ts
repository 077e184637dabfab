import type { AnswerRow, Output, OutputField } from '#functions/shapes/analytics.ts'
import { isCalendarDate } from '#functions/shapes/field.ts'
import { columnName } from './compile/column.ts'
import { totalColumn } from './compile/query.ts'
import { isGeometry } from './compile/value.ts'

/**
 * Converts the rows of an analytics query to an answer, by alias in the query's order. Numbers that the driver returns
 * as text become numbers, dates ISO text in UTC, calendar dates `YYYY-MM-DD`, geometry GeoJSON. What JSON cannot
 * represent, such as infinity, is null.
 */
export function present(rows: Record<string, unknown>[], output: Output): AnswerRow[] {
  const columns = output.aggregations.map(({ alias }, i) => ({
    alias,
    column: columnName(i),
    field: Object.hasOwn(output.schema, alias) ? output.schema[alias] : undefined,
  }))
  return rows.map((row) =>
    Object.fromEntries(columns.map(({ alias, column, field }) => [alias, presentValue(row[column], field)])),
  )
}

/**
 * Reduces the `values` of an answer's fields to those in its rows: a field may have a thousand codes, and an answer of
 * three rows needs three of them.
 */
export function withSeenValues(output: Output, rows: readonly AnswerRow[]): Output {
  const schema = Object.entries(output.schema).map(([alias, field]): [string, OutputField] => {
    if (field.values === undefined) return [alias, field]
    const presentValues = new Set(rows.map((row) => row[alias]))
    const { values, ...rest } = field
    const presentCodes = values.filter(({ value }) => presentValues.has(value))
    return [alias, presentCodes.length > 0 ? { ...rest, values: presentCodes } : rest]
  })
  return { ...output, schema: Object.fromEntries(schema) }
}

/** The number of rows that the answer would have without its limit; null where nothing limits it, or there are no rows. */
export function totalIn(rows: Record<string, unknown>[]): number | null {
  const total = rows[0]?.[totalColumn]
  return total === undefined ? null : Number(total)
}

type ValueDescription = Pick<OutputField, 'type' | 'items' | 'precision'>

function presentValue(value: unknown, field: ValueDescription | undefined): unknown {
  if (value === null || value === undefined) return null
  const type = field?.type
  if (type === 'number' || typeof value === 'bigint') {
    const number = Number(value)
    return Number.isFinite(number) ? number : null
  }
  if (field && isCalendarDate(field)) return typeof value === 'string' ? dayText(value) : null
  if (type === 'date' || value instanceof Date) return isoText(value)
  if (type === 'array' && Array.isArray(value)) return value.map((each) => presentValue(each, field?.items))
  if (isGeometry(type) && typeof value === 'string') return JSON.parse(value)
  return value
}

/** The text that the database has for a calendar date. It counts years before the first one down from 1 BC, ISO 8601 from 0. */
function dayText(text: string): string {
  if (!text.endsWith(' BC')) return text
  return String(Number(text.slice(0, 4)) - 1).padStart(4, '0') + text.slice(4, 10)
}

function isoText(value: unknown): string | null {
  if (!(value instanceof Date) && typeof value !== 'string') return null
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
