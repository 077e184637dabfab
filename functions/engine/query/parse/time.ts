import type { Issues } from '../error.ts'
import type { QueryEnv, TimeOptions } from '../types.ts'
import { zoneNamed } from '../zones/names.ts'
import { asNumber } from '#functions/shapes/fields/constants.ts'

/** Parses the time zone and the first month of the custom year; they default to the caller's, and January. */
export function parseTime(query: Record<string, unknown>, env: QueryEnv, issues: Issues): TimeOptions {
  return {
    timeZone: parseZone(query.timezone, issues) ?? zoneNamed(env.timeZone) ?? env.timeZone,
    customYearStart: parseMonth(query, issues) ?? 1,
  }
}

function parseZone(input: unknown, issues: Issues): string | undefined {
  if (input === undefined || input === null || input === '') return undefined
  if (typeof input !== 'string') return issues.add(['timezone'], 'Must be a string.', input)
  return zoneNamed(input) ?? issues.add(['timezone'], 'Not a valid timezone.', input)
}

function parseMonth({ customYearStart: input }: Record<string, unknown>, issues: Issues): number | undefined {
  if (input === undefined || input === null || input === '') return undefined
  const month = asNumber(input)
  if (month === undefined) return issues.add(['customYearStart'], 'Must be a number.', input)
  if (Number.isInteger(month) && month >= 1 && month <= 12) return month
  return issues.add(['customYearStart'], 'Not a valid month.', input)
}
