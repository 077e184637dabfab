import { isCalendarDate, type Field, type FieldSchema } from '#functions/shapes/field.ts'

const moment = '2026-01-31T09:00:00.000Z'
const days = { day: '2026-01-31', month: '2026-01-01', year: '2026-01-01' }
/** A rectangle of about a city block, as longitudes and latitudes in degrees. */
const block = [
  [-73.99, 40.73],
  [-73.98, 40.73],
  [-73.98, 40.74],
  [-73.99, 40.74],
  [-73.99, 40.73],
]

/** Returns an example record for a data type: a value for each field that meets its rules where possible. */
export function buildExampleRecord(schema: FieldSchema): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).map(([key, field]) => [key, buildExampleValue(field)]))
}

function buildExampleValue(field: Field): unknown {
  const rules = field.validation ?? {}
  if (Array.isArray(rules.enum) && rules.enum.length) return rules.enum[0] as unknown
  switch (field.type) {
    case 'text':
      return buildExampleText(rules, field.name)
    case 'number':
      return clampNumber(field.measurement?.type === 'percentage' ? 0.5 : 42, rules.min, rules.max)
    case 'boolean':
      return true
    case 'date':
      return dateWithin(isCalendarDate(field) ? days[field.precision] : moment, rules.min, rules.max)
    case 'array':
      return buildExampleList(field, rules)
    case 'object':
      return buildExampleRecord(field.schema ?? {})
    case 'point':
      return {
        type: 'Point',
        coordinates: [
          clampNumber(-73.99, rules.minLongitude, rules.maxLongitude),
          clampNumber(40.73, rules.minLatitude, rules.maxLatitude),
        ],
      }
    case 'line':
      return { type: 'LineString', coordinates: block.slice(0, 3) }
    case 'multiline':
      return { type: 'MultiLineString', coordinates: [block.slice(0, 3)] }
    case 'polygon':
      return { type: 'Polygon', coordinates: [block] }
    case 'multipolygon':
      return { type: 'MultiPolygon', coordinates: [[block]] }
  }
}

const texts: Record<string, string> = {
  url: 'https://example.org/',
  image: 'https://example.org/picture.jpg',
  video: 'https://example.org/film.mp4',
  audio: 'https://example.org/sound.mp3',
  stream: 'https://example.org/live',
  email: 'ada@example.org',
  phone: '+1 212 555 0100',
  address: '1 Main Street, Oakton',
  code: 'A-100',
}

function buildExampleText(rules: Record<string, unknown>, name: string): string {
  const kind = Object.keys(texts).find((key) => rules[key] === true)
  const text = kind ? (texts[kind] ?? '') : name.trim() || 'Text'
  if (kind) return text
  const { minLength, maxLength } = rules
  const long = typeof minLength === 'number' && text.length < minLength ? text.padEnd(minLength, '.') : text
  return typeof maxLength === 'number' ? long.slice(0, maxLength) : long
}

function clampNumber(value: number, min: unknown, max: unknown): number {
  const low = typeof min === 'number' ? Math.max(value, min) : value
  return typeof max === 'number' ? Math.min(low, max) : low
}

function dateWithin(date: string, min: unknown, max: unknown): string {
  const [low, high] = [typeof min === 'string' ? min : date, typeof max === 'string' ? max : date]
  if (low > date) return low
  return high < date ? high : date
}

/**
 * Returns the minimum number of items, at least one and at most five. They are equal, even if items must be
 * unique.
 */
function buildExampleList(field: Field, { minItems, maxItems }: Record<string, unknown>): unknown[] {
  if (!field.items || maxItems === 0) return []
  const { items } = field
  const count = typeof minItems === 'number' ? Math.min(Math.max(minItems, 1), 5) : 1
  return Array.from({ length: count }, () => buildExampleValue(items))
}
