import type { Field } from '#functions/shapes/field.ts'
import {
  isPlainObject,
  isStorableJson,
  isText,
  getOwnProperty,
  setOwn,
} from '#functions/shapes/fields/plain.ts'
import { isCalendarDate, isGeometryType, type CalendarPrecision } from '#functions/shapes/field.ts'
import { isConverted } from './conversions.ts'
import { defaultCaps } from '../parse/caps.ts'
import { jsonRow } from '../parse/json-value.ts'
import { calendarDay, instantRead, readCalendarDate, readDate } from './dates.ts'
import { readGeometry } from './geometry.ts'
import { numberFault, readNumber } from './numbers.ts'
import {
  booleanWords,
  isBlank,
  isNoValue,
  missingIn,
  Refusal,
  type ColumnReading,
  type ColumnReadings,
} from './reading.ts'
import type { Zone } from '#functions/shapes/zone.ts'

/** Converts a value of a source to a field's value, null for none, or the reason for rejecting it. */
export type Reader = (value: unknown) => unknown

/** The source of a field's values: the column, and the readings of it and its nested columns. */
export interface ReaderContext {
  path: string
  columns: ColumnReadings
  zone: Zone
  /** Called for each value, also within lists and maps, that is converted; null: it is read as missing. */
  onConverted?: (value: unknown, converted: unknown) => void
}

/**
 * Returns the function that converts values for a field. Depends on the type of the field: the same digits are an id
 * with leading zeros for a text field and a number for a number field. Never converts lossily: values that are not
 * exactly of the type are rejected.
 */
export function reader(field: Field, from: ReaderContext): Reader {
  const reading = getOwnProperty(from.columns as Record<string, ColumnReading>, from.path) ?? {}
  const { type } = field
  if (type === 'array') return scalar(listReader(field, from))
  if (type === 'object') return scalar(mapReader(field, from))
  const read = withoutWords(reading, withoutMissing(field, leafReader(field, reading, from.zone)))
  const { onConverted } = from
  return onConverted ? watch(read, onConverted) : read
}

function leafReader(field: Field, reading: ColumnReading, zone: Zone): Reader {
  const { type } = field
  if (isGeometryType(type)) return scalar((value) => readGeometry(value, type))
  if (type === 'number') return scalar(numberReader(reading, isShare(field)))
  if (type === 'boolean') return scalar(booleanReader(reading))
  if (isCalendarDate(field)) return scalar(calendarReader(reading, zone, field.precision))
  return type === 'date' ? scalar(dateReader(reading, zone)) : readText
}

/** Missing-value codes of the field (9 for "not stated") are read as missing, so that they are never computed with. */
function withoutMissing({ values = [] }: Field, readItem: Reader): Reader {
  const missing = new Set<unknown>(values.flatMap((each) => (each.missing ? [each.value] : [])))
  if (missing.size === 0) return readItem
  return (value) => {
    const result = readItem(value)
    return missing.has(result) ? null : result
  }
}

/** Missing-value words of this column are handled before any conversion. */
function withoutWords(reading: ColumnReading, read: Reader): Reader {
  const isMissing = missingIn(reading)
  return isMissing ? (value) => (isMissing(value) ? null : read(value)) : read
}

function watch(read: Reader, onConverted: NonNullable<ReaderContext['onConverted']>): Reader {
  return (value) => {
    const result = read(value)
    if (result === null) {
      if (typeof value === 'number' || (typeof value === 'string' && !isBlank(value)))
        onConverted(value, null)
    } else if (!(result instanceof Refusal) && isConverted(value, result)) onConverted(value, result)
    return result
  }
}

const isShare = ({ measurement }: Field) =>
  measurement?.type === 'percentage' && measurement.value === 'decimal'

/** Trims texts, and removes words for a missing value. */
function scalar(read: Reader): Reader {
  return (value) => {
    if (value === null || value === undefined) return null
    if (typeof value !== 'string') return read(value)
    const text = value.trim()
    return text === '' || isNoValue(text) ? null : read(text)
  }
}

/** A text unchanged, JSON numbers and booleans as their exact text; null for white space only. */
export function readText(value: unknown): unknown {
  if (typeof value === 'string') {
    if (isBlank(value)) return null
    return isText(value) ? value : new Refusal('Has characters that no text can keep.', value)
  }
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') {
    const fault = numberFault(value)
    return fault === null ? String(value) : new Refusal(fault, value)
  }
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? new Refusal('Not a date.', value) : value.toISOString()
  const kind = Array.isArray(value) ? 'A list' : 'A map'
  return new Refusal(`${kind}, not a text.`, value)
}

/** Reads numbers; `hundredths`: of a column with percent signs, 12 % is 0.12. */
export function numberReader(reading: ColumnReading, hundredths = false): Reader {
  return (value) => {
    if (typeof value === 'string') {
      const number = readNumber(value, reading, hundredths)
      return typeof number === 'number' ? number : new Refusal(number, value)
    }
    if (typeof value !== 'number') return new Refusal('Not a number.', value)
    const fault = numberFault(value)
    return fault === null ? value + 0 : new Refusal(fault, value)
  }
}

/** Parses words for booleans; of numbers only 1 and 0. */
export function booleanReader(reading: ColumnReading): Reader {
  const isOwn = reading.true !== undefined || reading.false !== undefined
  const words = isOwn
    ? new Map([
        ...(reading.true ?? []).map((word): [string, boolean] => [word, true]),
        ...(reading.false ?? []).map((word): [string, boolean] => [word, false]),
      ])
    : booleanWords
  return (value) => {
    if (typeof value === 'boolean') return value
    const isWord = typeof value === 'string' || typeof value === 'number'
    const isKnown = isWord ? words.get(String(value).toLowerCase()) : undefined
    return isKnown ?? new Refusal('Neither true nor false.', value)
  }
}

/** Reads dates into ISO text in UTC. A number is refused: it may be seconds, milliseconds or the day of a worksheet. */
export function dateReader(reading: ColumnReading, zone: Zone): Reader {
  // Memoises days: they repeat, and time zone calculations are slow.
  const days = new Map<string, string>()
  return (value) => {
    if (typeof value !== 'string' && !(value instanceof Date))
      return new Refusal('A number is not taken for a date.', value)
    const isDay = typeof value === 'string' && value.length <= longestDay
    const day = isDay ? days.get(value) : undefined
    if (day !== undefined) return day
    const date = typeof value === 'string' ? readDate(value, reading, zone) : instantRead(value.getTime())
    if ('fault' in date) return new Refusal(date.fault, value)
    if (isDay && days.size < maxDays) days.set(value, date.iso)
    return date.iso
  }
}

/** Parses calendar dates to `YYYY-MM-DD`. Numbers of four digits are years, only in fields of years. */
function calendarReader(reading: ColumnReading, zone: Zone, precision: CalendarPrecision): Reader {
  const days = new Map<string, string>()
  return (value) => {
    const isYear = precision === 'year' && typeof value === 'number' && Number.isInteger(value)
    const input = isYear ? String(value) : value
    if (typeof input !== 'string' && !(input instanceof Date))
      return new Refusal('A number is not taken for a date.', value)
    const day = typeof input === 'string' ? days.get(input) : undefined
    if (day !== undefined) return day
    const outcome =
      typeof input === 'string'
        ? readCalendarDate(input, reading, zone, precision)
        : calendarDay(input.getTime(), zone, precision)
    if ('fault' in outcome) return new Refusal(outcome.fault, value)
    if (typeof input === 'string' && days.size < maxDays) days.set(input, outcome.day)
    return outcome.day
  }
}

const longestDay = 10
const maxDays = 5000

function listReader(field: Field, from: ReaderContext): Reader {
  const readItem = field.items
    ? reader(field.items, { ...from, path: `${from.path}.*` })
    : (item: unknown) => item
  return (value) => {
    const list = typeof value === 'string' && value.startsWith('[') ? parse(value) : value
    if (list instanceof Refusal) return list
    if (!Array.isArray(list)) return new Refusal('Not a list.', value)
    const items: unknown[] = []
    for (const [index, item] of list.entries()) {
      const member = readItem(item)
      if (member instanceof Refusal)
        return new Refusal(member.message, member.value, `.${index}${member.within}`)
      items.push(member)
    }
    return items
  }
}

function mapReader(field: Field, from: ReaderContext): Reader {
  const readers = Object.entries(field.schema ?? {}).map(([key, member]) => ({
    key,
    read: reader(member, { ...from, path: `${from.path}.${key}` }),
  }))
  return (value) => {
    const map = typeof value === 'string' && value.startsWith('{') ? parse(value) : value
    if (map instanceof Refusal) return map
    if (!isPlainObject(map)) return new Refusal('Not a map.', value)
    if (!field.schema) return isStorableJson(map) ? map : new Refusal('Holds what cannot be kept.', value)
    const members: Record<string, unknown> = {}
    for (const { key, read } of readers) {
      const member = read(getOwnProperty(map, key))
      if (member instanceof Refusal)
        return new Refusal(member.message, member.value, `.${key}${member.within}`)
      if (member !== null) setOwn(members, key, member)
    }
    return members
  }
}

/** Parses a JSON cell like JSON rows: duplicate members are rejected, numbers beyond 2^53 stay text. */
function parse(text: string): unknown {
  const { value, fault } = jsonRow(text, defaultCaps) as { value?: unknown; fault?: { message: string } }
  return fault ? new Refusal(fault.message.replace(/^The row/, 'The text'), text) : value
}
