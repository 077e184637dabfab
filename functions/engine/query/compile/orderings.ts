import { sql } from 'kysely'
import type { ParsedGrouping, ParsedOrdering, QueryEnv, Sql } from '../types.ts'
import { ordinal } from './groupings.ts'
import type { CompileContext } from './value.ts'
import { compileValue } from './value.ts'

export const directions = { asc: sql`asc`, desc: sql`desc` } as const

/**
 * What follows ORDER BY in an analytics query. The groupings come last, so that a page is the same twice.
 * Nulls stand last going up and first going down, as Postgres has it.
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

/** What follows ORDER BY in a query of rows. Where there is an `id` it comes last, so that a page is the same twice. */
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

/** A constant orders nothing. */
export function withoutConstants(orderings: readonly ParsedOrdering[]): ParsedOrdering[] {
  return orderings.filter(({ value }) => value.kind !== 'constant')
}
