import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { isCalendarDate } from '#functions/shapes/field.ts'
import { containsPattern } from '#functions/shapes/like-pattern.ts'
import type { Box, Conditions, FieldValue, Filter, Side, Sql, Value, ValueType } from '../types.ts'
import type { CompileContext } from './value.ts'
import { dayIn } from '../library/days.ts'
import { calendarPrecision, compileValue } from './value.ts'

/** Compiles a filter to a condition that can be combined with others. */
export function compileFilter(filter: Filter, context: CompileContext): RawBuilder<boolean> {
  switch (filter.kind) {
    case 'condition':
      return sql<boolean>`(${compileValue(filter.value, context)})`
    case 'not':
      return sql<boolean>`(not ${compileFilter(filter.of, context)})`
    case 'comparison': {
      const { left, operator, right } = filter
      const areDays = [left, ...right].some(calendarPrecision)
      const convertToDay = (value: Value, compiled: Sql) =>
        areDays && !calendarPrecision(value) && value.types[0]?.type === 'date'
          ? dayIn(compiled, context.time)
          : compiled
      const compiled = right.map((each) => convertToDay(each, compileSide(each, context)))
      const sides =
        operator.takes === 'items' ? [sql`array[${join(compiled)}]::${itemType(left)}[]`] : compiled
      return operator.compile(convertToDay(left, compileValue(left, context)), sides)
    }
    case 'all':
    case 'any': {
      const members = filter.of.map((each) => compileFilter(each, context))
      return sql<boolean>`(${sql.join(members, filter.kind === 'all' ? sql` and ` : sql` or `)})`
    }
  }
}

const join = (values: readonly Sql[]) => (values.length === 0 ? sql`` : sql.join(values))

/** Integers stay integers, so that an index on an integer column can be used; with other numbers they are widened. */
function compileSide(value: Value, context: CompileContext): Sql {
  if (value.kind === 'constant' && typeof value.literal === 'number' && Number.isSafeInteger(value.literal)) {
    return sql`${value.literal}::bigint`
  }
  return compileValue(value, context)
}

const sqlTypes: Partial<Record<ValueType, Sql>> = {
  number: sql`double precision`,
  boolean: sql`boolean`,
  date: sql`timestamptz`,
}
const itemType = ({ field: { items } }: FieldValue) =>
  items && isCalendarDate(items) ? sql`date` : (sqlTypes[items?.type ?? 'text'] ?? sql`text`)

/** All conditions of the options on the rows of a side. */
export function compileConditions(
  options: Conditions,
  env: Side,
  context: CompileContext,
): RawBuilder<boolean>[] {
  const { search, before, after, within, intersects, filters } = options
  const where: RawBuilder<boolean>[] = []
  if (search !== undefined) where.push(searchCondition(search, env))
  if (before !== undefined) where.push(changeCondition(sql`<`, before, env))
  if (after !== undefined) where.push(changeCondition(sql`>`, after, env))
  if (within && 'shape' in within) where.push(touches(within.shape, within.box, env))
  else if (within) {
    const { xmin, ymin, xmax, ymax } = within
    const corners = sql.join([xmin, ymin, xmax, ymax].map((each) => sql`${each}::double precision`))
    where.push(touches(sql`ST_MakeEnvelope(${corners}, 4326)`, within, env))
  }
  if (intersects) {
    const { x, y } = intersects
    const point = sql`ST_MakePoint(${x}::double precision, ${y}::double precision)`
    where.push(touches(sql`ST_SetSRID(${point}, 4326)`, { xmin: x, ymin: y, xmax: x, ymax: y }, env))
  }
  return [...where, ...filters.map((each) => compileFilter(each, context))]
}

/** Any of the conditions; without any, no row matches. */
function joinWithOr(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`
}

/**
 * The fields' texts joined are compared once, which takes about a third of comparing each. No match spans two fields:
 * the character between them does not occur in the search.
 */
function searchCondition(search: string, { fields }: Side): RawBuilder<boolean> {
  const texts = fields
    .filter(({ searchable }) => searchable)
    .map(({ sql: column, type }) => (type === 'text' ? column : sql`(${column})::text`))
  if (texts.length === 0) return sql<boolean>`false`
  // `concat_ws` would take 100 arguments at most.
  const joined = sql`array_to_string(array[${sql.join(texts)}], ${characterOutside(search)}::text)`
  return sql<boolean>`(lower(${joined}) like lower(${containsPattern(search)}::text))`
}

/** A character that a text does not contain: one for private use, which has no upper and lower case. */
function characterOutside(text: string): string {
  let code = 0xe000
  while (text.includes(String.fromCharCode(code))) code += 1
  return String.fromCharCode(code)
}

/** Compares the time of creation or of the last change, whichever the caller may know. */
function changeCondition(sign: Sql, instant: string, { fields }: Side): RawBuilder<boolean> {
  const columns = fields.filter(({ path }) => path === 'createdAt' || path === 'updatedAt')
  return joinWithOr(columns.map(({ sql: column }) => sql<boolean>`${column} ${sign} ${instant}::timestamptz`))
}

/**
 * The index condition finds candidates, and the exact test filters them. The planner would take the two for independent
 * and estimate a hundredth of the rows; for `coalesce` it assumes a half.
 */
function touches(shape: Sql, box: Box, { geometry, overlapsBounds }: Side): RawBuilder<boolean> {
  if (!geometry) return sql<boolean>`false`
  const exact = sql<boolean>`ST_Intersects(${geometry}, ${shape})`
  const isNear = overlapsBounds?.(box)
  return isNear ? sql<boolean>`(${isNear} and coalesce(${exact}, false))` : exact
}
