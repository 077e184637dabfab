import { isPlainObject } from '#functions/shapes/fields/plain.ts'
import type { RawBuilder } from 'kysely'
import type { Output } from '#functions/shapes/analytics.ts'
import { checkAggregations, checkClauses, checkRowOrderings } from './check.ts'
import { checkCost, costOfAnalytics, costOfRows, sumSteps } from './cost.ts'
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
  alignToStep,
  cadenceQuery,
  computeCoverage,
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
export { getAreaCodes, isOfSet } from './parse/place.ts'
export { maxJoins } from './parse/joins.ts'
export { present, totalIn, withSeenValues } from './present.ts'
export type { Box, LentSet, OfferedJoin, ParsedQuery, QueryEnv, QueryField, Scope, Spread } from './types.ts'

/**
 * Compiles an analytics query over a scope and describes its answer. Pass the resulting rows to `present`: their columns
 * have no aliases. `steps`: its cost (`cost.ts`). Throws a QueryError with all issues of the first stage that has any;
 * the last stage is a cost above the budget in `env`.
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
  // A grouping that could not be parsed must not make its fields look ungrouped.
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
    steps: sumSteps(cost),
  }
}

/** Rows of several sides below each other: `aliases` names the parts, null for the main rows. */
export interface Union {
  aliases: (string | null)[]
  query(scope: Scope): RawBuilder<UnionRow>
}

/**
 * Compiles the parts of a query for rows, for the caller's own SELECT. `excluded`: paths of excluded fields. With joins
 * the answer does not have main rows only: `union` then selects its rows. Throws a QueryError as `analytics` does;
 * aggregations and groupings are ignored.
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
  // A row is of one side: conditions on main rows cannot use fields of a join.
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
    steps: sumSteps(cost),
    ...(joins.length > 0 && {
      union: {
        aliases: [null, ...joins.map(({ side }) => side.alias)],
        query: (scope) => compileUnion({ ...options, joins }, env, scope, time),
      },
    }),
  }
}

/** The first stages of every query: its size, its time settings, and its joins. */
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
