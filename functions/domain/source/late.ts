import { sql, type RawBuilder } from 'kysely'
import { cadenceSteps } from '#functions/engine/catalogue/cadence.ts'

/** The interval between the last data and the next, for PostgreSQL; null: there is no regular one. */
const interval = sql`case ${sql.ref('source.cadence')} ${sql.join(
  Object.entries(cadenceSteps).map(
    ([cadence, { days = 0, months = 0 }]) =>
      sql`when ${cadence} then make_interval(days => ${days}::int, months => ${months}::int)`,
  ),
  sql` `,
)} end`

/** The day of a moment in the time zone of the place: as on its hub. */
export const dayInPlace = (at: RawBuilder<unknown>): RawBuilder<string> =>
  sql`(${at} at time zone ${sql.ref('place.timeZone')})::date`

/** The day on which a source of the statement last had new data; of a statement with its place. */
export const lastDay = dayInPlace(sql.ref('source.dataUpdatedAt'))

/**
 * The day by which its next data are expected: they are overdue from the day after. Null: it has no data, or no regular
 * interval.
 */
export const dueDay: RawBuilder<string | null> = sql`(${lastDay} + ${interval})::date`

/**
 * Whether that day is over in the time zone of its place, as a column `isLate` for statements that do not join the
 * place; false where there is no such day.
 */
export const lateColumn = (now: Date) =>
  sql<boolean>`case when ${sql.ref('source.cadence')} is null then false else coalesce((
    select ${dueDay} < ${dayInPlace(sql`${now}::timestamptz`)} from place
    where place.id = ${sql.ref('source.placeId')}), false) end`.as('isLate')

/**
 * The same day as a column `expected`, `YYYY-MM-DD`, for statements that do not join the place. Reads no place where no
 * interval is stated.
 */
export const expectedColumn = sql<
  string | null
>`case when ${sql.ref('source.cadence')} is null then null else (
  select to_char(${dueDay}, 'YYYY-MM-DD') from place where place.id = ${sql.ref('source.placeId')}) end`.as(
  'expected',
)
