import type { AnswerRow, Output, OutputField } from '#functions/shapes/analytics.ts'
import { toNumber } from './measure.ts'

/** The microseconds of each duration unit, ascending. */
const lengths: Record<string, number> = {
  microsecond: 1,
  millisecond: 1e3,
  second: 1e6,
  minute: 6e7,
  hour: 3.6e9,
  day: 8.64e10,
}

type ReadableAnswer = { output: Output; rows: AnswerRow[] }

/**
 * The same answer in a readable form: rows flattened by alias, and durations in a suitable unit: date differences are in
 * milliseconds. Already readable answers are returned unchanged.
 */
export function toReadableAnswer<Given extends ReadableAnswer>(input: Given): Given {
  const flat = flatRows(input)
  const units = Object.entries(flat.output.schema).flatMap(([alias, field]) => {
    const unit = suitingUnit(field, flat.rows, alias)
    return unit === undefined ? [] : [{ alias, field, ...unit }]
  })
  if (units.length === 0) return flat
  const schema = { ...flat.output.schema }
  for (const { alias, field, unit } of units)
    schema[alias] = { ...field, measurement: { type: 'duration', value: unit } }
  const rows = flat.rows.map((row) => {
    const scaled = { ...row }
    for (const { alias, factor } of units) {
      const value = toNumber(row[alias])
      if (value !== null) scaled[alias] = Number((value * factor).toPrecision(12))
    }
    return scaled
  })
  return { ...flat, output: { ...flat.output, schema }, rows }
}

/**
 * The same answer with its rows flattened by alias: fields of records are named `data.cost` in the schema and nested in
 * the rows. They precede the system fields of a record.
 */
export function flatRows<Given extends ReadableAnswer>(input: Given): Given {
  const { schema } = input.output
  const nested = Object.keys(schema).filter((alias) => alias.startsWith('data.'))
  const [first] = input.rows
  if (!first || nested.length === 0 || nested.some((alias) => alias in first)) return input
  const rows = input.rows.map((row) => ({
    ...row,
    ...Object.fromEntries(nested.map((alias) => [alias, valueAt(row, alias.split('.'))])),
  }))
  const columns = [...nested, ...Object.keys(schema).filter((alias) => !nested.includes(alias))]
  const orderedSchema = Object.fromEntries(columns.map((alias) => [alias, schema[alias]])) as typeof schema
  return { ...input, output: { ...input.output, schema: orderedSchema }, rows }
}

function valueAt(value: unknown, path: string[]): unknown {
  let match = value
  for (const key of path) {
    if (typeof match !== 'object' || match === null || !Object.hasOwn(match, key)) return null
    match = (match as Record<string, unknown>)[key]
  }
  return match
}

/** The largest unit of which the largest duration has at least two; none where its own gives 1 to 1000. */
function suitingUnit(
  { measurement, type }: OutputField,
  rows: AnswerRow[],
  alias: string,
): { unit: string; factor: number } | undefined {
  if (type !== 'number' || measurement?.type !== 'duration') return undefined
  const own = lengths[measurement.value]
  if (own === undefined) return undefined
  let most = 0
  for (const row of rows) most = Math.max(most, Math.abs(toNumber(row[alias]) ?? 0))
  if (most === 0 || (most >= 1 && most < 1000)) return undefined
  const fits = Object.entries(lengths).filter(([, length]) => most * own >= 2 * length)
  const [unit, length] = fits.at(-1) ?? ['microsecond', 1]
  return unit === measurement.value ? undefined : { unit, factor: own / length }
}
