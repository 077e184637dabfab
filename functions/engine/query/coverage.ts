import { sql, type RawBuilder } from 'kysely'
import type { Coverage, Moments } from '#functions/shapes/analytics.ts'
import { findDatePart, isCalendarDate } from '#functions/shapes/field.ts'
import { wallTime } from '#functions/shapes/wall-time.ts'
import { parseDuration } from './library/duration.ts'
import type { Filter, ParsedQuery, QueryField, Scope, Value } from './types.ts'
import { fieldsIn, getFilterValues } from './walk.ts'

/**
 * A column of an answer that groups the dates of one field into consecutive spans (days, months, years …), or that is
 * a field of years as numbers.
 */
export interface DateColumn {
  alias: string
  field: QueryField
  /** The length of a bucket; null: unchanged calendar dates, or years as numbers. */
  unit: string | null
  timeZone: string
  /** The limits on the field; null where its conditions do not restrict it to a range. */
  limits: readonly Limit[] | null
}

/** A lower or upper limit of the requested days. */
interface Limit {
  side: 'from' | 'to'
  at: Value
  /** Whether the value itself is included. */
  isIncluded: boolean
}

const day = 86_400_000
/** Buckets that follow one another. The others recur: every year has a January, every day an hour 7. */
const partsInOrder = new Set<unknown>(['year', 'decade'])

/**
 * The first grouping of a query that buckets the dates of a main field, or has its calendar dates or its years unchanged;
 * null where there is none, or the answer does not include it.
 */
export function dateColumn({ aggregations, groupings, filters, timeZone }: ParsedQuery): DateColumn | null {
  for (const { value, aggregation } of groupings) {
    const alias = aggregation === undefined ? undefined : aggregations[aggregation]?.alias
    const dates = findDateField(value)
    if (alias === undefined || dates === null) continue
    const { field } = dates
    const limits = limitsOn(field, filters)
    const isOpen = aggregations.some(({ filter }) => filter !== undefined && mentions(filter, field))
    return { ...dates, alias, timeZone, limits: isOpen ? null : limits }
  }
  return null
}

/** The date field of a grouping and the length of its spans; null where the grouping is not of consecutive dates. */
function findDateField(value: Value): Pick<DateColumn, 'field' | 'unit'> | null {
  if (value.kind === 'field') {
    const { field, deeper, join } = value
    const isDated = isCalendarDate(field) || isYear(field)
    return join === undefined && deeper.length === 0 && isDated ? { field, unit: null } : null
  }
  if (value.kind !== 'call') return null
  const [unit, dates] = value.arguments
  const isInOrder =
    value.function.key === 'bucket' ||
    (value.function.key === 'extract' && unit?.kind === 'constant' && partsInOrder.has(unit.literal))
  if (!isInOrder || dates?.kind !== 'field' || dates.join !== undefined || dates.deeper.length > 0)
    return null
  if (dates.field.type !== 'date') return null
  return { field: dates.field, unit: unit?.kind === 'constant' ? String(unit.literal) : null }
}

/** Whether a field has years as numbers: each stands for the whole year, like the calendar date `2001`. */
const isYear = (field: QueryField) => field.type === 'number' && findDatePart(field) === 'year'

const mentions = (filter: Filter, { path }: QueryField): boolean =>
  getFilterValues(filter)
    .flatMap(fieldsIn)
    .some(({ field, join }) => join === undefined && field.path === path)

/** The limits of conditions joined by AND; null where one of them concerns the field but is no limit. */
function limitsOn(field: QueryField, filters: readonly Filter[]): Limit[] | null {
  const limits: Limit[] = []
  for (const filter of filters) {
    if (!mentions(filter, field)) continue
    const rows = filter.kind === 'all' ? limitsOn(field, filter.of) : findFilterLimits(field, filter)
    if (rows === null) return null
    limits.push(...rows)
  }
  return limits
}

/** Operators that limit days: the sides of their values, in order, and whether those are included. */
const operators: Partial<Record<string, readonly (readonly [Limit['side'], isIncluded: boolean])[]>> = {
  $gt: [['from', false]],
  $gte: [['from', true]],
  $lt: [['to', false]],
  $lte: [['to', true]],
  $between: [
    ['from', true],
    ['to', true],
  ],
  // Tests for null, which do not limit days.
  $is: [],
  $ne: [],
}

function findFilterLimits(field: QueryField, filter: Filter): Limit[] | null {
  if (filter.kind !== 'comparison' || filter.left.field.path !== field.path) return null
  const { operator, right } = filter
  if (operator.key === '$eq' && right[0])
    return (['from', 'to'] as const).map((side) => ({ side, at: right[0] as Value, isIncluded: true }))
  return (
    operators[operator.key]?.flatMap(([side, isIncluded], i) => {
      const at = right[i]
      return at ? [{ side, at, isIncluded }] : []
    }) ?? null
  )
}

/**
 * The local time of a text (an instant in the zone, or a calendar date) in milliseconds as if it were UTC.
 */
function toLocalTime(text: string, timeZone: string): number {
  const instant = Date.parse(text)
  return text.length === 10 ? instant : wallTime(instant, timeZone)
}

/** The instant (ms) of a local time in a zone; where that occurs twice, one of the two. */
function instantAt(clock: number, timeZone: string): number {
  const guess = 2 * clock - wallTime(clock, timeZone)
  return guess + clock - wallTime(guess, timeZone)
}

/** A limit: an instant (ms) and the local time then (ms, as if it were UTC). */
interface Moment {
  instant: number
  clock: number
}

/** The moment of a limit; null where it depends on the rows. */
function toMoment(value: Value, timeZone: string, now: Date): Moment | null {
  if (value.kind === 'constant') {
    if (typeof value.literal !== 'string') return null
    return { instant: Date.parse(value.literal), clock: toLocalTime(value.literal, timeZone) }
  }
  if (value.kind !== 'call') return null
  const at = wallTime(now.getTime(), timeZone)
  if (value.function.key === 'now') return { instant: now.getTime(), clock: at }
  const [duration] = value.arguments
  if (value.function.key !== 'last' || duration?.kind !== 'constant') return null
  const parsed = parseDuration(String(duration.literal))
  if (!parsed) return null
  const clock = Math.floor(at / day) * day - parsed.days * day - parsed.seconds * 1000
  return { instant: instantAt(clock, timeZone), clock }
}

const dayText = (clock: number) => new Date(clock).toISOString().slice(0, 10)
const instantText = (instant: number) => new Date(instant).toISOString()

/**
 * The days, and for instants the moments, that the data of a column cover: from the first to the last date of the
 * sources, within the limits of the query. `ranges`: the stored statistics of the field in each source. Null where they
 * are unknown.
 */
export function computeCoverage(
  { alias, field, timeZone, limits }: DateColumn,
  ranges: readonly ({ min: unknown; max: unknown } | undefined)[],
  now: Date,
): Coverage | null {
  if (limits === null || ranges.includes(undefined)) return null
  if (isYear(field)) return yearsCovered(alias, limits, ranges)
  const ends = ranges.flatMap((range) =>
    typeof range?.min === 'string' && typeof range.max === 'string' ? [[range.min, range.max] as const] : [],
  )
  if (ends.length === 0) return null
  const isCalendar = isCalendarDate(field)
  let from = Math.min(...ends.map(([min]) => toLocalTime(min, timeZone)))
  let to = Math.max(...ends.map(([, max]) => toLocalTime(max, timeZone)))
  let first = Math.min(...ends.map(([min]) => Date.parse(min)))
  let last = Math.max(...ends.map(([, max]) => Date.parse(max)))
  for (const { side, at, isIncluded } of limits) {
    const moment = toMoment(at, timeZone, now)
    if (moment === null || !Number.isFinite(moment.clock)) return null
    const step = isIncluded ? 0 : isCalendar ? day : 1
    // For a calendar date the moment of a limit is its day.
    const exact = isCalendar ? Math.floor(moment.clock / day) * day : moment.clock
    if (side === 'from') {
      from = Math.max(from, exact + step)
      first = Math.max(first, moment.instant + step)
    } else {
      to = Math.min(to, exact - step)
      last = Math.min(last, moment.instant - step)
    }
  }
  if (!Number.isFinite(from) || !Number.isFinite(to) || from > to) return null
  const days = { alias, from: dayText(from), to: dayText(to) }
  if (isCalendar) return { ...days, precision: field.precision }
  return { ...days, precision: 'day', moments: { from: instantText(first), to: instantText(last) } }
}

/** The years that numbers cover, from the first to the last, within the limits. Null where they are unknown. */
function yearsCovered(
  alias: string,
  limits: readonly Limit[],
  ranges: readonly ({ min: unknown; max: unknown } | undefined)[],
): Coverage | null {
  const numbers = (side: 'min' | 'max') =>
    ranges.map((range) => range?.[side]).filter((value) => typeof value === 'number')
  let from = Math.ceil(Math.min(...numbers('min')))
  let to = Math.floor(Math.max(...numbers('max')))
  for (const { side, at, isIncluded } of limits) {
    const bound = at.kind === 'constant' ? at.literal : null
    if (typeof bound !== 'number') return null
    if (side === 'from') from = Math.max(from, isIncluded ? Math.ceil(bound) : Math.floor(bound) + 1)
    else to = Math.min(to, isIncluded ? Math.floor(bound) : Math.ceil(bound) - 1)
  }
  // Other numbers are not calendar years.
  if (!(from >= 1 && from <= to && to <= 9999)) return null
  const formatFirstDay = (year: number) => `${String(year).padStart(4, '0')}-01-01`
  return { alias, from: formatFirstDay(from), to: formatFirstDay(to), precision: 'year' }
}

/**
 * Whether the dates of a column may be monthly or yearly although their type does not say so: the last one is
 * the first day of a month, and there are several. Only the rows can tell (`cadenceQuery`).
 */
export const mayBeFirsts = ({ from, to, precision }: Coverage): boolean =>
  precision === 'day' && to.endsWith('-01') && from < to

/**
 * A query for one row that tells whether all dates of a column are first days of months (`months`), or of
 * years (`years`).
 */
export function cadenceQuery(
  { field, timeZone }: DateColumn,
  { from, where }: Scope,
): RawBuilder<{ months: boolean; years: boolean }> {
  const local = isCalendarDate(field)
    ? sql`(${field.sql})::timestamp`
    : sql`(${field.sql} at time zone ${timeZone}::text)`
  const none = (part: RawBuilder<unknown>) =>
    sql`not exists (select 1 from ${from} where ${sql.join([...where, sql`extract(${part} from ${local}) <> 1`], sql` and `)})`
  return sql`select ${none(sql`day`)} as months, ${none(sql`doy`)} as years`
}

/** Usual intervals between readings, in seconds, longest first. */
const steps = [86_400, 43_200, 21_600, 10_800, 3600, 1800, 900, 600, 300, 60]
/** Buckets so short that a day more or less matters. */
const shortUnits = new Set<string | null>(['second', 'minute', 'hour', 'day', 'week'])

/** Whether the step between the instants of a column matters: where it is bucketed by weeks or less, and there are several. */
export const mayHaveStep = ({ unit }: DateColumn, { moments }: Coverage): boolean =>
  shortUnits.has(unit) && moments !== undefined && moments.from < moments.to

/**
 * The most records that are sampled for the step: its regularity shows in a sample, and a query should not read all rows
 * twice.
 */
const maxLookedAt = 20_000

/**
 * A query for one row with the largest step (ms) of which the intervals between instants of a column are multiples, in
 * local time, by up to 20,000 of its records; null where there is none. A candidate is abandoned at the first record
 * that does not fit.
 */
export function stepQuery(
  { field, timeZone }: DateColumn,
  { from, where }: Scope,
  moment: string,
): RawBuilder<{ step: number | null }> {
  const seconds = (instant: RawBuilder<unknown>) =>
    sql`extract(epoch from (${instant} at time zone ${timeZone}::text))`
  const apart = sql`(${seconds(sql`looked.at`)} - ${seconds(sql`${moment}::timestamptz`)})`
  const cases = steps.map(
    (step) =>
      sql`when not exists (select 1 from looked where mod(${apart}, ${step}::numeric) <> 0) then ${step * 1000}::integer`,
  )
  return sql`with looked as materialized (
      select ${field.sql} as at from ${from} where ${sql.join(where, sql` and `)} limit ${maxLookedAt}::int)
    select case ${sql.join(cases, sql` `)} end as step`
}

/**
 * Applies a known step to moments, within the limits of the query: a range cut off by a condition begins and ends with
 * an instant of the data, not with the condition. `reading`: any instant of the data.
 */
export function alignToStep(
  { from, to }: Moments,
  { reading, step, timeZone }: { reading: string; step: number; timeZone: string },
): Moments {
  const past = (moment: string) => {
    const apart = wallTime(Date.parse(moment), timeZone) - wallTime(Date.parse(reading), timeZone)
    return ((apart % step) + step) % step
  }
  const [early, late] = [past(from), past(to)]
  return {
    from: instantText(Date.parse(from) + (early === 0 ? 0 : step - early)),
    to: instantText(Date.parse(to) - late),
    step,
  }
}
