import type { autoFormats } from '#functions/shapes/parser/parser.ts'
import { dateIn } from './auto-dates.ts'
import { geometryFault } from './geometry.ts'
import { quoteInexactNumbers, measureJson } from './measure.ts'
import { looksLikeWkt, readWkt } from '../wkt.ts'

export type AutoFormat = (typeof autoFormats)[number]

/**
 * Infers the values of a row's texts, at all depths: `simple` infers values and trims keys, `aggressive` also converts
 * keys to camelCase, `extreme` also makes geometries from coordinate columns. Members with empty text are left out.
 * Pure; anything but text is unchanged.
 */
export function autoFormat(value: unknown, level: AutoFormat): unknown {
  const formatted = convertValue(value, level)
  return formatted === undefined ? null : formatted
}

/** Infers the value of a text by the rules below. Undefined: empty. Other texts are only trimmed. */
export function inferValue(text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '' || trimmed === 'undefined') return undefined
  // Rows are plain JSON, which has no NaN.
  if (trimmed === '-' || trimmed === 'null' || trimmed === 'NaN') return null
  const [, millis] = /^\/Date\((-?\d{1,16})(?:[+-]\d{4})?\)\/$/.exec(trimmed) ?? []
  if (millis && Math.abs(Number(millis)) <= 8.64e15) return new Date(Number(millis)).toISOString()
  return (
    geometryIn(trimmed) ??
    jsonIn(trimmed) ??
    wordIn(trimmed) ??
    numberIn(trimmed) ??
    dateIn(trimmed) ??
    trimmed
  )
}

function convertValue(value: unknown, level: AutoFormat): unknown {
  if (typeof value === 'string') return inferValue(value)
  if (Array.isArray(value)) return value.map((item) => autoFormat(item, level))
  if (typeof value !== 'object' || value === null) return value
  const members = new Map<string, unknown>()
  for (const [key, inner] of Object.entries(value)) {
    const formatValue = convertValue(inner, level)
    if (formatValue !== undefined)
      members.set(toUniqueKey(level === 'simple' ? key.trim() : camelCase(key), members), formatValue)
  }
  const row = Object.fromEntries(members)
  return level === 'extreme' ? withLocation(row) : row
}

/** A key that no member has yet: two keys may become one name. */
function toUniqueKey(key: string, members: Map<string, unknown>): string {
  if (!members.has(key)) return key
  let count = 2
  while (members.has(`${key}_${count}`)) count++
  return `${key}_${count}`
}

/** `Some key_name` becomes `someKeyName`; a key without letters or digits is unchanged. */
export function camelCase(key: string): string {
  const words = key
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}$]+/u)
    .filter(Boolean)
  if (!words.length) return key.trim()
  return words
    .map((word, i) => (i ? word.charAt(0).toUpperCase() + word.slice(1).toLowerCase() : word.toLowerCase()))
    .join('')
}

function geometryIn(text: string): unknown {
  const shape = looksLikeWkt(text) ? readWkt(text) : null
  return shape === null || typeof shape === 'string' || geometryFault(shape) ? undefined : shape
}

function jsonIn(text: string): unknown {
  if (!/^(["{[]|-?\d)/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'number') return isKept(value, text) ? value : text
    // Within lists and maps as well: numbers that cannot be represented are kept as texts.
    return measureJson(text).hasLong ? (JSON.parse(quoteInexactNumbers(text).text) as unknown) : value
  } catch {
    return undefined
  }
}

function wordIn(text: string): boolean | undefined {
  if (/^(true|yes|y)$/i.test(text)) return true
  return /^(false|no|n)$/i.test(text) ? false : undefined
}

function numberIn(text: string): number | string | undefined {
  if (!/^-?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?$|^-?\.\d+$/.test(text)) return undefined
  const plain = text.replaceAll(',', '')
  return isKept(Number(plain), plain) ? Number(plain) : text
}

/** Whether a number equals what was written: not out of range, and no rounded integer. */
function isKept(value: number, text: string): boolean {
  return Number.isFinite(value) && (!/^-?\d+$/.test(text) || Number.isSafeInteger(value))
}

const points = [
  ['lon', 'lat'],
  ['longitude', 'latitude'],
  ['x', 'y'],
]
const lines = [
  ['startLon', 'startLat', 'endLon', 'endLat'],
  ['startLongitude', 'startLatitude', 'endLongitude', 'endLatitude'],
  ['startX', 'startY', 'endX', 'endY'],
]

/** Makes `location` from the coordinate columns of a row, which are removed; an existing location is kept. */
function withLocation(row: Record<string, unknown>): Record<string, unknown> {
  if (Object.hasOwn(row, 'location')) return row
  for (const names of [...lines, ...points]) {
    const numbers = names.map((name) => (Object.hasOwn(row, name) ? row[name] : undefined))
    if (!numbers.every((n) => typeof n === 'number')) continue
    const [a, b, c, d] = numbers as number[]
    const location =
      names.length === 2
        ? { type: 'Point', coordinates: [a, b] }
        : {
            type: 'LineString',
            coordinates: [
              [a, b],
              [c, d],
            ],
          }
    if (geometryFault(location)) continue
    const rest = Object.entries(row).filter(([name]) => !names.includes(name))
    return { ...Object.fromEntries(rest), location }
  }
  return row
}
