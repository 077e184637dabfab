import { isCalendarDate } from '#functions/shapes/field.ts'
import { dayOf } from '#functions/shapes/fields/dates.ts'
import { asDate, asNumber } from '#functions/shapes/fields/constants.ts'
import type { Inferred } from '../types.ts'

/** What is said of a constant that is more exact than the calendar date it stands beside. */
export const noInstant = 'Not a valid date value: a calendar date has no time of day.'

/**
 * A constant as the type of the field it is compared with, so that a query means the same whether it came as a query
 * string or as JSON. Undefined when it cannot be read as that type.
 */
export function coerce(
  input: unknown,
  target: Pick<Inferred, 'type' | 'precision'>,
): string | number | boolean | undefined {
  const { type } = target
  if (type === 'number') return asNumber(input)
  if (isCalendarDate(target)) return dayOf(input) ?? undefined
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
