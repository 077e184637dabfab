import { isPlainObject } from '#functions/shapes/fields/plain.ts'
import type { Path } from '../error.ts'
import type { ParsedAggregation } from '../types.ts'
import { parseFilters } from './filters.ts'
import { parseAlias, parseLabels } from './labels.ts'
import type { ParseContext } from './value.ts'
import { parseValue } from './value.ts'

const maxAggregations = 200

/** Parses the aggregations of a query, in order. Invalid ones are left out and reported in the issues. */
export function parseAggregations(input: unknown, context: ParseContext): ParsedAggregation[] {
  const { issues } = context
  if (!Array.isArray(input)) issues.add(['aggregations'], 'Must be an array.', input)
  else if (input.length === 0) issues.add(['aggregations'], 'Must have at least one aggregation.', input)
  else if (input.length > maxAggregations) {
    issues.add(['aggregations'], `Must not have more than ${maxAggregations} aggregations.`)
  } else {
    return input.flatMap((each: unknown, i) => parseAggregation(each, ['aggregations', i], context) ?? [])
  }
  return []
}

function parseAggregation(input: unknown, path: Path, context: ParseContext): ParsedAggregation | undefined {
  const { issues } = context
  if (!isPlainObject(input)) return issues.add(path, 'Must be an object.', input)
  const alias = parseAlias(input.alias, [...path, 'alias'], context)
  const labels = parseLabels(input, path, context)
  const isMissing = input.value === undefined || input.value === null || input.value === ''
  const value = isMissing
    ? issues.add([...path, 'value'], 'Missing value!', input.value)
    : parseValue(input.value, [...path, 'value'], context)
  const filter = parseFilters(input.filters, [...path, 'filters'], context)
  return alias === undefined || !value ? undefined : { alias, value, ...labels, filter }
}
