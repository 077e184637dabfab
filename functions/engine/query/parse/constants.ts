import { isCalendarDate } from '#functions/shapes/field.ts'
import { parseCalendarDay } from '#functions/shapes/fields/dates.ts'
import { asDate, asNumber } from '#functions/shapes/fields/constants.ts'
import type { ValueInfo } from '../types.ts'

/** The message for a constant that is more precise than the calendar date it is compared with. */
export const noInstant = 'Not a valid date value: a calendar date has no time of day.'

/**
 * Converts a constant to the type of the field it is compared with, so that a query string and JSON mean the same.
 * Undefined when it is not valid for that type.
 */
export function coerce(
  input: unknown,
  target: Pick<ValueInfo, 'type' | 'precision'>,
): string | number | boolean | undefined {
  const { type } = target
  if (type === 'number') return asNumber(input)
  if (isCalendarDate(target)) return parseCalendarDay(input) ?? undefined
  if (type === 'date') return asDate(input)
  if (type === 'boolean') {
    if (input === true || input === 'true') return true
    return input === false || input === 'false' ? false : undefined
  }
  if (type !== 'text') return undefined
  return typeof input === 'string' || typeof input === 'number' || typeof input === 'boolean'
    ? String(input)
    : undefined
}
