import { exclusionNames } from '#functions/shapes/exclusions.ts'
import type { BasicOptions, Filter, ParsedAggregation, QueryEnv } from '../types.ts'
import { parseConditions } from './conditions.ts'
import { asNumber } from '#functions/shapes/fields/constants.ts'
import { parseFilters } from './filters.ts'
import { parseOrderings } from './orderings.ts'
import { isAbsent } from './place.ts'
import type { ParseContext } from './value.ts'

type Query = Record<string, unknown>

/**
 * Parses the options of every kind of query. Orderings may use the aliases of `aggregations`, filters the context
 * `filtering`.
 */
export function parseOptions(
  query: Query,
  env: QueryEnv,
  aggregations: readonly ParsedAggregation[],
  context: ParseContext,
  filtering: ParseContext = context,
): BasicOptions {
  // In the order in which issues are reported.
  const conditions = parseConditions(query, env.fields, [], context, env.set)
  const excluded = parseExclusions(query.exclusions, context)
  const limit = parseWhole(query.limit, 'limit', context) ?? env.defaultLimit
  return {
    ...conditions,
    excluded,
    limit: Math.min(limit, env.maxLimit),
    isCapped: limit > env.maxLimit,
    offset: parseWhole(query.offset, 'offset', context) ?? 0,
    filters: [
      parseFilters(query.filters, ['filters'], filtering),
      parseFilters(query.where, ['where'], filtering),
    ].filter((each): each is Filter => each !== undefined),
    orderings: parseOrderings(query.orderings, aggregations, context),
  }
}

/** Paths of excluded fields. A group such as `data` includes all of its fields. */
function parseExclusions(input: unknown, { fields, issues }: ParseContext): Set<string> {
  const excluded = new Set<string>()
  exclusionNames(input).forEach((name, i) => {
    const [head = ''] = name.split('.')
    if (!fields.byPath.has(head) && !fields.groups.has(head))
      issues.add(['exclusions', i], 'Invalid exclusion.', name)
    excluded.add(name)
    if (fields.groups.has(name)) {
      for (const path of fields.byPath.keys()) if (path.startsWith(`${name}.`)) excluded.add(path)
    }
  })
  return excluded
}

function parseWhole(input: unknown, name: 'limit' | 'offset', { issues }: ParseContext): number | undefined {
  if (isAbsent(input)) return undefined
  const number = asNumber(input)
  if (number !== undefined && Number.isSafeInteger(number) && number >= 0) return number
  return issues.add([name], name === 'limit' ? 'Invalid limit.' : 'Invalid offset.', input)
}
