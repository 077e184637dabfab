import { sql } from 'kysely'
import type { CompiledArgument, Sql, TimeOptions } from '../types.ts'

/** The day that an instant is in the query's time zone: so instants are compared with calendar dates, which no zone moves. */
export function dayIn(instant: Sql, { timeZone }: TimeOptions): Sql {
  return sql`(${instant} at time zone ${timeZone}::text)::date`
}

/** Converts two dates to one kind: with a calendar date, an instant is converted to its day in the query's time zone. */
export function toSameDateKind(
  a: CompiledArgument,
  b: CompiledArgument,
  time: TimeOptions,
): [CompiledArgument, CompiledArgument] {
  const asDay = (one: CompiledArgument, other: CompiledArgument): CompiledArgument =>
    other.precision && !one.precision && one.type === 'date'
      ? { ...one, sql: dayIn(one.sql, time), precision: 'day' }
      : one
  return [asDay(a, b), asDay(b, a)]
}
