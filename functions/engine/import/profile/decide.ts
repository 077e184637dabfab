import type { CalendarPrecision, Field, FieldType, Measurement } from '#functions/shapes/field.ts'
import { monthPatterns } from '../map/dates.ts'
import type { ColumnReading } from '../map/reading.ts'
import { getMisses, type ColumnProfile, type Fit } from './column.ts'
import { toHeaderWords } from './keys.ts'
import type { Miss } from './tally.ts'

/** Below this share of matching values a column is text, and nothing is rejected. */
const minRatio = 0.98
const minForId = 20
const minIdWidth = 6

/** The proposed type of a column, and its evidence. */
export interface Decision {
  field: Omit<Field, 'name'>
  reading: ColumnReading
  /** A transform from the column's values to the field's. */
  transform?: 'ensureMulti' | 'createString'
  parsed: number
  /** Some rows that would be refused. */
  failing: Miss[]
  /** A sentence with the numbers. */
  reason: string
  notes: string[]
}

const codeName =
  /\b(?:id|ids|zip|zip ?code|postal|postcode|plz|code|fips|geoid|phone|telephone|tel|fax|mobile|isbn|iban|account|barcode|sku|parcel|apn|license|permit)\b/
const yearName = /\b(?:year|yr|jahr)\b/
const flagName = /^(?:is|has|was|can)\b|\b(?:flag|yn|indicator)$/
const dateName = /\b(?:date|day|datum|dt|timestamp|time)\b/

const count = (column: ColumnProfile, parsed: number, subject: string) =>
  parsed === column.values
    ? `All ${column.values} values are ${subject}.`
    : `${parsed} of ${column.values} values are ${subject}; ${column.values - parsed} would be refused.`

/**
 * Decides the type of a column by its values and, where they are ambiguous, by its header. Digits with leading zeros
 * stay text.
 */
export function decide(column: ColumnProfile, header: string): Decision {
  const words = toHeaderWords(header)
  return (
    empty(column) ??
    shape(column) ??
    nest(column) ??
    truth(column, words) ??
    day(column, words) ??
    number(column, words) ??
    text(column)
  )
}

const isGood = ({ ratio }: { ratio: number }) => ratio >= minRatio

function decision(
  column: ColumnProfile,
  type: FieldType,
  fit: Fit,
  subject: string,
  failing: Miss[],
  rest: Partial<Decision> = {},
): Decision {
  const { parsed, reading } = fit
  return {
    ...{ field: { type }, reading, parsed, reason: count(column, parsed, subject), notes: [] },
    failing: parsed < column.values ? failing : [],
    ...rest,
  }
}

function empty(column: ColumnProfile): Decision | null {
  if (column.values > 0) return null
  const reason = 'No row has a value: nothing tells a type, so it is text.'
  return { field: { type: 'text' }, reading: {}, parsed: 0, failing: [], reason, notes: [] }
}

/** For lines and areas the type that all of them have or can be converted to. */
function shape(column: ColumnProfile): Decision | null {
  const { shapes } = column.counts
  const [point = 0, line = 0, multiline = 0, polygon = 0, multipolygon = 0] = (
    ['point', 'line', 'multiline', 'polygon', 'multipolygon'] as const
  ).map((type) => shapes[type] ?? 0)
  const families: [FieldType, number, boolean][] = [
    ['point', point, false],
    [multiline > 0 ? 'multiline' : 'line', line + multiline, line > 0 && multiline > 0],
    [multipolygon > 0 ? 'multipolygon' : 'polygon', polygon + multipolygon, polygon > 0 && multipolygon > 0],
  ]
  const [type, parsed, isMixed] = families.reduce((best, next) => (next[1] > best[1] ? next : best))
  const fit: Fit = { ...column.fits.point, parsed, ratio: parsed / column.values }
  if (!isGood(fit)) return null
  return decision(
    column,
    type,
    fit,
    `shapes (${type})`,
    column.misses.shape,
    isMixed ? { transform: 'ensureMulti' } : {},
  )
}

const itemTypes: Record<string, FieldType> = {
  text: 'text',
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  map: 'object',
}

function nest(column: ColumnProfile): Decision | null {
  const { kinds, items } = column.counts
  const fit = (parsed: number): Fit => ({
    ...column.fits.text,
    parsed,
    ratio: parsed / column.values,
    reading: {},
  })
  const list = fit((kinds.list ?? 0) + (kinds.jsonList ?? 0))
  if (isGood(list)) {
    const [kind = '', ...others] = Object.keys(items).filter((name) => name !== 'null')
    const isAlike = others.length === 0 && !kinds.jsonList && Object.hasOwn(itemTypes, kind)
    const type = isAlike ? itemTypes[kind]! : 'text'
    // Items of several kinds would be refused as items of one.
    if (!isAlike && Object.keys(items).some((name) => name === 'map' || name === 'list')) return text(column)
    return decision(column, 'array', list, 'lists', [], {
      field: { type: 'array', items: { name: 'Item', type } },
    })
  }
  const map = fit((kinds.map ?? 0) + (kinds.jsonMap ?? 0))
  return isGood(map) ? decision(column, 'object', map, 'maps', []) : null
}

/** Requires both words or an unambiguous one: N alone may be a direction, 1 alone a number. */
function truth(column: ColumnProfile, words: string): Decision | null {
  const fit = column.fits.boolean
  if (!isGood(fit)) return null
  const { kinds, truths } = column.counts
  const spellings = Object.keys(truths)
  const isSure =
    (kinds.boolean ?? 0) > 0 || spellings.some((word) => ['true', 'false', 'yes', 'no'].includes(word))
  const isDigits = !isSure && spellings.every((word) => word === '1' || word === '0')
  if (isDigits ? !flagName.test(words) : !isSure && spellings.length < 2) return null
  return decision(column, 'boolean', fit, 'true or false', column.misses.boolean)
}

function day(column: ColumnProfile, words: string): Decision | null {
  const fit = column.fits.date
  const { dates } = column.counts
  if (!isGood(fit)) return null
  // Eight digits are a day only if the header says so.
  if ((dates.YYYYMMDD ?? 0) > 0 && !dateName.test(words)) return null
  const patterns = Object.keys(dates).map((name) =>
    name.startsWith('open') ? (fit.reading.order === 'dayFirst' ? 'D/M/YYYY' : 'M/D/YYYY') : name,
  )
  const halves = monthPatterns.reduce((sum, pattern) => sum + (dates[pattern] ?? 0), 0)
  const precision = calendarPrecision(column, halves)
  if (halves > 0 && precision !== 'month')
    return asText(
      column,
      `${halves} values are months and the others are not: as dates they would be the first day of the month.`,
    )
  const notes: string[] = []
  if (precision && column.counts.timed === 0)
    notes.push('None has a time of day: they are dates on a calendar, which no time zone moves.')
  else if (precision)
    notes.push('All are at midnight: they are dates on a calendar, which no time zone moves.')
  const deciding = dates[`open ${fit.reading.order ?? ''}`] ?? 0
  if (fit.reading.order) notes.push(`${deciding} days beyond the twelfth say which number is the month.`)
  return decision(
    column,
    'date',
    fit,
    `dates (${[...new Set(patterns)].join(', ') || 'dates'})`,
    getMisses(column, 'date', fit.reading),
    { notes, ...(precision && { field: { type: 'date', precision } }) },
  )
}

/** The precision of dates without a time of day other than midnight; undefined for instants. */
function calendarPrecision({ counts }: ColumnProfile, halves: number): CalendarPrecision | undefined {
  const { dates, kinds, timed: datesWithTime, midnights } = counts
  if ((kinds.date ?? 0) > 0 || datesWithTime !== midnights) return undefined
  const all = Object.values(dates).reduce((sum, count) => sum + count, 0)
  return halves === all ? 'month' : 'day'
}

function number(column: ColumnProfile, words: string): Decision | null {
  const fit = column.fits.number
  const { zeroLed, inexact } = column.counts
  if (!isGood(fit)) return null
  if (zeroLed > 0)
    return asText(
      column,
      `${zeroLed} values are digits that begin with a zero: as numbers they would lose it.`,
    )
  const isWhole = column.fits.integer.parsed === fit.parsed
  const measurement = measure(column, words)
  if (isWhole && codeName.test(words) && !measurement)
    return asText(column, 'All are digits, but its name says that they are a code, not a number.', {
      identifier: true,
    })
  if (isWhole && isIdLike(column))
    return asText(
      column,
      `All are different and have ${column.ranges.length?.[0]} digits: they look like ids, not like numbers.`,
      { identifier: true },
    )
  const notes = inexact > 0 ? [`${inexact} have more digits than a number keeps.`] : []
  if (fit.reading.sign === '%') notes.push('12 % is kept as 0.12.')
  if (fit.alternative)
    notes.push(
      'The separator may also be the other one (thousands or fraction): nothing in the column decides.',
    )
  return decision(column, 'number', fit, 'numbers', getMisses(column, 'number', fit.reading), {
    notes,
    field: { type: 'number', ...(measurement ? { measurement } : {}) },
  })
}

/** Long integers of equal length, all different: unusual for a measure. */
function isIdLike({ ranges, values, repeats, distinct }: ColumnProfile): boolean {
  const [least = 0, most = 0] = ranges.length ?? []
  return (
    values >= minForId &&
    least === most &&
    least >= minIdWidth &&
    repeats.repeated === 0 &&
    distinct > values * 0.97
  )
}

function measure({ fits }: ColumnProfile, words: string): Measurement | null {
  const { reading, least, most } = fits.number
  if (reading.sign === '%') return { type: 'percentage', value: 'decimal' }
  if (reading.sign === '$') return { type: 'currency', value: 'usd' }
  if (reading.sign === '€') return { type: 'currency', value: 'eur' }
  const isYear = yearName.test(words) && Number(least) >= 1000 && Number(most) <= 2999
  return isYear && fits.integer.parsed === fits.number.parsed ? { type: 'datePart', value: 'year' } : null
}

function asText(column: ColumnProfile, reason: string, knowledge: Partial<Field> = {}): Decision {
  return { ...text(column), reason, field: { type: 'text', ...knowledge } }
}

function text(column: ColumnProfile): Decision {
  const { text: fit, date } = column.fits
  const isTextAll = fit.parsed === column.values
  const notes: string[] = []
  const open = column.counts.dates['open both'] ?? 0
  if (open > 0 && date.reading.order === undefined && date.ratio < minRatio)
    notes.push(
      `${open} dates may be month first or day first, and nothing in the column decides: say which, and they are dates.`,
    )
  const reason = isTextAll
    ? `All ${column.values} values are kept as they stand.`
    : 'Lists and maps among the values become texts.'
  return {
    field: { type: 'text' },
    reading: {},
    parsed: column.values,
    failing: [],
    reason,
    notes,
    ...(isTextAll ? {} : { transform: 'createString' as const }),
  }
}
