import { isPlainObject } from '#functions/shapes/fields/plain.ts'
import type { Path } from '../error.ts'
import type { ParsedAggregation, ParsedOrdering } from '../types.ts'
import { parseAliasReference } from './aliases.ts'
import type { ParseContext } from './value.ts'

/** Parses the orderings of a query, primary first. `aggregations`: those whose alias may be used. */
export function parseOrderings(
  input: unknown,
  aggregations: readonly ParsedAggregation[],
  context: ParseContext,
): ParsedOrdering[] {
  if (input === undefined || input === null || input === '') return []
  if (!Array.isArray(input)) return context.issues.add(['orderings'], 'Must be an array.', input) ?? []
  return input.flatMap(
    (each: unknown, i) => parseOrdering(each, ['orderings', i], aggregations, context) ?? [],
  )
}

function parseOrdering(
  input: unknown,
  path: Path,
  aggregations: readonly ParsedAggregation[],
  context: ParseContext,
): ParsedOrdering | undefined {
  const { issues } = context
  if (!isPlainObject(input)) return issues.add(path, 'Must be an object.', input)
  const isMissing = input.value === undefined || input.value === null || input.value === ''
  // A filtered aggregation differs from the same value without its filter.
  const match = isMissing
    ? issues.add([...path, 'value'], 'Missing ordering value.', input.value)
    : parseAliasReference(input.value, [...path, 'value'], aggregations, ({ filter }) => !filter, context)
  const direction = parseDirection(input.direction, [...path, 'direction'], context)
  return match && direction ? { ...match, direction } : undefined
}

function parseDirection(input: unknown, path: Path, { issues }: ParseContext): 'asc' | 'desc' | undefined {
  if (input === 'asc' || input === 'desc') return input
  if (input === undefined || input === null || input === '')
    return issues.add(path, 'Missing ordering direction.', input)
  return issues.add(path, 'Invalid ordering direction - must be asc or desc.', input)
}
