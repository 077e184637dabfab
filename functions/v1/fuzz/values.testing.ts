import fc from 'fast-check'
import * as v from 'valibot'
import type { Shape } from '../testing/bodies.testing.ts'

const deep = (depth: number): unknown => {
  let value: unknown = 'x'
  for (let i = 0; i < depth; i += 1) value = i % 2 ? { a: value } : [value]
  return value
}

/** Hostile values: wrong types, extreme numbers, names of Object.prototype, SQL, scripts, bombs. */
export const hostile: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  0,
  -1,
  -0,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  -1e308,
  5e-324,
  'NaN',
  'Infinity',
  '1e999',
  '0x10',
  [],
  {},
  [[]],
  [null],
  { length: 5 },
  { $ne: null },
  { $gt: '' },
  { then: 1 },
  { toJSON: 1 },
  { constructor: { prototype: { polluted: true } } },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  '__proto__',
  'constructor',
  'hasOwnProperty',
  "'; drop table place; --",
  "' or '1'='1",
  '$1',
  '%',
  '_',
  '\\',
  'a\u0000b',
  '\u0000',
  '\ud800',
  '\u202e\u2066',
  'İıſK',
  '𝒳'.repeat(70),
  'é'.normalize('NFD'),
  'x'.repeat(300),
  'x'.repeat(20_000),
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  '//evil.example',
  '../../etc/passwd',
  '2026-02-30T00:00:00Z',
  '0000-00-00',
  '+275760-09-13T00:00:00.001Z',
  'P1D',
  '* * * * *',
  '99 99 * * *',
  deep(40),
  deep(2000),
  Array.from({ length: 300 }, (_none, i) => i),
  { type: 'Point', coordinates: [1e9, 'x'] },
  { type: 'Polygon', coordinates: [] },
  { function: 'sum', arguments: [{ field: 'data.type' }] },
  { function: 'expression' },
  { field: 'data.nope' },
  { field: '__proto__' },
  { field: "data.minutes'--" },
  'http://169.254.169.254/latest/meta-data',
  'http://127.0.0.1:1/',
]

/** Texts that are valid for some field. */
const validTexts: readonly string[] = [
  'Fresh',
  'fresh',
  'fresh-one',
  'fresh@example.com',
  'viewer',
  'organization_admin',
  'super_admin',
  'https://example.com/a.csv',
  '/domains',
  '2026-01-01T00:00:00.000Z',
  '2026-01-01',
  '#ec7945',
  'America/New_York',
  'image/png',
  'photo.png',
  'PT1H',
  'P1D',
  '0 6 * * *',
  'onData',
  'data.example.org',
  'place.read',
  'long enough for it',
]

/** Ids of rows of both places, public and private, and unknown ones. */
export const knownIds: readonly string[] = [
  ...[
    'oakton',
    'elmsford',
    'open',
    'inner',
    'secret',
    'spots',
    'far-open',
    'far-inner',
    'far-secret',
    'gone',
  ],
  ...[
    'story',
    'draft',
    'inner-page',
    'secret-page',
    'far-page',
    'hello',
    'hidden',
    'far-content',
    'best',
    'ours',
  ],
  ...[
    'calls',
    'inner-calls',
    'secret-calls',
    'far-calls',
    'call',
    'tree',
    'lamp',
    'spot',
    'us-ny',
    'feed',
    'run',
  ],
  ...[
    'watch',
    'rang',
    'asked',
    'far-asked',
    'photos',
    'photo',
    'sheet',
    'far-photo',
    'line',
    'far-line',
    'member',
  ],
  ...['stranger', 'viewer', 'place.read', 'session-of-member', 'nowhere', '1', '4', '16'],
]

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>
const anyHostile = fc.constantFrom(...hostile)
const aText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...validTexts) },
  { weight: 2, arbitrary: fc.constantFrom(...knownIds) },
  fc.string({ maxLength: 30, unit: 'binary' }),
)

/** A value of a schema: mostly valid, each optional part present half of the time. */
export function buildArbitrary(shape: Shape | undefined, depth = 0): fc.Arbitrary<unknown> {
  if (!shape || depth > 6) return json
  const inner = (part: Shape | undefined) => buildArbitrary(part, depth + 1)
  switch (shape.type) {
    case 'object':
    case 'strict_object':
    case 'loose_object': {
      const entries = Object.entries(shape.entries ?? {})
      const required = entries.filter(([, part]) => !isOptional(part)).map(([key]) => key)
      return fc.record(Object.fromEntries(entries.map(([key, part]) => [key, inner(part)])), {
        requiredKeys: required,
        noNullPrototype: true,
      })
    }
    case 'record':
      return fc.dictionary(aText, json, { maxKeys: 3, noNullPrototype: true })
    case 'picklist':
    case 'enum':
      return fc.constantFrom(...(shape.options ?? ['x']))
    case 'literal':
      return fc.constant(shape.literal)
    case 'union':
    case 'variant':
      return fc.oneof(...((shape.options ?? []) as Shape[]).map(inner))
    case 'nullable':
    case 'nullish':
      return fc.oneof({ weight: 4, arbitrary: inner(shape.wrapped) }, fc.constant(null))
    case 'optional':
    case 'exact_optional':
      return inner(shape.wrapped)
    case 'array':
      return fc.array(inner(shape.item), { maxLength: 3 })
    case 'tuple':
    case 'strict_tuple':
      return fc.tuple(...(shape.items ?? []).map(inner))
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 20 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
    case 'boolean':
      return fc.boolean()
    case 'string':
      return buildTextArbitrary(shape)
    default:
      return json
  }
}

const isOptional = ({ type }: Shape) => ['optional', 'exact_optional', 'nullish'].includes(type)

function buildTextArbitrary(shape: Shape): fc.Arbitrary<unknown> {
  const fits = (text: string) => {
    try {
      return v.is(shape as unknown as v.GenericSchema, text)
    } catch {
      return false
    }
  }
  const fittingTexts = [...validTexts, ...knownIds].filter(fits)
  return fittingTexts.length
    ? fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...fittingTexts) },
        fc.string({ maxLength: 20, unit: 'grapheme' }),
      )
    : aText
}

/** The paths to all parts of a document. */
function listPaths(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null || path.length > 8) return [path]
  const parts = Object.entries(value).flatMap(([key, part]) =>
    listPaths(part, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return [path, ...parts]
}

/** The document with one part replaced by a hostile value, removed, or duplicated. */
export function mutated(document: unknown): fc.Arbitrary<unknown> {
  const paths = listPaths(document)
  return fc
    .tuple(
      fc.constantFrom(...paths),
      fc.constantFrom('put', 'put', 'take', 'add'),
      fc.oneof(anyHostile, aText, json),
    )
    .map(([path, how, value]) => changePart(document, path, how, value))
}

function changePart(document: unknown, path: (string | number)[], how: string, value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) {
    if (how !== 'add') return value
    if (Array.isArray(document)) return [...(document as unknown[]), value]
    return typeof document === 'object' && document !== null ? { ...document, nonsense: value } : value
  }
  if (typeof document !== 'object' || document === null) return value
  const copy: Record<string | number, unknown> = Array.isArray(document)
    ? ([...(document as unknown[])] as never)
    : { ...document }
  if (rest.length === 0 && how === 'take') delete copy[key]
  else copy[key] = changePart(copy[key], rest, how, value)
  return Array.isArray(copy) ? (copy as unknown[]).filter(() => true) : copy
}

/** Invalid bodies for a strict schema, made from a valid one: an extra key, a missing one, a value of an unsupported type. */
export function brokenFrom(
  shape: Shape,
  body: Record<string, unknown>,
): fc.Arbitrary<Record<string, unknown>> | null {
  if (shape.type !== 'strict_object' || !shape.entries) return null
  const entries = Object.entries(shape.entries)
  const required = entries.filter(([key, part]) => !isOptional(part) && key in body).map(([key]) => key)
  const scalar = entries.filter(([, part]) => isScalar(part)).map(([key]) => key)
  const ways: fc.Arbitrary<Record<string, unknown>>[] = [
    fc
      .constantFrom('nonsense', 'authId', 'isAdmin', 'createdBy', 'deletedAt', '$where')
      .filter((key) => !(key in (shape.entries ?? {})))
      .map((key) => ({ ...body, [key]: 1 })),
  ]
  if (required.length)
    ways.push(
      fc
        .constantFrom(...required)
        .map((key) => Object.fromEntries(Object.entries(body).filter(([each]) => each !== key))),
    )
  if (scalar.length)
    ways.push(
      fc
        .tuple(fc.constantFrom(...scalar), fc.constantFrom({ a: { b: 1 } }, [[1]]))
        .map(([key, value]) => ({ ...body, [key]: value })),
    )
  return fc.oneof(...ways)
}

function isScalar(shape: Shape): boolean {
  if (['string', 'number', 'boolean', 'picklist', 'literal'].includes(shape.type)) return true
  return Boolean(shape.wrapped) && isScalar(shape.wrapped as Shape)
}
