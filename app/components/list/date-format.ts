/** What of a moment is written. `long` is for headings: with the day of the week. */
export type DateForm = 'day' | 'long' | 'moment' | 'clock' | 'seconds'

// The calendar is everyone's: a country's own would name another year than the data do.
const gregorian = { calendar: 'gregory' } as const
const forms: Record<DateForm, Intl.DateTimeFormatOptions> = {
  day: { dateStyle: 'medium', ...gregorian },
  long: { dateStyle: 'full', ...gregorian },
  moment: { dateStyle: 'medium', timeStyle: 'short', ...gregorian },
  clock: { timeStyle: 'short', ...gregorian },
  seconds: { timeStyle: 'medium', ...gregorian },
}

/** How a reader writes a moment, in a time zone. */
export function dateFormat(form: DateForm, locale: string, timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { ...forms[form], timeZone })
}

/** A calendar day ("2026-11-05"), which is on no clock, as a reader writes it. */
export function calendarDay(day: string, locale: string): string {
  return dateFormat('day', locale, 'UTC').format(new Date(`${day}T00:00:00Z`))
}
