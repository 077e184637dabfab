import { sql } from 'kysely'
import type { ParsedJoin, ParsedQuery, QueryEnv, Sql, TimeOptions } from '../types.ts'
import { fieldsIn, getFilterValues } from '../walk.ts'
import { compileConditions, compileFilter } from './filters.ts'

/** The joins that some value of a query mentions. "A join that is not mentioned by any value is dropped from the SQL." */
export function mentionedJoins(query: ParsedQuery): ParsedJoin[] {
  const { joins, aggregations, groupings, orderings, filters } = query
  const conditions = [...filters, ...aggregations.flatMap(({ filter }) => filter ?? [])]
  const values = [...aggregations, ...groupings, ...orderings].map(({ value }) => value)
  const mentioned = new Set(
    [...values, ...conditions.flatMap(getFilterValues)].flatMap(fieldsIn).map(({ join }) => join),
  )
  return joins.filter(({ side }) => mentioned.has(side.alias))
}

/** The row ids of each side, by alias; those of the main rows under ''. */
export function getRowIds(env: QueryEnv, joins: readonly ParsedJoin[]): Map<string, Sql> {
  const ids = joins.map(({ side }): [string, Sql] => [side.alias, side.rowId])
  return new Map(env.joins ? [['', env.joins.rowId], ...ids] : ids)
}

/** A join in FROM. Its conditions are in ON: rows without a partner stay, unless the join is required. */
export function compileJoin(join: ParsedJoin, time: TimeOptions): Sql {
  const { side, required, on } = join
  // Values computed once in FROM come after its joins, so they cannot be used here.
  const context = { time, columns: new Map() }
  const conditions = [
    ...side.scope.where,
    ...compileConditions(join, side, context),
    ...(on ? [compileFilter(on, context)] : []),
  ]
  const kind = required ? sql`inner join` : sql`left join`
  const condition = conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
  return sql`${kind} ${side.scope.from} on ${condition}`
}
