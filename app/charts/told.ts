import type { OutputField } from '#functions/shapes/analytics.ts'
import { formatValue } from './format.ts'
import type { ChartInput } from './frame.ts'
import { bucketOf } from './local-time.ts'
import { formatOptions, say, sharedDecimals } from './measure.ts'
import { phrasesOf } from './phrases.ts'
import type { WhereKind } from './phrases/phrases.ts'

/** A value and the words for where it stands: `in 2012`, `for Drought`. */
export interface Told {
  value: number
  where: string
}

/** Where a value stands: `in 2012`, `on Mon`, `for Drought`, `without Kind` where its group has no value. */
export function where(value: unknown, field: OutputField | undefined, input: ChartInput): string {
  const say = phrasesOf(input.locale).where
  if (value === null || value === undefined || value === '') return say.without(field?.name ?? '')
  return say[kindOf(field)](formatValue(value, field, formatOptions(input)))
}

const ofParts: Record<string, WhereKind> = {
  hourOfDay: 'clock',
  dayOfWeek: 'weekday',
  decade: 'decade',
  month: 'in',
  year: 'in',
  quarter: 'quarter',
}

/** Which small word a value of a field is told with. */
function kindOf(field: OutputField | undefined): WhereKind {
  const part = field?.measurement?.type === 'datePart' ? field.measurement.value : ''
  if (field?.type !== 'date') return ofParts[part] ?? 'for'
  const bucket = bucketOf(field)
  switch (bucket) {
    case 'week':
    case 'decade':
    case 'quarter':
    case 'day':
      return bucket
    case 'month':
    case 'customQuarter':
    case 'year':
    case 'customYear':
      return 'in'
    case 'hour':
    case 'minute':
    case 'second':
      return 'moment'
    case undefined:
      return 'day'
  }
}

/** Writes values that are compared with each other, all with as many decimals. */
export function speaker(
  values: number[],
  field: OutputField | undefined,
  input: ChartInput,
): (value: number) => string {
  const decimals = sharedDecimals(values, field)
  return (value) => say(value, field, input, { decimals })
}

/** Where a value stands that several may share: `for Drought`, `for Drought and for Flood`, `for Drought and 2 others`. */
function wheres(told: Told[], value: number, locale: string): string {
  const [first, second, ...more] = told.filter((one) => one.value === value)
  const at = first?.where ?? ''
  if (!second) return at
  const { both, withOthers } = phrasesOf(locale)
  return more.length === 0 ? both(at, second.where) : withOthers(at, more.length + 1)
}

/** The largest and the smallest of several values, each with all who have it; `when` is said after them. */
export function range(
  name: string,
  told: Told[],
  field: OutputField | undefined,
  input: ChartInput,
  when = '',
): string {
  const phrases = phrasesOf(input.locale)
  const [first] = told
  if (!first) return phrases.nothing
  let [most, least] = [first.value, first.value]
  for (const { value } of told) {
    most = Math.max(most, value)
    least = Math.min(least, value)
  }
  const speak = speaker([most, least], field, input)
  const at = (value: number) => wheres(told, value, input.locale)
  if (told.length === 1) return phrases.came(name, speak(most), [first.where, when].filter(Boolean).join(' '))
  if (most === least) return phrases.allSame(name, speak(most), told.length, when)
  return phrases.ranged(name, speak(most), at(most), speak(least), at(least), when)
}
