import type { AnswerRow, Output, OutputField } from '#functions/shapes/analytics.ts'
import { columnName } from './compile/column.ts'
import { totalColumn } from './compile/query.ts'
import { isGeometry } from './compile/value.ts'

/**
 * The rows of an analytics query as an answer, by alias in the query's order. Numbers that the driver gives as text
 * become numbers, dates ISO text in UTC, geometry GeoJSON. What JSON cannot say, such as an infinite number, is null.
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

/** How many rows the answer would have without its limit; null where nothing limits it, or no row is there to say it. */
export function totalIn(rows: Record<string, unknown>[]): number | null {
  const total = rows[0]?.[totalColumn]
  return total === undefined ? null : Number(total)
}

type Described = Pick<OutputField, 'type' | 'items'>

function presentValue(value: unknown, field: Described | undefined): unknown {
  if (value === null || value === undefined) return null
  const type = field?.type
  if (type === 'number' || typeof value === 'bigint') {
    const number = Number(value)
    return Number.isFinite(number) ? number : null
  }
  if (type === 'date' || value instanceof Date) return isoText(value)
  if (type === 'array' && Array.isArray(value)) return value.map((each) => presentValue(each, field?.items))
  if (isGeometry(type) && typeof value === 'string') return JSON.parse(value)
  return value
}

function isoText(value: unknown): string | null {
  if (!(value instanceof Date) && typeof value !== 'string') return null
  const date = new Date(value)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
