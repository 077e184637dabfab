import type { SchemaElement, TimeUnit } from 'hyparquet'
import { parseFloat16 } from 'hyparquet/src/convert.js'
import { InvalidValue } from './invalid-value.ts'
import { formatByteCount, type ReadLimits } from './caps.ts'
import { measureJson } from './measure.ts'
import { shortFloat } from './short-float.ts'

/** Converts a stored value to JSON. */
export interface ParquetType {
  read(value: unknown): unknown
}

/**
 * Returns how a column's values are read, by its type: dates as texts, integers beyond 2^53 and long decimals
 * as texts. Binary data without a known meaning are null, and `onLost` is called.
 */
export function parquetType(element: SchemaElement, caps: ReadLimits, onLost: () => void): ParquetType {
  const { type, converted_type: old, logical_type: logical } = element
  if (logical?.type === 'NULL') return { read: () => null }
  if (old === 'DECIMAL' || logical?.type === 'DECIMAL') {
    const scale = (logical?.type === 'DECIMAL' ? logical.scale : element.scale) ?? 0
    return { read: (value) => toDecimal(unscaled(value), scale) }
  }
  if (old === 'DATE' || logical?.type === 'DATE')
    return {
      read: (days) => formatDay(Number(days)) ?? new InvalidValue('The day is in no calendar.', String(days)),
    }
  const time = findTimeType(element)
  if (time) return time
  if (type === 'INT96')
    return { read: (value) => formatInstant(int96Nanos(value as bigint), 1_000_000_000n, false) }
  if (type === 'INT32' || type === 'INT64') return { read: createIntegerReader(element) }
  if (type === 'FLOAT') return { read: (value) => shortFloat(value as number) }
  if (type === 'DOUBLE') return { read: (value) => (Number.isFinite(value) ? value : null) }
  if (type === 'BOOLEAN') return { read: (value) => value }
  return createTextType(element, caps, onLost)
}

function createTextType(
  { converted_type: old, logical_type: logical }: SchemaElement,
  caps: ReadLimits,
  onLost: () => void,
): ParquetType {
  if (old === 'INTERVAL') return { read: (value) => formatInterval(value as Uint8Array) }
  if (logical?.type === 'UUID')
    return {
      read: (value) => hex(value as Uint8Array).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    }
  if (logical?.type === 'FLOAT16')
    return { read: (value) => finite(parseFloat16(value as Uint8Array) ?? NaN) }
  const isText = old === 'UTF8' || old === 'ENUM' || logical?.type === 'STRING' || logical?.type === 'ENUM'
  const isJson = old === 'JSON' || logical?.type === 'JSON'
  return {
    read(value) {
      const bytes = value as Uint8Array
      if (bytes.length > caps.text)
        return new InvalidValue(`The text is longer than ${formatByteCount(caps.text)}.`)
      const text = utf8(bytes)
      if (text !== null && (isText || isJson)) return isJson && !isText ? parseJson(text, caps) : text
      if (text !== null && !/[^\P{Cc}\t\n\r]/u.test(text)) return text
      if (isText || isJson)
        return new InvalidValue('The bytes are no text in UTF-8.', hex(bytes.subarray(0, 40)))
      // Old writers do not mark texts; binary data are recognised by their content.
      onLost()
      return null
    },
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function utf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

function parseJson(text: string, caps: ReadLimits): unknown {
  const { depth, members } = measureJson(text)
  if (depth > caps.depth || members > caps.members) return new InvalidValue('The JSON has too much in it.')
  try {
    return JSON.parse(text) as unknown
  } catch {
    return new InvalidValue('The text is not JSON.', text)
  }
}

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const finite = (value: number) => (Number.isFinite(value) ? value : null)

/** Integers, unsigned ones as declared; those that a double cannot represent are texts. */
function createIntegerReader({ converted_type: old, logical_type: logical }: SchemaElement) {
  const isUnsigned = /^UINT/.test(old ?? '') || (logical?.type === 'INTEGER' && !logical.isSigned)
  return (value: unknown) => {
    if (typeof value !== 'bigint') return isUnsigned ? Number(value) >>> 0 : value
    const unsigned = isUnsigned ? BigInt.asUintN(64, value) : value
    const number = Number(unsigned)
    return Number.isSafeInteger(number) ? number : unsigned.toString()
  }
}

function unscaled(value: unknown): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(value as number | bigint)
  if (value.length === 0) return 0n
  return value.length > 64 ? 0n : BigInt.asIntN(value.length * 8, BigInt(`0x${hex(value)}`))
}

/** A decimal as a number where a double keeps all of its digits, otherwise as a text. */
function toDecimal(value: bigint, scale: number): number | string | InvalidValue {
  if (!(scale >= 0 && scale <= 100)) return new InvalidValue('The decimal has no such scale.', String(scale))
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0')
  const integerPart = digits.slice(0, digits.length - scale)
  const text = `${value < 0n ? '-' : ''}${integerPart}${scale > 0 ? `.${digits.slice(-scale)}` : ''}`
  const significant = digits.replace(/^0+/, '').replace(scale > 0 ? /0+$/ : /$^/, '').length
  return significant <= 15 ? Number(text) : text
}

const perSecond: Record<TimeUnit, bigint> = { MILLIS: 1000n, MICROS: 1_000_000n, NANOS: 1_000_000_000n }

/** Returns the reader of times and timestamps; null for other columns. */
function findTimeType({ converted_type: old, logical_type: logical }: SchemaElement): ParquetType | null {
  const [, oldKind, oldUnit] = /^(TIME|TIMESTAMP)_(MILLIS|MICROS)$/.exec(old ?? '') ?? []
  const isNew = logical?.type === 'TIME' || logical?.type === 'TIMESTAMP'
  const kind = isNew ? logical.type : oldKind
  if (!kind) return null
  const units = perSecond[isNew ? logical.unit : (oldUnit as TimeUnit)]
  // Before logical types, timestamps were in UTC.
  const isUtc = isNew ? logical.isAdjustedToUTC : true
  if (kind === 'TIMESTAMP')
    return { read: (value) => formatInstant(BigInt(value as number | bigint), units, isUtc) }
  return {
    read(value) {
      const all = BigInt(value as number | bigint)
      if (all < 0n || all > 86_400n * units) return new InvalidValue('The time is in no day.', String(value))
      return formatClock(Number(all / units), all % units, units)
    },
  }
}

/** `2024-02-29T13:30:00.000Z`, without Z for a local time; with the precision of the value, at least three digits. */
function formatInstant(value: bigint, perSecond: bigint, isUtc: boolean): string | InvalidValue {
  const rest = ((value % perSecond) + perSecond) % perSecond
  const seconds = Number((value - rest) / perSecond)
  const day = Math.floor(seconds / 86_400)
  const date = formatDay(day)
  if (date === null) return new InvalidValue('The moment is in no calendar.', String(value))
  return `${date}T${formatClock(seconds - day * 86_400, rest, perSecond)}${isUtc ? 'Z' : ''}`
}

function formatClock(seconds: number, rest: bigint, perSecond: bigint): string {
  const padTwoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const places = perSecond.toString().length - 1
  const fraction = rest
    .toString()
    .padStart(places, '0')
    .replace(/(?<=.{3})0+$/, '')
  return `${padTwoDigits(seconds / 3600)}:${padTwoDigits((seconds % 3600) / 60)}:${padTwoDigits(seconds % 60)}${rest ? `.${fraction}` : ''}`
}

/** A day by its number since 1970; null outside of the supported years. */
function formatDay(days: number): string | null {
  const date = new Date(days * 86_400_000)
  const year = date.getUTCFullYear()
  return year >= 0 && year <= 9999 ? date.toISOString().slice(0, 10) : null
}

/**
 * Converts INT96 of Impala and older Spark versions to nanoseconds since 1970: the Julian day, preceded by
 * the time of the day.
 */
function int96Nanos(value: bigint): bigint {
  const days = BigInt.asIntN(32, value >> 64n) - 2_440_588n
  return days * 86_400_000_000_000n + BigInt.asUintN(64, value)
}

/** Formats a duration as ISO 8601. */
function formatInterval(bytes: Uint8Array): string | InvalidValue {
  if (bytes.length !== 12) return new InvalidValue('The interval has not its three numbers.')
  const view = new DataView(bytes.buffer, bytes.byteOffset, 12)
  const [months, days, millis] = [0, 4, 8].map((at) => view.getUint32(at, true)) as [number, number, number]
  return `P${months}M${days}DT${millis / 1000}S`
}
