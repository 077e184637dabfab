import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { geometryTypes } from '#functions/shapes/field.ts'
import { asDate } from '../parse/constants.ts'
import type { CompiledArguments, Constant, FieldValue, Sql, TimeOptions, Value, ValueType } from '../types.ts'

/**
 * What values are compiled with. `known` holds values, by key, that already stand in FROM under a name.
 * `filter` is the condition of the aggregation that is being compiled.
 */
export interface CompileContext {
  readonly time: TimeOptions
  readonly known: ReadonlyMap<string, Sql>
  readonly filter?: RawBuilder<boolean>
}

export function isGeometry(type: ValueType | undefined): boolean {
  return type === 'geometry' || geometryTypes.some((each) => each === type)
}

/** A value as SQL. The text of a query reaches it only as bound parameters, each with its type. */
export function compileValue(value: Value, context: CompileContext): Sql {
  const known = context.known.get(value.key)
  if (known) return known
  if (value.kind === 'constant') return compileConstant(value)
  if (value.kind === 'field') return compileField(value)
  const values = value.arguments.map((each) => ({
    sql: compileValue(each, context),
    type: each.types[0]?.type,
    literal: each.kind === 'constant' ? each.literal : undefined,
  }))
  // The parser has made sure that there are as many as the signature has.
  const compiled = value.function.compile(values as unknown as CompiledArguments, context.time)
  return value.function.aggregate && context.filter
    ? sql`${compiled} filter (where ${context.filter})`
    : compiled
}

/** A constant as a parameter. Postgres cannot infer the type of a parameter that stands alone. */
export function compileConstant({ literal, types }: Constant): Sql {
  if (literal === null) return sql`null`
  const type = types[0]?.type
  if (type === 'number') return sql`${Number(literal)}::double precision`
  if (type === 'boolean') return sql`${literal}::boolean`
  if (type === 'date') return sql`${isoText(String(literal))}::timestamptz`
  return sql`${String(literal)}::text`
}

/** Text without a zone means UTC, whatever the zone of the session. */
function isoText(text: string): string {
  return asDate(text) ?? text
}

/** A field; what stands below it is read as text, null where there is no such key. */
function compileField({ field, deeper }: FieldValue): Sql {
  if (deeper.length === 0) return field.sql
  const keys = sql.join(deeper.map((key) => sql`${key}::text`))
  return sql`(${asJson(field.sql, field.type)} #>> array[${keys}])`
}

function asJson(value: Sql, type: ValueType): Sql {
  if (type === 'object') return value
  return isGeometry(type) ? sql`ST_AsGeoJSON(${value})::jsonb` : sql`to_jsonb(${value})`
}
