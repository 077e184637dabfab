import { hubTexts } from '#app/components/hub/texts.ts'
import { day } from '../page-language.server.ts'
import type { ReaderSettings } from './figure.server.ts'

/** The facts of a source that a picture of its data states. */
export interface CreditedSource {
  name: string
  attribution?: string | null
  dataUpdatedAt?: Date | string | null
}

/** The maximum number of sources that are named. */
const maxNamed = 3

/** Where data are from, and the day of the newest of them, for below a picture; '' without sources. */
export function dataCredit(sources: readonly CreditedSource[], reading: ReaderSettings): string {
  if (sources.length === 0) return ''
  const w = hubTexts(reading.locale)
  const names = sources.map(({ name, attribution }) => (attribution ? `${name} (${attribution})` : name))
  const firstNames = new Intl.ListFormat(reading.locale, { type: 'unit' }).format(names.slice(0, maxNamed))
  const more = names.length > maxNamed ? ` +${names.length - maxNamed}` : ''
  const times = sources.flatMap(({ dataUpdatedAt: at }) => (at ? [new Date(at).getTime()] : []))
  const date = times.length > 0 ? w.dataDate(day(new Date(Math.max(...times)), reading)) : ''
  return [`${w.attribution}: ${firstNames}${more}`, date].filter(Boolean).join(' · ')
}
