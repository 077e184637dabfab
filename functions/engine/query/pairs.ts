import type { FieldValue, Filter, ParsedJoin, QueryField } from './types.ts'

/** Some values stand in more rows than others: a row has so many times more partners than were all alike. */
const unevenness = 4

/**
 * About how many pairs a join makes of so many main rows; every row with every row where no field of the one side must equal one of the
 * other. How often values repeat is what the fields' `spread` says; of what nothing is known each value is taken for rare.
 */
export function pairsOf({ offered, on }: ParsedJoin, rows: number): number {
  const equal = equalitiesIn(on).map(([one, other]) =>
    equalPairs([one.field, offered.rows], [other.field, rows]),
  )
  return Math.min(rows * Math.max(1, offered.rows), ...equal)
}

/** The fields of the one side that must equal fields of the other: such rows are found, not tried pair by pair. */
function equalitiesIn(filter: Filter | undefined): [FieldValue, FieldValue][] {
  if (!filter) return []
  if (filter.kind === 'all') return filter.of.flatMap(equalitiesIn)
  if (filter.kind !== 'comparison' || filter.operator.key !== '$eq') return []
  const { left, right } = filter
  const [value] = right
  if (right.length !== 1 || value?.kind !== 'field' || value.join === left.join) return []
  return [left.join === undefined ? [value, left] : [left, value]]
}

type Of = [field: QueryField, rows: number]

function equalPairs(one: Of, other: Of): number {
  const [a, b] = [one[0].spread?.values, other[0].spread?.values]
  if (a && b)
    return Object.entries(a).reduce(
      (sum, [value, rows]) => sum + rows * (Object.hasOwn(b, value) ? (b[value] ?? 0) : 0),
      0,
    )
  const different = Math.max(differentIn(one), differentIn(other), 1)
  return (unevenness * one[1] * other[1]) / different
}

/** How many different values a field may have. */
function differentIn([{ spread }, rows]: Of): number {
  const distinct = spread?.values ? Object.keys(spread.values).length : spread?.most
  return Math.min(rows, distinct ?? rows)
}
