import type { FieldValue, Filter, ParsedJoin, QueryField } from './types.ts'

/** Allowance for skew: some values occur in more rows than others, so a row has this many times the partners of an even distribution. */
const unevenness = 4

/**
 * Estimates how many pairs a join makes of `rows` main rows. Without a condition that a field of one side equals a field of the other,
 * every row is paired with every row. How often values repeat is read from `spread` of the fields; without it every value is assumed to
 * be rare.
 */
export function estimatePairs({ side, on }: ParsedJoin, rows: number): number {
  const equal = equalitiesIn(on).map(([one, other]) =>
    equalPairs([one.field, side.rows], [other.field, rows]),
  )
  return Math.min(rows * Math.max(1, side.rows), ...equal)
}

/** The fields of one side that must equal fields of the other: these rows are found by a hash join, not tried pair by pair. */
function equalitiesIn(filter: Filter | undefined): [FieldValue, FieldValue][] {
  if (!filter) return []
  if (filter.kind === 'all') return filter.of.flatMap(equalitiesIn)
  if (filter.kind !== 'comparison' || filter.operator.key !== '$eq') return []
  const { left, right } = filter
  const [value] = right
  if (right.length !== 1 || value?.kind !== 'field' || value.join === left.join) return []
  return [left.join === undefined ? [value, left] : [left, value]]
}

type FieldSize = [field: QueryField, rows: number]

function equalPairs(one: FieldSize, other: FieldSize): number {
  const [a, b] = [one[0].spread?.values, other[0].spread?.values]
  if (a && b)
    return Object.entries(a).reduce(
      (sum, [value, rows]) => sum + rows * (Object.hasOwn(b, value) ? (b[value] ?? 0) : 0),
      0,
    )
  const different = Math.max(differentIn(one), differentIn(other), 1)
  return (unevenness * one[1] * other[1]) / different
}

/** An upper bound for the number of distinct values of a field. */
function differentIn([{ spread }, rows]: FieldSize): number {
  const distinct = spread?.values ? Object.keys(spread.values).length : spread?.most
  return Math.min(rows, distinct ?? rows)
}
