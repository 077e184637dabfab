import { sql } from 'kysely'
import { pickCoarserPrecision, hasSpan, spanPrecision } from '#functions/shapes/calendar.ts'
import {
  dateBuckets,
  isCalendarDate,
  numberMeasurements,
  type CalendarPrecision,
} from '#functions/shapes/field.ts'
import type {
  Argument,
  CompiledArgument,
  LanguageFunction,
  Literal,
  Sql,
  TimeOptions,
  Value,
} from '../types.ts'
import { toSameDateKind } from './days.ts'
import { parseDuration } from './duration.ts'

/** 'dayOfWeek' as 'Day Of Week'. */
const label = (value: string) => ({
  value,
  label: value.replace(/([A-Z])/g, ' $1').replace(/^./, (char) => char.toUpperCase()),
})
const unit = (units: readonly string[]): Argument => ({
  name: 'Unit',
  types: ['text'],
  required: true,
  options: units.map(label),
})
const date: Argument = { name: 'Date', types: ['date'], required: true }
const getFirstLiteral = ([first]: readonly Value[]): Literal =>
  first?.kind === 'constant' ? first.literal : null

/** A date as the clock on the wall shows it in the query's time zone; a calendar date is midnight wherever one is. */
const local = ({ sql: value, precision }: CompiledArgument, { timeZone }: TimeOptions) =>
  precision ? sql`(${value})::timestamp` : sql`(${value} at time zone ${timeZone}::text)`
/** The months by which a custom year starts late. */
const shift = ({ customYearStart }: TimeOptions) =>
  sql`make_interval(months => ${customYearStart - 1}::integer)`
/** A local date shifted so that January is the first month of the custom year. */
const shiftMonths = (value: CompiledArgument, time: TimeOptions) =>
  sql`(${local(value, time)} - ${shift(time)})`

// SQL keywords come from this table, never from the query.
const quarter = sql`'quarter'`
const year = sql`'year'`
const plainBuckets: Record<string, Sql> = {
  second: sql`'second'`,
  minute: sql`'minute'`,
  hour: sql`'hour'`,
  day: sql`'day'`,
  week: sql`'week'`,
  month: sql`'month'`,
  quarter,
  year,
  decade: sql`'decade'`,
}
/**
 * Units shorter than some offset changes. Where the offset changes by half an hour, the full hour of the new time may
 * not have been one of the old time: truncating again gives the last moment with a full local hour.
 */
const cutTwice = new Set(['minute', 'hour'])
/** Zones without offset changes. */
const still = /^(UTC|UCT|GMT|Zulu|Universal|Greenwich|Etc\/.+)$/i
const customBuckets: Record<string, Sql> = {
  customQuarter: quarter,
  customYear: year,
}

/** How exact the calendar dates are that are cut; undefined for instants. */
function findDatePrecision([, date]: readonly Value[]): CalendarPrecision | undefined {
  const timeType = date?.types[0]
  return timeType && isCalendarDate(timeType) ? timeType.precision : undefined
}

/** Calendar dates have no hours, and months no days: every record would be assigned to the first one. */
function refusesFiner(values: readonly Value[]): string | undefined {
  const precision = findDatePrecision(values)
  const name = String(getFirstLiteral(values))
  return precision && !hasSpan(precision, name)
    ? `The dates are exact to the ${precision}: they have no "${name}".`
    : undefined
}

/**
 * Truncates a date to its second, day, custom quarter, … in the query's time zone. Returns an instant; weeks start on
 * Monday. Where the start of a day is in a gap, the moment of the change; where it is ambiguous, the second one.
 */
const bucket: LanguageFunction = {
  key: 'bucket',
  name: 'Bucket Date',
  notes: 'Groups dates that fall in the same span of time',
  category: 'Date/Time',
  signature: [unit(dateBuckets), date],
  returns: {
    dynamic: (values) => {
      const name = String(getFirstLiteral(values))
      const precision = findDatePrecision(values)
      return {
        type: 'date',
        measurement: { type: 'bucket', value: name },
        ...(precision && { precision: pickCoarserPrecision(precision, spanPrecision(name)) }),
      }
    },
  },
  refuses: refusesFiner,
  aggregate: false,
  compile: ([unit, value], time) => {
    const name = String(unit.literal)
    const custom = customBuckets[name]
    if (value.precision) {
      const start = custom
        ? sql`(date_trunc(${custom}, ${shiftMonths(value, time)}) + ${shift(time)})`
        : sql`date_trunc(${plainBuckets[name]}, ${local(value, time)})`
      return sql`${start}::date`
    }
    if (!custom) {
      const truncate = (at: Sql) => sql`date_trunc(${plainBuckets[name]}, ${at}, ${time.timeZone}::text)`
      return cutTwice.has(name) && !still.test(time.timeZone)
        ? truncate(truncate(value.sql))
        : truncate(value.sql)
    }
    const start = sql`(date_trunc(${custom}, ${shiftMonths(value, time)}) + ${shift(time)})`
    return sql`(${start} at time zone ${time.timeZone}::text)`
  },
}

const parts: Record<string, (value: CompiledArgument, time: TimeOptions) => Sql> = {
  hourOfDay: (value, time) => sql`extract(hour from ${local(value, time)})`,
  dayOfWeek: (value, time) => sql`extract(isodow from ${local(value, time)})`,
  dayOfMonth: (value, time) => sql`extract(day from ${local(value, time)})`,
  dayOfYear: (value, time) => sql`extract(doy from ${local(value, time)})`,
  week: (value, time) => sql`extract(week from ${local(value, time)})`,
  month: (value, time) => sql`extract(month from ${local(value, time)})`,
  customMonth: (value, time) => sql`extract(month from ${shiftMonths(value, time)})`,
  quarter: (value, time) => sql`extract(quarter from ${local(value, time)})`,
  customQuarter: (value, time) => sql`extract(quarter from ${shiftMonths(value, time)})`,
  year: (value, time) => sql`extract(year from ${local(value, time)})`,
  // Named after the year in which it ends. Counted forward: before the year 1 Postgres counts down from -1.
  customYear: (value, time) => {
    const months = (13 - time.customYearStart) % 12
    return sql`extract(year from ${local(value, time)} + make_interval(months => ${months}::integer))`
  },
  decade: (value, time) => sql`extract(decade from ${local(value, time)})`,
}

/** A part of a date as the calendar of the query's time zone shows it, e.g. its hour or custom quarter. */
const extract: LanguageFunction = {
  key: 'extract',
  name: 'Part of Date',
  notes: 'A part of a date as a number, such as its hour or its month',
  category: 'Date/Time',
  signature: [unit(Object.keys(numberMeasurements.datePart ?? {})), date],
  returns: {
    dynamic: (values) => ({
      type: 'number',
      measurement: { type: 'datePart', value: String(getFirstLiteral(values)) },
    }),
  },
  refuses: refusesFiner,
  aggregate: false,
  compile: ([unit, value], time) => sql`${parts[String(unit.literal)]?.(value, time)}::double precision`,
}

/** The time at which the query runs. */
const now: LanguageFunction = {
  key: 'now',
  name: 'Now',
  notes: 'The time at which the query runs',
  category: 'Date/Time',
  signature: [],
  returns: { static: { type: 'date' } },
  aggregate: false,
  readsClock: true,
  compile: () => sql`now()`,
}

/** The start of today in the query's time zone, minus a duration: charts of whole days rely on it. */
const last: LanguageFunction = {
  key: 'last',
  name: 'Last',
  notes: 'The start of today less a duration, such as P7D',
  category: 'Date/Time',
  signature: [{ name: 'Duration', types: ['text'], required: true }],
  returns: { static: { type: 'date' } },
  aggregate: false,
  readsClock: true,
  refuses: (values) => (parseDuration(String(getFirstLiteral(values))) ? undefined : 'Invalid duration!'),
  compile: ([duration], { timeZone }) => {
    const { days, seconds } = parseDuration(String(duration.literal)) ?? { days: 0, seconds: 0 }
    const span = sql`make_interval(days => ${days}::integer, secs => ${seconds}::double precision)`
    return sql`((date_trunc('day', now() at time zone ${timeZone}::text) - ${span}) at time zone ${timeZone}::text)`
  },
}

/** Milliseconds from start to end. Null when either is null. */
const interval: LanguageFunction = {
  key: 'interval',
  name: 'Interval',
  notes: 'The time from start to end in milliseconds',
  category: 'Date/Time',
  signature: [
    { name: 'Start', types: ['date'], required: true },
    { name: 'End', types: ['date'], required: true },
  ],
  returns: { static: { type: 'number', measurement: { type: 'duration', value: 'millisecond' } } },
  aggregate: false,
  compile: ([first, second], time) => {
    const [start, end] = toSameDateKind(first, second, time)
    return start.precision
      ? sql`((${end.sql} - ${start.sql}) * 86400000)::double precision`
      : sql`(extract(epoch from (${end.sql} - ${start.sql})) * 1000)::double precision`
  },
}

export const time: readonly LanguageFunction[] = [now, last, interval, bucket, extract]
