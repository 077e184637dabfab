import type { OutputField } from '#functions/shapes/analytics.ts'
import { formatValue } from './format.ts'
import type { ChartInput } from './frame.ts'
import { bucketOf } from './local-time.ts'
import { formatOptions, say, sharedDecimals } from './measure.ts'

/** What is said of an answer without values. */
export const nothing = 'No data yet.'

/** A value and the words for where it stands: `in 2012`, `for Drought`. */
export interface Told {
  value: number
  where: string
}

/** A count with the noun it counts. */
export const countOf = (count: number, one: string, many: string, input: ChartInput): string =>
  `${formatValue(count, { name: '', type: 'number' }, formatOptions(input))} ${count === 1 ? one : many}`

/** Where a value stands: `in 2012`, `on Mon`, `for Drought`, `without Kind` where its group has no value. */
export function where(value: unknown, field: OutputField | undefined, input: ChartInput): string {
  if (value === null || value === undefined || value === '') return `without ${field?.name ?? 'a value'}`
  const text = formatValue(value, field, formatOptions(input))
  const part = field?.measurement?.type === 'datePart' ? field.measurement.value : undefined
  if (field?.type !== 'date') {
    if (part === 'hourOfDay') return `at ${text}`
    if (part === 'dayOfWeek') return `on ${text}`
    if (part === 'decade') return `in the ${text}`
    return `${part === 'month' || part === 'year' || part === 'quarter' ? 'in' : 'for'} ${text}`
  }
  switch (bucketOf(field)) {
    case 'week':
      return `in the week of ${text}`
    case 'decade':
      return `in the ${text}`
    case 'month':
    case 'quarter':
    case 'customQuarter':
    case 'year':
    case 'customYear':
      return `in ${text}`
    case 'hour':
    case 'minute':
    case 'second':
      return `at ${text}`
    case 'day':
    case undefined:
      return `on ${text}`
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
function wheres(told: Told[], value: number): string {
  const [first, second, ...more] = told.filter((one) => one.value === value)
  if (!second) return first?.where ?? ''
  return `${first?.where} and ${more.length === 0 ? second.where : `${more.length + 1} others`}`
}

/** The largest and the smallest of several values, each with all who have it; `when` is said after them. */
export function range(
  name: string,
  told: Told[],
  field: OutputField | undefined,
  input: ChartInput,
  when = '',
): string {
  const [first] = told
  if (!first) return nothing
  let [most, least] = [first.value, first.value]
  for (const { value } of told) {
    most = Math.max(most, value)
    least = Math.min(least, value)
  }
  const speak = speaker([most, least], field, input)
  if (told.length === 1) return `${name} came to ${speak(most)}${first.where && ` ${first.where}`}${when}.`
  if (most === least) return `${name} came to ${speak(most)} in all ${told.length} cases${when}.`
  return `${name} ranged from ${speak(most)} ${wheres(told, most)} down to ${speak(least)} ${wheres(told, least)}${when}.`
}
