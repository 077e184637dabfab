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

/** A number of things, as its language writes it. */
export const counted = (count: number, input: ChartInput): string =>
  formatValue(count, { name: '', type: 'number' }, formatOptions(input))

/**
 * Which values of a column the rows of an answer that was cut have: its largest, its smallest; null where it is ordered by
 * something else, or others came before.
 */
function rankBy(field: OutputField | undefined, { output }: ChartInput): 'largest' | 'smallest' | null {
  const [first] = output.orderings
  if (!first || output.skipped !== undefined || !field || output.schema[first.alias] !== field) return null
  return first.direction === 'desc' ? 'largest' : 'smallest'
}

/** Whether a limit left rows out: then nothing may be said as if they were all. */
export const isCut = ({ output }: ChartInput): boolean => output.total !== undefined

/** How many rows there are in all, in words; undefined where none were left out. */
export function totalText(input: ChartInput): string | undefined {
  const { total, estimated } = input.output
  if (total === undefined) return undefined
  const text = counted(total, input)
  return estimated ? phrasesOf(input.locale).about(text) : text
}

/** What values are said of: their name, and where a limit left some out, which ones they are of how many. */
export function subjectOf(
  name: string,
  shown: number,
  field: OutputField | undefined,
  input: ChartInput,
): string {
  const total = totalText(input)
  return total === undefined ? name : phrasesOf(input.locale).ofCut(name, shown, total, rankBy(field, input))
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
  const subject = subjectOf(name, told.length, field, input)
  let [most, least] = [first.value, first.value]
  for (const { value } of told) {
    most = Math.max(most, value)
    least = Math.min(least, value)
  }
  const speak = speaker([most, least], field, input)
  const at = (value: number) => wheres(told, value, input.locale)
  if (told.length === 1)
    return phrases.came(subject, speak(most), [first.where, when].filter(Boolean).join(' '))
  if (most === least) return phrases.allSame(subject, speak(most), told.length, when)
  return phrases.ranged(subject, speak(most), at(most), speak(least), at(least), when)
}
