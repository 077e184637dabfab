import { isPlainObject } from '#functions/shapes/fields/plain.ts'
import type { Path } from '../error.ts'
import type { ParsedAggregation, Value } from '../types.ts'
import type { ParseContext } from './value.ts'
import { parseValue } from './value.ts'

const ambiguous = 'Field is ambigous - exists as both a column and an aggregation.'

/**
 * Parses a value that may be the alias of an aggregation, in groupings and orderings. Returns the index of that
 * aggregation or, with `mayEqual`, of an equal one. Aliases are only resolved at the top level: SQL allows none inside
 * of an expression.
 */
export function parseAliasReference(
  input: unknown,
  path: Path,
  aggregations: readonly ParsedAggregation[],
  mayEqual: (aggregation: ParsedAggregation) => boolean,
  context: ParseContext,
): { value: Value; aggregation?: number } | undefined {
  const reference = isPlainObject(input) && !Object.hasOwn(input, 'function') ? input.field : undefined
  const index = aggregations.findIndex(({ alias }) => alias === reference)
  const match = aggregations[index]
  if (match) {
    const column = context.fields.byPath.get(match.alias)
    const isColumn =
      match.value.kind === 'field' && match.value.field === column && match.value.deeper.length === 0
    if (column && !isColumn) return context.issues.add([...path, 'field'], ambiguous, reference)
    return { value: match.value, aggregation: index }
  }
  const value = parseValue(input, path, context)
  if (!value) return undefined
  const equal = aggregations.findIndex((each) => each.value.key === value.key && mayEqual(each))
  return { value, aggregation: equal === -1 ? undefined : equal }
}
