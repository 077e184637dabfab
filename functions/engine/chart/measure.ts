import type { AnswerRow, OutputField } from '#functions/shapes/analytics.ts'
import { findDatePart } from '#functions/shapes/field.ts'
import { axisTitle, decimalsFor, formatValue, isTiny, getFieldUnit } from './format.ts'
import type { AnyField, FormatOptions } from './format.ts'
import type { ChartInput } from './frame.ts'
import { roundStep } from './ticks.ts'
import type { Tick } from './ticks.ts'

/** The ticks of a numeric axis: compact, with the decimals of their step, without the unit. */
export function numberTicks(values: number[], field: OutputField | undefined, input: ChartInput): Tick[] {
  const options = { ...formatOptions(input), compact: true, unit: '' }
  if (findDatePart(field) !== undefined) {
    return values.map((value) => ({ value, label: formatValue(value, field, options) }))
  }
  const scale = field?.measurement?.type === 'percentage' ? 100 : 1
  const step = values.length > 1 ? Math.abs((values[1] ?? 0) - (values[0] ?? 0)) * scale : 1
  const decimals = isTiny(step) ? undefined : decimalPlaces(step)
  return values.map((value) => ({ value, label: formatValue(value, field, { ...options, decimals }) }))
}

function decimalPlaces(step: number): number {
  const text = Number(step.toPrecision(6))
  for (let places = 0; places < 8; places += 1) {
    if (Math.abs(text * 10 ** places - Math.round(text * 10 ** places)) < 1e-6) return places
  }
  return decimalsFor(roundStep(step, 1))
}

/** How the values of a chart are written. */
export const formatOptions = (input: ChartInput): FormatOptions => ({
  locale: input.locale,
  timeZone: input.timeZone,
  dateLocale: input.dateLocale,
})

/** The formatted value of the measure, with the configured unit if any. */
export function formatMeasure(
  value: unknown,
  field: OutputField | undefined,
  input: ChartInput,
  options: { compact?: boolean; decimals?: number } = {},
): string {
  const unit = field?.type === 'number' ? input.visualization.settings?.unit : undefined
  return formatValue(value, field, { ...formatOptions(input), ...options, unit: unit || undefined })
}

/** The decimals that numbers which are compared with each other are all written with; undefined for date parts and tiny numbers. */
export function computeSharedDecimals(values: number[], field: OutputField | undefined): number | undefined {
  if (findDatePart(field) !== undefined) return undefined
  const isPercentage = field?.measurement?.type === 'percentage'
  const displayValues = values.map((value) => Number((isPercentage ? value * 100 : value).toPrecision(12)))
  const most = displayValues.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)
  if (isTiny(most)) return undefined
  const limit = most >= 1000 ? 0 : isPercentage || most >= 10 ? 1 : most >= 1 ? 2 : decimalsFor(most)
  // Amounts of money never have a single decimal.
  if (field?.measurement?.type === 'currency' && limit === 1 && !displayValues.every(Number.isInteger))
    return 2
  for (let decimals = 0; decimals < limit; decimals += 1) {
    if (displayValues.every((value) => Math.abs(value - Number(value.toFixed(decimals))) < 1e-9))
      return decimals
  }
  return limit
}

/** The decimals of a column in an answer, common to all of its values in tables and sentences. */
export function columnDecimals(rows: AnswerRow[], alias: string, field: OutputField): number | undefined {
  const values = rows.map((row) => toNumber(row[alias])).filter((value) => value !== null)
  const shared = computeSharedDecimals(values, field)
  if (shared === undefined || values.every(Number.isInteger)) return shared
  return Math.max(field.measurement?.type === 'currency' ? 2 : 1, shared)
}

/** The most decimals in a table: enough for a position to a decimetre. */
const maxDecimals = 6

/**
 * The decimals of a column of records, such that every value is displayed exactly: those of the longest one, at most
 * six. Undefined where that would hide a value (a millionth of a millionth) and for date parts: each is then formatted
 * by itself.
 */
export function recordDecimals(values: unknown[], field: AnyField): number | undefined {
  if (findDatePart(field) !== undefined) return undefined
  const scale = field.measurement?.type === 'percentage' ? 100 : 1
  const numbers = values.map(toNumber).filter((value) => value !== null)
  const scaledValues = numbers.map((value) => Number((value * scale).toPrecision(15)))
  const places = (value: number) => {
    for (let decimals = 0; decimals < maxDecimals; decimals += 1)
      if (Number(value.toFixed(decimals)) === value) return decimals
    return maxDecimals
  }
  if (scaledValues.some(isTiny)) return undefined
  const longest = Math.max(0, ...scaledValues.map(places))
  return longest > 0 && field.measurement?.type === 'currency' ? Math.max(2, longest) : longest
}

/** The name of the measure with its unit. */
export const measureTitle = (field: OutputField | undefined, input: ChartInput): string =>
  axisTitle(field, input.visualization.settings?.unit || getFieldUnit(field, input.locale))

/** The noun of a count without a unit: the name of its column; '' for other values. */
export function getCountNoun(alias: string | undefined, { output }: ChartInput): string {
  const own = output.aggregations.find((each) => each.alias === alias)
  if (own?.function !== 'count' && own?.function !== 'distinctCount') return ''
  return output.schema[own.alias]?.name ?? ''
}

/** A finite number, or null. Numbers that came as text are read. */
export function toNumber(value: unknown): number | null {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}
