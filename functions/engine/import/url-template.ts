/** The placeholders of a URL, such as `{name}`, which are filled in for each run, by the local time of its start. */
export const templateNames = {
  date: 'The day, 2026-11-21.',
  yesterday: 'The day before, 2026-11-20.',
  year: 'The year, 2026.',
  month: 'The month, 01 to 12.',
  day: 'The day of the month, 01 to 31.',
  hour: 'The hour, 00 to 23.',
  minute: 'The minute, 00 to 59.',
  timestamp: 'Seconds since 1970.',
} as const
type TemplateName = keyof typeof templateNames

const expression = /\{([^{}]*)\}/g

/** Whether something in an address is to be filled in. */
export const isTemplate = (url: string): boolean => url.search(expression) >= 0

/** Why the placeholders of a URL are invalid, as a sentence; null: they are valid. */
export function templateIssue(url: string): string | null {
  for (const [, name = ''] of url.matchAll(expression))
    if (!Object.hasOwn(templateNames, name))
      return `There is no {${name.slice(0, 40)}} to fill in; there are ${Object.keys(templateNames)
        .map((expressionName) => `{${expressionName}}`)
        .join(', ')}.`
  return null
}

/**
 * Fills in the placeholders of a URL, like simple expressions of RFC 6570. Days and hours are in the time zone (an IANA
 * name). Names that are not in `templateNames` are unchanged.
 */
export function expandUrlTemplate(url: string, at: Date, timeZone: string): string {
  if (!isTemplate(url)) return url
  const values = valuesAt(at, timeZone)
  return url.replace(expression, (match, name: string) =>
    Object.hasOwn(values, name) ? values[name as TemplateName] : match,
  )
}

function valuesAt(at: Date, timeZone: string): Record<TemplateName, string> {
  const numeric = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  } as const
  const parts = new Intl.DateTimeFormat('en-US', {
    ...numeric,
    ...{ timeZone, hourCycle: 'h23', calendar: 'iso8601', numberingSystem: 'latn' },
  }).formatToParts(at)
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? ''
  const [year, month, day] = [part('year').padStart(4, '0'), part('month'), part('day')]
  // By the calendar, not by hours: a day may have 23 or 25 of them.
  const before = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) - 1))
  return {
    ...{ year, month, day, hour: part('hour'), minute: part('minute') },
    date: `${year}-${month}-${day}`,
    yesterday: before.toISOString().slice(0, 10),
    timestamp: String(Math.floor(at.getTime() / 1000)),
  }
}
