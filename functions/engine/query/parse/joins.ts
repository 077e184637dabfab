import { isPlainObject } from '#functions/shapes/fields/plain.ts'
import type { Path } from '../error.ts'
import type { Filter, OfferedJoin, ParsedJoin, QueryEnv } from '../types.ts'
import { parseConditions } from './conditions.ts'
import { coerce } from './constants.ts'
import type { FieldIndex } from './fields.ts'
import { indexFields, undefinedJoin } from './fields.ts'
import { parseFilters } from './filters.ts'
import { parseAlias, parseLabels } from './labels.ts'
import { isAbsent } from './place.ts'
import type { ParseContext } from './value.ts'

export const maxJoins = 3

/** Options that exist once per query, for all of its rows. */
const queryOnlyKeys = ['limit', 'offset', 'orderings', 'exclusions', 'timezone', 'customYearStart'] as const

/** Parses the joins of a query among the available ones, in order; empty without any. */
export function parseJoins(input: unknown, env: QueryEnv, context: ParseContext): ParsedJoin[] {
  const { issues } = context
  if (isAbsent(input)) return []
  if (!Array.isArray(input)) issues.add(['joins'], 'Must be an array.', input)
  else if (input.length > 0 && !env.joins) issues.add(['joins'], 'Endpoint does not support joins.', input)
  else if (input.length > maxJoins) issues.add(['joins'], `Must not have more than ${maxJoins} joins.`)
  else {
    const joinsByAlias = new Map(env.joins?.offered.map((each) => [each.alias, each]))
    const aliases = new Set<string>()
    return input.flatMap((each, i) => parseJoin(each, ['joins', i], joinsByAlias, aliases, context) ?? [])
  }
  return []
}

function parseJoin(
  input: unknown,
  path: Path,
  all: ReadonlyMap<string, OfferedJoin>,
  aliases: Set<string>,
  context: ParseContext,
): ParsedJoin | undefined {
  const { issues } = context
  if (!isPlainObject(input)) return issues.add(path, 'Must be an object.', input)
  const alias = parseAlias(input.alias, [...path, 'alias'], context)
  parseLabels(input, path, context)
  const required = parseFlag(input.required, [...path, 'required'], context)
  for (const name of queryOnlyKeys) {
    if (!isAbsent(input[name])) issues.add([...path, name], 'Must stand outside of the join.', input[name])
  }
  const side = alias === undefined ? undefined : all.get(alias)
  if (alias === undefined || !side) {
    if (alias !== undefined) issues.add([...path, 'alias'], undefinedJoin, alias)
    return undefined
  }
  if (aliases.has(alias)) issues.add([...path, 'alias'], 'Duplicate join.', alias)
  aliases.add(alias)
  const own = indexFields(side.fields, alias)
  const paired = { ...context, fields: { ...own, others: new Map([['parent', context.fields]]) } }
  const on = parseFilters(input.filters, [...path, 'filters'], paired)
  const alone = { ...context, fields: own }
  const where = parseFilters(input.where, [...path, 'where'], alone)
  const filters: Filter[] = where ? [where] : []
  return {
    ...{ side, required, on, filters },
    ...parseConditions(input, side.fields, path, alone),
  }
}

/** A flag that may come from a query string, where everything is text. */
function parseFlag(input: unknown, path: Path, { issues }: ParseContext): boolean {
  if (isAbsent(input)) return false
  const flag = coerce(input, { type: 'boolean' })
  if (typeof flag !== 'boolean') issues.add(path, 'Not a valid boolean value', input)
  return flag === true
}

/** The fields of the main rows, with those of the joins as `~alias.field`. */
export function withJoins(main: FieldIndex, joins: readonly ParsedJoin[]): FieldIndex {
  const others = joins.map(({ side }): [string, FieldIndex] => [
    side.alias,
    indexFields(side.fields, side.alias),
  ])
  return { ...main, others: new Map(others) }
}
