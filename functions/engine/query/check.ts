import type { Path } from './error.ts'
import type { ParseContext } from './parse/value.ts'
import type { ParsedAggregation, ParsedGrouping, ParsedOrdering, Value } from './types.ts'
import { contains, containsOutside, countAggregates, isAggregate, isExpansion } from './walk.ts'

/** Whether a value differs between rows. A list may be grouped, but its expanded items still vary. */
const isOfRow = (value: Value) => value.kind === 'field' || isExpansion(value)
const isNested = (value: Value) =>
  value.kind === 'call' &&
  value.function.aggregate &&
  value.arguments.some((each) => contains(each, isAggregate))
const mustAggregate = 'Must contain an aggregation.'
const mustNotAggregate = 'Must not contain an aggregation.'
const mustNotNest = 'Must not contain an aggregation of an aggregation.'

/** Checks aggregations alone: unique aliases, filters only on aggregates, no nested aggregations. */
export function checkAggregations(
  aggregations: readonly ParsedAggregation[],
  { issues }: ParseContext,
): void {
  const aliases = new Set<string>()
  aggregations.forEach(({ alias, value, filter }, i) => {
    if (aliases.has(alias)) issues.add(['aggregations', i, 'alias'], 'Duplicate aggregation.', alias)
    aliases.add(alias)
    if (contains(value, isNested)) issues.add(['aggregations', i, 'value'], mustNotNest)
    if (filter && countAggregates(value) === 0) issues.add(['aggregations', i, 'filters'], mustAggregate)
  })
}

/** Checks rules across clauses: a field outside of an aggregate function must be grouped; a grouping must not aggregate. */
export function checkClauses(
  aggregations: readonly ParsedAggregation[],
  groupings: readonly ParsedGrouping[],
  orderings: readonly ParsedOrdering[],
  { issues }: ParseContext,
): void {
  const grouped = new Set(groupings.map(({ value }) => value.key))
  const check = (value: Value, path: Path) => {
    if (containsOutside(value, isOfRow, ({ key }) => grouped.has(key))) issues.add(path, mustAggregate)
  }
  aggregations.forEach(({ value }, i) => check(value, ['aggregations', i, 'value']))
  groupings.forEach(({ value }, i) => {
    if (contains(value, isAggregate)) issues.add(['groupings', i], mustNotAggregate)
  })
  orderings.forEach(({ value, aggregation }, i) => {
    if (aggregation !== undefined) return
    check(value, ['orderings', i, 'value'])
    if (contains(value, isNested)) issues.add(['orderings', i, 'value'], mustNotNest)
  })
}

/** Rules for the orderings of rows: each must be something a single row can answer. */
export function checkRowOrderings(orderings: readonly ParsedOrdering[], { issues }: ParseContext): void {
  orderings.forEach(({ value }, i) => {
    if (contains(value, isAggregate)) issues.add(['orderings', i, 'value'], mustNotAggregate)
    if (contains(value, isExpansion))
      issues.add(['orderings', i, 'value'], 'Must not contain an expanded list.')
  })
}
