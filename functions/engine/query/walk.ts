import type { Call, FieldValue, Filter, Value } from './types.ts'

/** Whether a value or anything inside it has a property. */
export function contains(value: Value, has: (value: Value) => boolean): boolean {
  return has(value) || (value.kind === 'call' && value.arguments.some((each) => contains(each, has)))
}

export const isAggregate = (value: Value): boolean => value.kind === 'call' && value.function.aggregate
export const isExpansion = (value: Value): value is Call =>
  value.kind === 'call' && value.function.expands === true

/** The number of aggregate function calls in a value. */
export function countAggregates(value: Value): number {
  if (isAggregate(value)) return 1
  return value.kind === 'call' ? value.arguments.reduce((sum, each) => sum + countAggregates(each), 0) : 0
}

/**
 * Whether a value contains, outside of aggregate functions, something that passes. Does not descend into what `stop`
 * passes.
 */
export function containsOutside(
  value: Value,
  has: (value: Value) => boolean,
  stop: (value: Value) => boolean = () => false,
): boolean {
  if (isAggregate(value) || stop(value)) return false
  return (
    has(value) || (value.kind === 'call' && value.arguments.some((each) => containsOutside(each, has, stop)))
  )
}

/** The fields that a value reads, at any depth, with duplicates. */
export function fieldsIn(value: Value): FieldValue[] {
  if (value.kind === 'field') return [value]
  return value.kind === 'call' ? value.arguments.flatMap(fieldsIn) : []
}

/** The values a filter compares or tests. */
export function getFilterValues(filter: Filter): Value[] {
  if (filter.kind === 'condition') return [filter.value]
  if (filter.kind === 'comparison') return [filter.left, ...filter.right]
  if (filter.kind === 'not') return getFilterValues(filter.of)
  return filter.of.flatMap(getFilterValues)
}
