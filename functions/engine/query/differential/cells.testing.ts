/** The types of the query language in the evaluator. */
export type Kind =
  | 'text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'array'
  | 'object'
  | 'point'
  | 'line'
  | 'multiline'
  | 'polygon'
  | 'multipolygon'
  | 'geometry'

export const shapeKinds: readonly Kind[] = [
  'point',
  'line',
  'multiline',
  'polygon',
  'multipolygon',
  'geometry',
]

/** A moment, in milliseconds since 1970. */
export class Instant {
  readonly ms: number
  constructor(ms: number) {
    this.ms = ms
  }
}

/** A JSON value in a map. */
export class Json {
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}

export type Position = readonly number[]

/** A GeoJSON geometry. */
export interface GeoJson {
  type: string
  coordinates?: unknown
  geometries?: GeoJson[]
}

export class Shape {
  readonly geo: GeoJson
  constructor(geo: GeoJson) {
    this.geo = geo
  }
}

/** A value while it is computed. */
export type Cell = null | number | string | boolean | Instant | Json | Shape | readonly Cell[]

/** A query that must be rejected. */
export class QueryRefusal extends Error {}

export function refuse(why: string): never {
  throw new QueryRefusal(why)
}

/** A text that is equal exactly for equal values of the language. */
export function identity(cell: Cell): string {
  if (typeof cell === 'number') return `n${cell === 0 ? 0 : cell}`
  if (cell instanceof Instant) return `d${cell.ms}`
  if (cell instanceof Json) return `j${toSortedJson(cell.value)}`
  if (cell instanceof Shape) return `g${toSortedJson(cell.geo)}`
  if (Array.isArray(cell)) return `[${(cell as Cell[]).map(identity).join(',')}]`
  return JSON.stringify(cell)
}

function toSortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toSortedJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  const parts = keys.map(
    (key) => `${JSON.stringify(key)}:${toSortedJson((value as Record<string, unknown>)[key])}`,
  )
  return `{${parts.join(',')}}`
}

/** The order of two values that are not null: text by code points, false before true, lists item by item. */
export function compare(a: Cell, b: Cell): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (a instanceof Instant && b instanceof Instant) return compare(a.ms, b.ms)
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a as Cell[], b as Cell[])
  throw new TypeError('These have no order.')
}

function compareTexts(a: string, b: string): number {
  const left = Array.from(a, (char) => char.codePointAt(0) ?? 0)
  const right = Array.from(b, (char) => char.codePointAt(0) ?? 0)
  const at = left.findIndex((point, i) => point !== right[i])
  if (at === -1) return left.length - right.length
  return right[at] === undefined ? 1 : (left[at] as number) - right[at]
}

/** Null items are last; a list that is a prefix of another comes first. */
function compareLists(a: readonly Cell[], b: readonly Cell[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareNullsLast(a[i] as Cell, b[i] as Cell)
    if (order !== 0) return order
  }
  return a.length - b.length
}

export function compareNullsLast(a: Cell, b: Cell): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return compare(a, b)
}

/** A value as the answer writes it. */
export function toAnswerValue(cell: Cell): unknown {
  if (cell instanceof Instant) return new Date(cell.ms).toISOString()
  if (cell instanceof Json) return cell.value
  if (cell instanceof Shape) return cell.geo
  if (Array.isArray(cell)) return (cell as Cell[]).map(toAnswerValue)
  return cell
}

/** JSON as Postgres writes it: shorter keys first, then by their bytes; a blank after each comma and colon. */
export function jsonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const keys = Object.keys(value).sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  const parts = keys.map(
    (key) => `${JSON.stringify(key)}: ${jsonText((value as Record<string, unknown>)[key])}`,
  )
  return `{${parts.join(', ')}}`
}
