import type { BasicOptions, Filter, ParsedAggregation, QueryEnv } from '../types.ts'
import { asLooseDate, asNumber } from './constants.ts'
import { parseFilters } from './filters.ts'
import { parseOrderings } from './orderings.ts'
import { isAbsent, parseBox, parsePoint } from './place.ts'
import type { ParseContext } from './value.ts'

type Query = Record<string, unknown>

/** The options that every kind of query has. Orderings may use the aliases of `aggregations`. */
export function parseOptions(
  query: Query,
  env: QueryEnv,
  aggregations: readonly ParsedAggregation[],
  context: ParseContext,
): BasicOptions {
  const { issues } = context
  return {
    search: parseSearch(query.search, env, context),
    before: parseInstant(query.before, 'before', context),
    after: parseInstant(query.after, 'after', context),
    within: parseBox(query.within, issues),
    intersects: parsePoint(query.intersects, issues),
    excluded: parseExclusions(query.exclusions, context),
    limit: Math.min(parseWhole(query.limit, 'limit', context) ?? env.defaultLimit, env.maxLimit),
    offset: parseWhole(query.offset, 'offset', context) ?? 0,
    filters: [
      parseFilters(query.filters, ['filters'], context),
      parseFilters(query.where, ['where'], context),
    ].filter((each): each is Filter => each !== undefined),
    orderings: parseOrderings(query.orderings, aggregations, context),
  }
}

function parseSearch(input: unknown, env: QueryEnv, { issues }: ParseContext): string | undefined {
  if (isAbsent(input)) return undefined
  const text = typeof input === 'string' ? input.trim() : issues.add(['search'], 'Must be a string.', input)
  if (env.fields.some(({ searchable }) => searchable)) return text === '' ? undefined : text
  return issues.add(['search'], 'Endpoint does not support search.', input)
}

function parseInstant(
  input: unknown,
  name: 'before' | 'after',
  { issues }: ParseContext,
): string | undefined {
  return isAbsent(input) ? undefined : (asLooseDate(input) ?? issues.add([name], 'Not a valid date!', input))
}

/** Paths of fields to leave out. A group such as `data` stands for all of its fields. */
function parseExclusions(input: unknown, { fields, issues }: ParseContext): Set<string> {
  const excluded = new Set<string>()
  exclusionList(input).forEach((name, i) => {
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

/** The text of a name. What is no text names no field: an object of a query string cannot even be written as one. */
const nameIn = (part: unknown) => (typeof part === 'object' ? '[]' : String(part))

function exclusionList(input: unknown): string[] {
  if (isAbsent(input)) return []
  if (Array.isArray(input)) return input.map(nameIn)
  const names = nameIn(input).split(',')
  return names.map((name) => name.trim()).filter((name) => name !== '')
}

function parseWhole(input: unknown, name: 'limit' | 'offset', { issues }: ParseContext): number | undefined {
  if (isAbsent(input)) return undefined
  const number = asNumber(input)
  if (number !== undefined && Number.isSafeInteger(number) && number >= 0) return number
  return issues.add([name], name === 'limit' ? 'Invalid limit.' : 'Invalid offset.', input)
}
