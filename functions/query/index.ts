import type { RawBuilder } from 'kysely'
import type { Output } from '#functions/shapes/analytics.ts'
import { checkAggregations, checkClauses, checkRowOrderings } from './check.ts'
import { compileConditions } from './compile/filters.ts'
import { compileRowOrderings } from './compile/orderings.ts'
import { compileQuery } from './compile/query.ts'
import { Issues } from './error.ts'
import { describe } from './output.ts'
import { parseAggregations } from './parse/aggregations.ts'
import { indexFields } from './parse/fields.ts'
import { parseGroupings } from './parse/groupings.ts'
import { parseOptions } from './parse/options.ts'
import { checkSize } from './parse/size.ts'
import { parseTime } from './parse/time.ts'
import type { ParseContext } from './parse/value.ts'
import { isObject } from './parse/value.ts'
import type { ParsedQuery, QueryEnv, Scope, TimeOptions } from './types.ts'

export { readsClock } from './clock.ts'
export { QueryError } from './error.ts'
export type { Issue } from './error.ts'
export { functions } from './library/index.ts'
export { present } from './present.ts'
export type { LanguageFunction, ParsedQuery, QueryEnv, QueryField, Scope } from './types.ts'

/**
 * A query that aggregates, ready to run over a scope, with what its answer looks like. Give the rows it brings to
 * `present`: their columns have no aliases. Throws a QueryError with all issues of the first stage that has any.
 */
export function analytics(
  input: unknown,
  env: QueryEnv,
): { query(scope: Scope): RawBuilder<Record<string, unknown>>; output: Output; parsed: ParsedQuery } {
  const { query, time, context } = begin(input, env)
  const { issues } = context
  const aggregations = parseAggregations(query.aggregations, context)
  issues.stop()
  const options = parseOptions(query, env, aggregations, context)
  const groupings = parseGroupings(query.groupings, aggregations, context)
  checkAggregations(aggregations, context)
  // A grouping that could not be read must not make the fields it groups look forgotten.
  const areRead = issues.found.every(({ path }) => path[0] !== 'groupings' && path[0] !== 'orderings')
  if (areRead) checkClauses(aggregations, groupings, options.orderings, context)
  issues.stop()
  const parsed: ParsedQuery = Object.freeze({ ...options, ...time, aggregations, groupings })
  return { query: (scope) => compileQuery(parsed, env, scope), output: describe(parsed), parsed }
}

/**
 * The parts of a query for rows, for the caller to put into its own SELECT. `excluded` are paths of fields to leave
 * out. Throws a QueryError as `analytics` does; aggregations and groupings are not looked at.
 */
export function rows(
  input: unknown,
  env: QueryEnv,
): {
  where: RawBuilder<boolean>[]
  orderBy: RawBuilder<unknown>[]
  limit: number
  offset: number
  excluded: Set<string>
} {
  const { query, time, context } = begin(input, env)
  const options = parseOptions(query, env, [], context)
  if (context.issues.found.every(({ path }) => path[0] !== 'orderings'))
    checkRowOrderings(options.orderings, context)
  context.issues.stop()
  const compile = { time, known: new Map() }
  return {
    where: compileConditions(options, env, compile),
    orderBy: compileRowOrderings(options.orderings, env, compile),
    limit: options.limit,
    offset: options.offset,
    excluded: options.excluded,
  }
}

/** The stages every query begins with: its size, what time means to it, and that it joins nothing. */
function begin(
  input: unknown,
  env: QueryEnv,
): { query: Record<string, unknown>; time: TimeOptions; context: ParseContext } {
  checkSize(input)
  const issues = new Issues()
  const query = input === undefined || input === null ? {} : input
  if (!isObject(query)) issues.add([], 'Must be an object.', input)
  issues.stop()
  const known = isObject(query) ? query : {}
  const time = parseTime(known, env, issues)
  issues.stop()
  const { joins } = known
  if (Array.isArray(joins) ? joins.length > 0 : joins !== undefined && joins !== null && joins !== '') {
    issues.add(
      ['joins'],
      Array.isArray(joins) ? 'Endpoint does not support joins.' : 'Must be an array.',
      joins,
    )
  }
  issues.stop()
  return { query: known, time, context: { fields: indexFields(env.fields), issues } }
}
