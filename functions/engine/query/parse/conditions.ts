import type { Path } from '../error.ts'
import type { Conditions, LentSet, QueryField } from '../types.ts'
import { asLooseDate } from '#functions/shapes/fields/constants.ts'
import { isAbsent, parsePoint, parseWithin } from './place.ts'
import type { ParseContext } from './value.ts'

/**
 * Parses the options besides filters that select rows, of a query or of a join. `path`: their position;
 * `set`: the boundary set that `within` may use.
 */
export function parseConditions(
  { search, before, after, within, intersects }: Record<string, unknown>,
  fields: readonly QueryField[],
  path: Path,
  context: ParseContext,
  set?: LentSet,
): Omit<Conditions, 'filters'> {
  return {
    search: parseSearch(search, fields, [...path, 'search'], context),
    before: parseInstant(before, [...path, 'before'], context),
    after: parseInstant(after, [...path, 'after'], context),
    within: parseWithin(within, [...path, 'within'], context.issues, set),
    intersects: parsePoint(intersects, [...path, 'intersects'], context.issues),
  }
}

function parseSearch(
  input: unknown,
  fields: readonly QueryField[],
  path: Path,
  { issues }: ParseContext,
): string | undefined {
  if (isAbsent(input)) return undefined
  const text = typeof input === 'string' ? input.trim() : issues.add(path, 'Must be a string.', input)
  if (fields.some(({ searchable }) => searchable)) return text === '' ? undefined : text
  return issues.add(path, 'Endpoint does not support search.', input)
}

function parseInstant(input: unknown, path: Path, { issues }: ParseContext): string | undefined {
  return isAbsent(input) ? undefined : (asLooseDate(input) ?? issues.add(path, 'Not a valid date!', input))
}
