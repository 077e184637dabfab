/** Which parts of a date are shown. `full` names the month, `long` is for headings, with the weekday. */
export type DateForm = 'day' | 'full' | 'long' | 'moment' | 'clock' | 'seconds'

// Always Gregorian: a locale's own calendar would show another year than the data.
const gregorian = { calendar: 'gregory' } as const
const forms: Record<DateForm, Intl.DateTimeFormatOptions> = {
  day: { dateStyle: 'medium', ...gregorian },
  full: { dateStyle: 'long', ...gregorian },
  long: { dateStyle: 'full', ...gregorian },
  moment: { dateStyle: 'medium', timeStyle: 'short', ...gregorian },
  clock: { timeStyle: 'short', ...gregorian },
  seconds: { timeStyle: 'medium', ...gregorian },
}

/** The formatter for a locale and time zone. */
export function dateFormat(form: DateForm, locale: string, timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { ...forms[form], timeZone })
}

/** Formats a calendar day ("2026-11-05"), which has no time zone. */
export function calendarDay(day: string, locale: string): string {
  return dateFormat('day', locale, 'UTC').format(new Date(`${day}T00:00:00Z`))
}

/** The months as words of the workspace, January first. */
export const monthNames: readonly string[] = Array.from({ length: 12 }, (_, i) =>
  new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2024, i))),
)
