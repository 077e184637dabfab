import type { CalendarPrecision } from './field.ts'

const exactness: readonly CalendarPrecision[] = ['day', 'month', 'year']

/** The precision required by a span or part: a week starts on a day, a quarter with a month. */
const spans: Partial<Record<string, CalendarPrecision>> = {
  month: 'month',
  customMonth: 'month',
  quarter: 'month',
  customQuarter: 'month',
  customYear: 'month',
  year: 'year',
  decade: 'year',
}

const clockUnits = new Set(['second', 'minute', 'hour', 'hourOfDay'])

/** The precision of calendar dates truncated to a span, or of which a part was taken. */
export const spanPrecision = (name: string): CalendarPrecision => spans[name] ?? 'day'

/** The less precise of two. */
export const pickCoarserPrecision = (a: CalendarPrecision, b: CalendarPrecision): CalendarPrecision =>
  exactness.indexOf(a) > exactness.indexOf(b) ? a : b

/** Whether calendar dates of a precision have a span or part: no hours, and years have no months. */
export function hasSpan(precision: CalendarPrecision, name: string): boolean {
  const span = spanPrecision(name)
  return !clockUnits.has(name) && pickCoarserPrecision(precision, span) === span
}
