/*
 * Two facts found by running them on Postgres:
 * 1. Repeating an expression in SELECT and GROUP BY fails: parameters get new numbers ($2 against $4), and Postgres
 *    says the column "must appear in the GROUP BY clause".
 * 2. Grouping by the alias is worse: when an alias equals an input column (`data`, `id`, `name`) Postgres silently
 *    groups by the column - 3 rows where 2 were right, no error.
 *
 * So a grouping that names or equals an aggregation compiles to its ordinal (`group by 2`), as does an ordering.
 * By the first fact a grouping that is needed a second time - in another aggregation, in an ordering - cannot be
 * repeated either: it is computed once, in FROM, and used by its name there.
 */
import { sql } from 'kysely'
import type { ParsedGrouping, ParsedQuery, Sql, Value } from '../types.ts'
import { containsOutside, isExpansion } from '../walk.ts'
import type { CompileContext } from './value.ts'
import { compileValue } from './value.ts'

const digits = [sql`0`, sql`1`, sql`2`, sql`3`, sql`4`, sql`5`, sql`6`, sql`7`, sql`8`, sql`9`] as const

/** The position of an aggregation in SELECT. Written from a table of digits: a parameter would be a constant, not a position. */
export function ordinal(aggregation: number): Sql {
  const position = String(aggregation + 1).split('')
  return sql.join(
    position.flatMap((digit) => digits[Number(digit)] ?? []),
    sql``,
  )
}

/** The entries of GROUP BY, one per grouping. */
export function compileGroupings(groupings: readonly ParsedGrouping[], context: CompileContext): Sql[] {
  return groupings.map(({ value, aggregation }) =>
    aggregation === undefined ? compileValue(value, context) : ordinal(aggregation),
  )
}

/** The values that are computed once in FROM because SQL needs them in two places, in order of their dependencies. */
export function listSharedValues(query: ParsedQuery): Value[] {
  const { aggregations, groupings, orderings } = query
  const all = [...aggregations, ...groupings, ...orderings].map(({ value }) => value)
  const shared = new Map<string, Value>()
  for (const value of all) collectExpansions(value, shared)
  for (const { value, aggregation } of groupings) {
    if (value.kind === 'constant' || (value.kind === 'field' && value.deeper.length === 0)) continue
    const others = [
      ...aggregations.filter((_, i) => i !== aggregation),
      ...orderings.filter((each) => each.aggregation === undefined),
    ]
    const isUsed = others.some((each) => containsOutside(each.value, ({ key }) => key === value.key))
    if (isUsed || aggregation === undefined) shared.set(value.key, value)
  }
  return [...shared.values()]
}

function collectExpansions(value: Value, into: Map<string, Value>): void {
  if (value.kind !== 'call') return
  for (const each of value.arguments) collectExpansions(each, into)
  if (isExpansion(value)) into.set(value.key, value)
}
