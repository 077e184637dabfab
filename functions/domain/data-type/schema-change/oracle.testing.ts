import type { Field, FieldSchema, GeometryType } from '#functions/shapes/field.ts'
import { isoDate } from '#functions/shapes/fields/dates.ts'
import { geoJsonTypes, geometryFault, type Geometry } from '#functions/shapes/fields/geometry.ts'
import { isPlainObject, isStorableJson, getOwnProperty } from '#functions/shapes/fields/plain.ts'
import { isGeometryType } from '#functions/shapes/field.ts'

/**
 * Converts a value; undefined where it does not convert. Lenient: a map keeps the members that do. A slow reference
 * implementation of the rules.
 */
export function converted(value: unknown, from: Field, to: Field, lenient: boolean): unknown {
  if (value === null || value === undefined) return undefined
  if (to.type === 'array') {
    if (from.type === 'array')
      return items(value as unknown[], (item) => converted(item, from.items!, to.items!, lenient))
    const one = converted(value, from, to.items!, lenient)
    return one === undefined ? undefined : [one]
  }
  if (from.type === 'array') {
    const list = value as unknown[]
    return list.length === 1 ? converted(list[0], from.items!, to, lenient) : undefined
  }
  if (to.type === 'object') return toMap(value, from, to, lenient)
  if (from.type === to.type) return value
  if (isGeometryType(to.type)) return toShape(value, from, to.type)
  return toScalar(value, from, to.type)
}

function toScalar(value: unknown, { type }: Field, to: string): unknown {
  if (to === 'text') {
    if (isGeometryType(type as GeometryType)) {
      const { type: name, coordinates } = value as Geometry
      return JSON.stringify({ type: name, coordinates })
    }
    return type === 'object' ? jsonbText(value) : String(value)
  }
  if (to === 'number') {
    if (type === 'text') return number(value as string)
    return type === 'boolean' ? Number(value) : undefined
  }
  if (to === 'boolean') {
    if (type === 'text') return value === 'true' ? true : value === 'false' ? false : undefined
    return type === 'number' && (value === 0 || value === 1) ? value === 1 : undefined
  }
  return type === 'text' ? date(value) : undefined
}

function number(text: string): number | undefined {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) || /^[+-]?0\d/.test(text)) return undefined
  const result = Number(text)
  const isTooSmall = result === 0 && /[1-9]/.test(text.split(/e/i)[0] ?? '')
  return Number.isFinite(result) && !isTooSmall ? result : undefined
}

function date(value: unknown): string | undefined {
  const iso = typeof value === 'string' ? isoDate(value) : null
  return iso === null || iso.startsWith('0000') ? undefined : iso
}

function toShape(value: unknown, from: Field, to: GeometryType): unknown {
  if (from.type === 'object') return fitted(value, { name: '', type: to }, false)
  if (from.type === 'text') {
    const text = value as string
    return shape(/^\s*\{/.test(text) ? json(text) : wkt(text), to)
  }
  if (!isGeometryType(from.type)) return undefined
  const { coordinates } = value as { coordinates: unknown[] }
  const [was, now] = [geoJsonTypes[from.type], geoJsonTypes[to]]
  if (now === `Multi${was}`) return { type: now, coordinates: [coordinates] }
  return was === `Multi${now}` && coordinates.length === 1
    ? { type: now, coordinates: coordinates[0] }
    : undefined
}

function shape(value: unknown, type: GeometryType): unknown {
  if (geometryFault(value, type) !== null) return undefined
  const { type: name, coordinates } = value as Geometry
  return { type: name, coordinates }
}

/** Points and lines are enough to cover this conversion. */
function wkt(text: string): unknown {
  const [, kind, list = ''] = /^(POINT|LINESTRING) ?\(([-\d., ]+)\)$/.exec(text) ?? []
  const positions = list.split(',').map((position) => position.trim().split(/ +/).map(Number))
  if (kind === 'POINT') return { type: 'Point', coordinates: positions[0] }
  return kind ? { type: 'LineString', coordinates: positions } : undefined
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function toMap(value: unknown, from: Field, to: Field, lenient: boolean): unknown {
  if (from.type === 'text') return fitted(json(value as string), to, lenient)
  if (isGeometryType(from.type)) return fitted(value, to, lenient)
  if (from.type !== 'object') return undefined
  if (!to.schema) return value
  if (!from.schema) return fitted(value, to, lenient)
  const [was, now] = [from.schema, to.schema]
  return members(value as Record<string, unknown>, lenient, (member, key) => {
    const [before, after] = [getOwnProperty(was, key), getOwnProperty(now, key)]
    return before && after ? converted(member, before, after, lenient) : undefined
  })
}

/** A JSON value as one of the field; undefined when it is not valid. */
function fitted(value: unknown, to: Field, lenient: boolean): unknown {
  if (value === null || value === undefined) return undefined
  const { type } = to
  if (type === 'text') return typeof value === 'string' ? value : undefined
  if (type === 'number') return Number.isFinite(value) ? value : undefined
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined
  if (type === 'date') return date(value)
  if (type === 'array')
    return Array.isArray(value) ? items(value, (item) => fitted(item, to.items!, lenient)) : undefined
  if (isGeometryType(type)) return shape(value, type)
  if (!isPlainObject(value)) return undefined
  const { schema } = to
  if (!schema) return isStorableJson(value) ? value : undefined
  return members(value, lenient, (member, key) => {
    const field = getOwnProperty(schema, key)
    return field && fitted(member, field, lenient)
  })
}

function items(list: unknown[], each: (item: unknown) => unknown): unknown[] | undefined {
  const convertedItems = list.map((item) => (item === null ? null : each(item)))
  return convertedItems.includes(undefined) ? undefined : convertedItems
}

function members(
  map: Record<string, unknown>,
  lenient: boolean,
  each: (value: unknown, key: string) => unknown,
) {
  const entries: [string, unknown][] = []
  for (const [key, member] of Object.entries(map)) {
    if (member === null) continue
    const one = each(member, key)
    if (one !== undefined) entries.push([key, one])
    else if (!lenient) return undefined
  }
  return Object.fromEntries(entries)
}

/**
 * Serialises JSON like jsonb: keys by length, then alphabetically; a space after commas and colons; no
 * exponents.
 */
function jsonbText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonbText).join(', ')}]`
  if (typeof value === 'number') return formatPlainNumber(value)
  if (!isPlainObject(value)) return JSON.stringify(value)
  const keys = Object.keys(value).sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  return `{${keys.map((key) => `${JSON.stringify(key)}: ${jsonbText(value[key])}`).join(', ')}}`
}

/** A number without an exponent. */
function formatPlainNumber(value: number): string {
  const short = String(value)
  if (!short.includes('e')) return short
  return Math.abs(value) > 1 ? BigInt(value).toString() : value.toFixed(20).replace(/0+$/, '')
}

/** A seeded pseudo-random generator: the same seed gives the same run. Returns integers below its argument. */
export function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
export type Random = ReturnType<typeof randomFrom>

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!
const scalars = ['text', 'number', 'boolean', 'date'] as const
const shapes = ['point', 'line', 'multiline', 'polygon', 'multipolygon'] as const

/** A random field; `depth`: how many levels of lists and maps it may have. */
export function randomField(random: Random, depth = 2): Field {
  const name = `Field ${random(1000)}`
  const kind = random(depth > 0 ? 10 : 7)
  if (kind < 5) return { name, type: pick(random, scalars) }
  if (kind < 7) return { name, type: pick(random, shapes) }
  if (kind < 9) return { name, type: 'array', items: randomField(random, depth - 1) }
  if (random(3) === 0) return { name, type: 'object' }
  const keys = ['k', 'm', 'type', 'coordinates'].filter(() => random(2) === 0)
  const schema = Object.fromEntries(keys.map((key) => [key, randomField(random, depth - 1)]))
  return { name, type: 'object', schema }
}

export const texts = [
  ...[
    '',
    '0',
    '1',
    '12',
    '007',
    '-3.5',
    '1e3',
    '5e-324',
    '1e400',
    '1e-400',
    '.5',
    'Infinity',
    ' 1',
    'true',
    'false',
    'x',
  ],
  ...[
    '2020-02-29T10:00:00Z',
    '2020-02-30T10:00:00Z',
    '2021-01-01T00:00:00.1239',
    '0000-01-01T00:00:00Z',
    '2020-01-01',
  ],
  ...[
    'POINT (1 2)',
    'POINT(0 0)',
    'LINESTRING(1 2, 3 4.5)',
    'POINT(1',
    '{"type":"Point","coordinates":[4.5,-2]}',
  ],
  ...[
    '{"type":"Point","coordinates":["1",2]}',
    '{"type":"Polygon","coordinates":[[[1,1],[2,1],[2,2],[1,1]]]}',
    '{',
  ],
  ...[
    '{"type":"LineString","coordinates":[[1,1]]}',
    '{"k":"v","m":5}',
    '{"k":true,"m":"2020-01-01T00:00:00Z"}',
    'Ä"\\',
  ],
]
const numbers = [0, 1, -1, 0.1, 2.5, 1e21, 1.5e-7, 123456789.123, 1e-5, 2 ** 53]

/** Some value of a field, as records have it on the wire. */
export function randomValue(random: Random, field: Field): unknown {
  const { type } = field
  if (type === 'text') return pick(random, texts)
  if (type === 'number') return pick(random, numbers)
  if (type === 'boolean') return random(2) === 0
  if (type === 'date') return new Date(1.5e12 + random(1e6) * 1e5 + random(1000)).toISOString()
  if (type === 'array')
    return Array.from({ length: pick(random, [0, 1, 1, 2]) }, () =>
      random(6) === 0 ? null : randomValue(random, field.items!),
    )
  if (type === 'object') return field.schema ? randomRecord(random, field.schema) : pick(random, freeMaps)
  const [x, y] = [random(160) / 2 + 1, random(80) / 2 + 1]
  const line = [
    [x, y],
    [x + 1, y + 0.5],
    [x + 2, y],
  ]
  const ring = [
    [x, y],
    [x + 1, y],
    [x + 1, y + 1],
    [x, y],
  ]
  const far = ring.map(([a, b]) => [a! - 90, b! - 45])
  const isTwo = random(2) === 0
  if (type === 'point') return { type: 'Point', coordinates: [x, y] }
  if (type === 'line') return { type: 'LineString', coordinates: line }
  if (type === 'multiline') return { type: 'MultiLineString', coordinates: isTwo ? [line, far] : [line] }
  if (type === 'polygon') return { type: 'Polygon', coordinates: [ring] }
  return { type: 'MultiPolygon', coordinates: isTwo ? [[ring], [far]] : [[ring]] }
}

const freeMaps = [
  {},
  { k: 1 },
  { k: 'v', m: [1, null, { x: true }] },
  { type: 'Point', coordinates: [3, 4] },
  { longer: 'a', k: null },
]

/** Some values of the fields of a schema; a fifth of them missing. */
export function randomRecord(random: Random, schema: FieldSchema): Record<string, unknown> {
  const members = Object.entries(schema).map(([key, field]) => [key, randomValue(random, field)] as const)
  return Object.fromEntries(members.filter(() => random(5) > 0))
}
