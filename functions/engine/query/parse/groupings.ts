import type { ParsedAggregation, ParsedGrouping } from '../types.ts'
import { parseAliasReference } from './aliases.ts'
import type { ParseContext } from './value.ts'

const maxGroupings = 20

/** Parses the groupings of a query, in order; empty without any. */
export function parseGroupings(
  input: unknown,
  aggregations: readonly ParsedAggregation[],
  context: ParseContext,
): ParsedGrouping[] {
  const { issues } = context
  if (input === undefined || input === null || input === '') return []
  if (!Array.isArray(input)) issues.add(['groupings'], 'Must be an array.', input)
  else if (input.length > maxGroupings)
    issues.add(['groupings'], `Must not have more than ${maxGroupings} groupings.`)
  else {
    return input.flatMap(
      (each, i) => parseAliasReference(each, ['groupings', i], aggregations, () => true, context) ?? [],
    )
  }
  return []
}
