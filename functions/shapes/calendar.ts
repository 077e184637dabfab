import type { CalendarPrecision } from './field.ts'

const exactness: readonly CalendarPrecision[] = ['day', 'month', 'year']

/** How exact the calendar dates of a span or part are: a week begins on a day, a quarter with a month. */
const spans: Partial<Record<string, CalendarPrecision>> = {
  month: 'month',
  customMonth: 'month',
  quarter: 'month',
  customQuarter: 'month',
  customYear: 'month',
  year: 'year',
  decade: 'year',
}

const ofClocks = new Set(['second', 'minute', 'hour', 'hourOfDay'])

/** How exact calendar dates are that were cut down to a span, or of which a part was taken. */
export const spanPrecision = (name: string): CalendarPrecision => spans[name] ?? 'day'

/** The less exact of two. */
export const coarserOf = (a: CalendarPrecision, b: CalendarPrecision): CalendarPrecision =>
  exactness.indexOf(a) > exactness.indexOf(b) ? a : b

/** Whether calendar dates that are so exact have a span or part: no hours, and those of years no months. */
export function hasSpan(precision: CalendarPrecision, name: string): boolean {
  const span = spanPrecision(name)
  return !ofClocks.has(name) && coarserOf(precision, span) === span
}
