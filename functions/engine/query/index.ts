import { isPlainObject } from '#functions/shapes/fields/plain.ts'
import type { RawBuilder } from 'kysely'
import type { Output } from '#functions/shapes/analytics.ts'
import { checkAggregations, checkClauses, checkRowOrderings } from './check.ts'
import { checkCost, costOfAnalytics, costOfRows, stepsOf } from './cost.ts'
import { compileConditions } from './compile/filters.ts'
import { compileRowOrderings } from './compile/orderings.ts'
import { compileQuery } from './compile/query.ts'
import { compileUnion, type UnionRow } from './compile/union.ts'
import { Issues } from './error.ts'
import { describe } from './output.ts'
import { parseAggregations } from './parse/aggregations.ts'
import { indexFields } from './parse/fields.ts'
import { parseGroupings } from './parse/groupings.ts'
import { parseJoins, withJoins } from './parse/joins.ts'
import { parseOptions } from './parse/options.ts'
import { checkSize } from './parse/size.ts'
import { parseTime } from './parse/time.ts'
import type { ParseContext } from './parse/value.ts'
import type { ParsedJoin, ParsedQuery, QueryEnv, Scope, TimeOptions } from './types.ts'

export { readsClock } from './clock.ts'
export {
  byStep,
  cadenceQuery,
  coverageOf,
  dateColumn,
  mayBeFirsts,
  mayHaveStep,
  stepQuery,
  type DateColumn,
} from './coverage.ts'
export { checkSteps } from './cost.ts'
export { filterColumns } from './columns.ts'
export { QueryError } from './error.ts'
export { functions } from './library/index.ts'
export { codesOf, isOfSet } from './parse/place.ts'
export { maxJoins } from './parse/joins.ts'
export { present, totalIn, withSeenValues } from './present.ts'
export type { Box, LentSet, OfferedJoin, ParsedQuery, QueryEnv, QueryField, Scope, Spread } from './types.ts'

/**
 * A query that aggregates, ready to run over a scope, with what its answer looks like. Give the rows it brings to
 * `present`: their columns have no aliases. `steps` is what it costs (`cost.ts`). Throws a QueryError with all issues of the first
 * stage that has any, the last of which is a cost above the budget that `env` has.
 */
export function analytics(
  input: unknown,
  env: QueryEnv,
): {
  query(scope: Scope): RawBuilder<Record<string, unknown>>
  output: Output
  parsed: ParsedQuery
  steps: number
} {
  const { query, time, joins, context } = begin(input, env)
  const { issues } = context
  const aggregations = parseAggregations(query.aggregations, context)
  issues.stop()
  const options = parseOptions(query, env, aggregations, context)
  const groupings = parseGroupings(query.groupings, aggregations, context)
  checkAggregations(aggregations, context)
  // A grouping that could not be read must not make the fields it groups look forgotten.
  const areRead = issues.list.every(({ path }) => path[0] !== 'groupings' && path[0] !== 'orderings')
  if (areRead) checkClauses(aggregations, groupings, options.orderings, context)
  issues.stop()
  const parsed: ParsedQuery = Object.freeze({ ...options, ...time, joins, aggregations, groupings })
  const cost = costOfAnalytics(parsed, env)
  checkCost(cost, env)
  return {
    query: (scope) => compileQuery(parsed, env, scope),
    output: describe(parsed),
    parsed,
    steps: stepsOf(cost),
  }
}

/** Rows of several sides below each other: `aliases` names the parts, null for the main rows. */
export interface Union {
  aliases: (string | null)[]
  query(scope: Scope): RawBuilder<UnionRow>
}

/**
 * The parts of a query for rows, for the caller to put into its own SELECT. `excluded` are paths of fields to leave
 * out. With joins the answer is not of the main rows alone: then `union` says which rows it has. Throws a QueryError as
 * `analytics` does; aggregations and groupings are not looked at.
 */
export function rows(
  input: unknown,
  env: QueryEnv,
): {
  where: RawBuilder<boolean>[]
  orderBy: RawBuilder<unknown>[]
  limit: number
  isCapped: boolean
  offset: number
  excluded: Set<string>
  union?: Union
  steps: number
} {
  const { query, time, joins, context } = begin(input, env)
  // A row is of one side: what says which main rows there are cannot look at those of a join.
  const alone = { ...context, fields: indexFields(env.fields) }
  const options = parseOptions(query, env, [], context, alone)
  if (context.issues.list.every(({ path }) => path[0] !== 'orderings'))
    checkRowOrderings(options.orderings, context)
  context.issues.stop()
  const cost = costOfRows(options, joins, env)
  checkCost(cost, env)
  const compile = { time, columns: new Map() }
  return {
    where: compileConditions(options, env, compile),
    orderBy: compileRowOrderings(options.orderings, env, compile),
    limit: options.limit,
    isCapped: options.isCapped,
    offset: options.offset,
    excluded: options.excluded,
    steps: stepsOf(cost),
    ...(joins.length > 0 && {
      union: {
        aliases: [null, ...joins.map(({ offered }) => offered.alias)],
        query: (scope) => compileUnion({ ...options, joins }, env, scope, time),
      },
    }),
  }
}

/** The stages every query begins with: its size, what time means to it, and what it joins. */
function begin(
  input: unknown,
  env: QueryEnv,
): { query: Record<string, unknown>; time: TimeOptions; joins: ParsedJoin[]; context: ParseContext } {
  checkSize(input)
  const issues = new Issues()
  const query = input === undefined || input === null ? {} : input
  if (!isPlainObject(query)) issues.add([], 'Must be an object.', input)
  issues.stop()
  const options = isPlainObject(query) ? query : {}
  const time = parseTime(options, env, issues)
  issues.stop()
  const main = indexFields(env.fields)
  const joins = parseJoins(options.joins, env, { fields: main, issues })
  issues.stop()
  return { query: options, time, joins, context: { fields: withJoins(main, joins), issues } }
}
