interface Source {
  name: string
  attribution: string | null
  licence: string | null
}

/** The most sources that are named. */
const maxNames = 3

/** The source line of an answer: publisher, licence, and the day of its newest data; '' without sources. */
export function formatCredit(sources: Source[], updated: Date | null, timeZone: string): string {
  if (sources.length === 0) return ''
  const names = [...new Set(sources.map(({ name, attribution }) => attribution || name))]
  const others = names.length - maxNames
  const from = names.slice(0, maxNames).join(', ') + (others > 0 ? ` and ${others} more` : '')
  const licences = [...new Set(sources.map(({ licence }) => licence).filter(Boolean))]
  const day = updated && new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone }).format(updated)
  return [`Source: ${from}`, ...licences, day && `Updated ${day}`].filter(Boolean).join(' · ')
}
