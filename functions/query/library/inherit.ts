import type { Inferred, Value } from '../types.ts'

function numeric(values: readonly Value[]): Inferred[] {
  return values.flatMap(({ types }) => types.filter(({ type }) => type === 'number' || type === 'date'))
}

/** Type and measurement of the first argument that measures something, else the type of the first. */
export function inherit(values: readonly Value[]): Inferred | undefined {
  const found = numeric(values)
  const first = found.find(({ measurement }) => measurement) ?? found[0]
  return first && { type: first.type, measurement: first.measurement, precision: first.precision }
}

/** As `inherit`, but a percentage gives no measurement: 33 % of 100 000 is a plain number. */
export function inheritFlat(values: readonly Value[]): Inferred {
  const measured = numeric(values).find(({ measurement }) => measurement && measurement.type !== 'percentage')
  return { type: 'number', measurement: measured?.measurement }
}
