import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { geometryTypes, isCalendarDate } from '#functions/shapes/field.ts'
import { asDate } from '#functions/shapes/fields/constants.ts'
import { sumOnce } from './sum.ts'
import type { CalendarPrecision } from '#functions/shapes/field.ts'
import type { CompiledArguments, Constant, FieldValue, Sql, TimeOptions, Value, ValueType } from '../types.ts'

/**
 * The context of compiling values. `columns`: values, by key, that are already computed in FROM under a name. `filter`:
 * the condition of the aggregation that is being compiled. `joined`: present where rows are joined, so that one row may
 * occur in several pairs.
 */
export interface CompileContext {
  readonly time: TimeOptions
  readonly columns: ReadonlyMap<string, Sql>
  readonly filter?: RawBuilder<boolean>
  readonly joined?: JoinIdentity
}

/**
 * What identifies the rows of a joined pair: the row of each side by its alias ('' for the main rows), and the position
 * of an item in an expanded list, by the key of the expansion.
 */
export interface JoinIdentity {
  readonly rowIds: ReadonlyMap<string, Sql>
  readonly places: ReadonlyMap<string, Sql>
}

export function isGeometry(type: ValueType | undefined): boolean {
  return type === 'geometry' || geometryTypes.some((each) => each === type)
}

/** A value as SQL. The text of a query reaches it only as bound parameters, each with its type. */
export function compileValue(value: Value, context: CompileContext): Sql {
  const column = context.columns.get(value.key)
  if (column) return column
  if (value.kind === 'constant') return compileConstant(value)
  if (value.kind === 'field') return compileField(value)
  const values = value.arguments.map((each) => ({
    sql: compileValue(each, context),
    type: each.types[0]?.type,
    precision: calendarPrecision(each),
    literal: each.kind === 'constant' ? each.literal : undefined,
  }))
  if (value.function.key === 'sum' && context.joined && values[0]) {
    return sumOnce(value, values[0].sql, context.joined, context.filter)
  }
  // The parser has checked that the number matches the signature.
  const compiled = value.function.compile(values as unknown as CompiledArguments, context.time)
  return value.function.aggregate && context.filter
    ? sql`${compiled} filter (where ${context.filter})`
    : compiled
}

/** The precision of the calendar dates of a value; undefined for other values. */
export function calendarPrecision({ types: [type] }: Value): CalendarPrecision | undefined {
  return type && isCalendarDate(type) ? type.precision : undefined
}

/** A constant as a parameter. Postgres cannot infer the type of a parameter alone. */
function compileConstant(constant: Constant): Sql {
  const { literal, types } = constant
  // With a type: Postgres cannot group by an untyped null.
  if (literal === null) return sql`null::text`
  const type = types[0]?.type
  if (type === 'number') return sql`${Number(literal)}::double precision`
  if (type === 'boolean') return sql`${literal}::boolean`
  if (calendarPrecision(constant)) return sql`${String(literal)}::date`
  if (type === 'date') return sql`${isoText(String(literal))}::timestamptz`
  return sql`${String(literal)}::text`
}

/** Text without a zone is in UTC, whatever the zone of the session. */
function isoText(text: string): string {
  return asDate(text) ?? text
}

/** A field; nested keys are read as text, null where there is no such key. */
function compileField({ field, deeper }: FieldValue): Sql {
  if (deeper.length === 0) return field.sql
  const keys = sql.join(deeper.map((key) => sql`${key}::text`))
  return sql`(${asJson(field)} #>> array[${keys}])`
}

function asJson({ sql: value, type, items }: FieldValue['field']): Sql {
  if (type === 'object') return value
  if (items?.type === 'date' && !isCalendarDate(items)) return datesAsJson(value)
  return isGeometry(type) ? sql`ST_AsGeoJSON(${value})::jsonb` : sql`to_jsonb(${value})`
}

/** Dates of a list in the format of answers. Postgres would write them in the zone of the session. */
function datesAsJson(list: Sql): Sql {
  const text = sql`to_char(item at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return sql`(select jsonb_agg(${text} order by place) from unnest(${list}) with ordinality as dates(item, place))`
}
