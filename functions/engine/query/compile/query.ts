import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { ParsedAggregation, ParsedQuery, QueryEnv, Scope, Sql, TimeOptions, Value } from '../types.ts'
import { countAggregates, isExpansion } from '../walk.ts'
import { selectAggregation } from './aggregations.ts'
import { compileConditions, compileFilter } from './filters.ts'
import { compileGroupings, listSharedValues } from './groupings.ts'
import { compileJoin, mentionedJoins, getRowIds } from './joins.ts'
import { compileOrderings } from './orderings.ts'
import type { CompileContext } from './value.ts'
import { compileValue } from './value.ts'

/** The column with the total number of groups, in each row of an answer that a limit may have truncated. */
export const totalColumn = 'groups_in_all'

/** The SELECT of an analytics query over the rows of a scope. Its columns are named by `columnName`; `present` gives them their aliases. */
export function compileQuery(
  query: ParsedQuery,
  env: QueryEnv,
  scope: Scope,
): RawBuilder<Record<string, unknown>> {
  const time: TimeOptions = { timeZone: query.timeZone, customYearStart: query.customYearStart }
  const joins = mentionedJoins(query)
  const sources = new Sources()
  const columns = new Map<string, Sql>()
  for (const value of listSharedValues(query)) {
    columns.set(value.key, sources.add(value, compileValue(value, { time, columns })))
  }
  const joined = joins.length > 0 ? { rowIds: getRowIds(env, joins), places: sources.places } : undefined
  const context: CompileContext = { time, columns, joined }
  const select = query.aggregations.map((each, i) =>
    selectAggregation(each, compileOne(each, context, sources), i),
  )
  const where = [...scope.where, ...compileConditions(query, env, context)]
  const groupBy = compileGroupings(query.groupings, context)
  const orderBy = compileOrderings(query.orderings, query.groupings, context)
  // Counts the groups that a limit leaves out: otherwise a truncated answer would be described as complete.
  const isCut = env.countsGroups && groupBy.length > 0 && (query.limit < env.maxLimit || query.offset > 0)
  const selection = isCut ? [...select, sql`count(*) over () as ${sql.id(totalColumn)}`] : select
  return sql<Record<string, unknown>>`${sql.join(
    [
      sql`select ${sql.join(selection)} from ${scope.from}`,
      ...joins.map((join) => compileJoin(join, time)),
      ...sources.joins,
      ...(where.length > 0 ? [sql`where ${sql.join(where, sql` and `)}`] : []),
      ...(groupBy.length > 0 ? [sql`group by ${sql.join(groupBy)}`] : []),
      ...(orderBy.length > 0 ? [sql`order by ${sql.join(orderBy)}`] : []),
      sql`limit ${query.limit}::bigint offset ${query.offset}::bigint`,
    ],
    sql` `,
  )}`
}

/** The filter of an aggregation is applied to each aggregate function in it; with several, it is computed once in FROM. */
function compileOne({ value, filter }: ParsedAggregation, context: CompileContext, sources: Sources): Sql {
  if (!filter) return compileValue(value, context)
  const condition = compileFilter(filter, context)
  const isRepeated = countAggregates(value) > 1
  return compileValue(value, { ...context, filter: isRepeated ? sources.addCondition(condition) : condition })
}

/** The lateral joins of a query: expanded lists multiply the rows, everything else adds one value to each row. */
class Sources {
  readonly joins: Sql[] = []
  /** The place of each item in its expanded list, by the key of the expansion. */
  readonly places = new Map<string, Sql>()

  add(value: Value, compiled: Sql): Sql {
    if (!isExpansion(value)) return this.addColumn(compiled)
    const name = this.nextName()
    this.joins.push(sql`cross join lateral ${compiled} with ordinality as ${sql.id(name)}(value, place)`)
    this.places.set(value.key, sql.ref(`${name}.place`))
    return sql.ref(`${name}.value`)
  }

  addCondition(condition: RawBuilder<boolean>): RawBuilder<boolean> {
    return sql<boolean>`${this.addColumn(condition)}`
  }

  private addColumn(compiled: Sql): Sql {
    const name = this.nextName()
    this.joins.push(sql`cross join lateral (select ${compiled} as value) as ${sql.id(name)}`)
    return sql.ref(`${name}.value`)
  }

  private nextName(): string {
    return `shared${this.joins.length + 1}`
  }
}
