import type { ValueInfo, Value } from '../types.ts'

function numeric(values: readonly Value[]): ValueInfo[] {
  return values.flatMap(({ types }) => types.filter(({ type }) => type === 'number' || type === 'date'))
}

/**
 * Type and measurement of the first argument that has one, otherwise the type of the first. A free-text unit only if no
 * other argument has a different one.
 */
export function inherit(values: readonly Value[]): ValueInfo | undefined {
  const rows = numeric(values)
  const first = rows.find(({ measurement }) => measurement) ?? rows[0]
  const { type, measurement, precision } = first ?? {}
  const units = new Set(rows.flatMap(({ unit }) => unit ?? []))
  const [unit] = units.size === 1 && !measurement ? units : []
  return type && { type, measurement, precision, ...(unit !== undefined && { unit }) }
}

/**
 * Like `inherit`, but a percentage has no measurement: 33 % of 100 000 is a plain number. A free-text unit is kept where
 * the other argument has none: three times kilograms are kilograms, a number divided by kilograms is not.
 */
export function inheritFlat(values: readonly Value[]): ValueInfo {
  const rows = numeric(values)
  const source = rows.find(({ measurement }) => measurement && measurement.type !== 'percentage')
  const [first, ...others] = rows
  const isAlone = others.every(({ measurement, unit }) => !measurement && unit === undefined)
  const unit = isAlone && !source ? first?.unit : undefined
  return { type: 'number', measurement: source?.measurement, ...(unit !== undefined && { unit }) }
}
