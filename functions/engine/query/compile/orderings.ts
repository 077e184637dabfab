import { sql } from 'kysely'
import type { ParsedGrouping, ParsedOrdering, QueryEnv, Sql } from '../types.ts'
import { ordinal } from './groupings.ts'
import type { CompileContext } from './value.ts'
import { compileValue } from './value.ts'

export const directions = { asc: sql`asc`, desc: sql`desc` } as const

/**
 * The ORDER BY of an analytics query. Groupings come last, which makes the order of pages deterministic. Nulls are last
 * in ascending and first in descending order, as in Postgres.
 */
export function compileOrderings(
  orderings: readonly ParsedOrdering[],
  groupings: readonly ParsedGrouping[],
  context: CompileContext,
): Sql[] {
  const values = withoutConstants(orderings).map(({ value, direction, aggregation }) => {
    const position = aggregation === undefined ? compileValue(value, context) : ordinal(aggregation)
    return sql`${position} ${directions[direction]}`
  })
  const groupedKeys = new Set(orderings.map(({ value }) => value.key))
  const ties = groupings.filter(({ value }) => value.kind !== 'constant' && !groupedKeys.has(value.key))
  return [
    ...values,
    ...ties.map(({ value, aggregation }) =>
      aggregation === undefined ? compileValue(value, context) : ordinal(aggregation),
    ),
  ]
}

/** The ORDER BY of a query for rows. An `id`, if there is one, comes last, which makes the order of pages deterministic. */
export function compileRowOrderings(
  orderings: readonly ParsedOrdering[],
  env: QueryEnv,
  context: CompileContext,
): Sql[] {
  const values = withoutConstants(orderings).map(
    ({ value, direction }) => sql`${compileValue(value, context)} ${directions[direction]}`,
  )
  const id = env.fields.find(({ path }) => path === 'id')
  const hasId = orderings.some(({ value }) => value.kind === 'field' && value.field === id)
  return id && !hasId ? [...values, sql`${id.sql} asc`] : values
}

/** Constants do not affect the order. */
export function withoutConstants(orderings: readonly ParsedOrdering[]): ParsedOrdering[] {
  return orderings.filter(({ value }) => value.kind !== 'constant')
}
