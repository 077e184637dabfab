import type { Cell, GeoJson, Kind } from './cells.testing.ts'
import { Instant, Json, jsonText, refuse, Shape, shapeKinds } from './cells.testing.ts'
import { parseDate, parseNumber } from './constants.testing.ts'
import { parseDuration } from './calendar.testing.ts'
import type { World } from './functions.testing.ts'
import { meanings } from './functions.testing.ts'

/** A field in the evaluator. */
export interface FieldInfo {
  path: string
  type: Kind
  items?: { type: Kind }
  searchable?: boolean
}

/** A row as plain JSON, by path. */
export type PlainRow = Record<string, unknown>

/** A row with an item of each list that is expanded. */
export interface Row {
  plain: PlainRow
  items: ReadonlyMap<string, Cell>
}

/** The input of an evaluation: a row, or a group of rows with its grouped values. */
export interface EvaluationInput {
  rows: readonly Row[]
  /** Keys of the values that are the same in all rows of the group. Absent: a single row. */
  grouped?: ReadonlySet<string>
  /** Which rows an aggregation counts. */
  isCounted?: (row: Row) => boolean
}

/** A parsed and checked value. Equal keys mean equal values. */
export interface Plan {
  key: string
  /** Its possible types; several for text that is also a number or a date. */
  kinds: readonly Kind[]
  items?: { type: Kind }
  literal?: string | number | boolean | null
  field?: { known: FieldInfo; deeper: string[] }
  call?: { name: string; args: readonly Plan[] }
}

export const isPlainObject = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input)
const has = (input: object, key: string) => Object.prototype.hasOwnProperty.call(input, key)
export const isWrittenValue = (input: unknown): input is Record<string, unknown> =>
  isPlainObject(input) && (has(input, 'field') || has(input, 'function'))

/** The field of a path and the nested keys; throws for an unknown path. */
export function fieldAt(path: unknown, fields: readonly FieldInfo[]): { known: FieldInfo; deeper: string[] } {
  if (typeof path !== 'string') refuse('not the name of a field')
  const segments = path.split('.')
  for (const length of [segments.length, 2, 1]) {
    const field = fields.find((each) => each.path === segments.slice(0, length).join('.'))
    if (!field || length > segments.length) continue
    const deeper = segments.slice(length)
    // "Deeper segments are allowed, are not checked, and compare as text", where there is anything inside.
    if (deeper.length > 0 && ['text', 'number', 'boolean', 'date'].includes(field.type))
      refuse('nothing inside')
    if (deeper.length > 0 && length === 1) refuse('not JSON')
    return { known: field, deeper }
  }
  return refuse('no such field')
}

/** Parses a value; throws for an invalid one. */
export function parsePlan(input: unknown, fields: readonly FieldInfo[]): Plan {
  if (input === null) return { key: 'null', kinds: [], literal: null }
  if (typeof input === 'boolean') return { key: String(input), kinds: ['boolean'], literal: input }
  if (typeof input === 'number' && Number.isFinite(input))
    return { key: String(input), kinds: ['number'], literal: input }
  if (typeof input === 'string') {
    const other: Kind[] = parseNumber(input) !== undefined ? ['number'] : parseDate(input) ? ['date'] : []
    return { key: JSON.stringify(input), kinds: [...other, 'text'], literal: input }
  }
  if (!isPlainObject(input)) refuse('no value')
  if (input.val) refuse('reserved key')
  if (has(input, 'function')) return planOfCall(input, fields)
  if (!has(input, 'field')) refuse('no value')
  const resolvedField = fieldAt(input.field, fields)
  const isDeeper = resolvedField.deeper.length > 0
  return {
    key: `~${String(input.field)}`,
    kinds: [isDeeper ? 'text' : resolvedField.known.type],
    items: isDeeper ? undefined : resolvedField.known.items,
    field: resolvedField,
  }
}

function planOfCall(input: Record<string, unknown>, fields: readonly FieldInfo[]): Plan {
  const { function: name, arguments: rawArguments } = input
  if (typeof name !== 'string') refuse('no function')
  const meaning = has(meanings, name) ? meanings[name] : undefined
  if (!meaning) return refuse('no such function')
  if (rawArguments !== undefined && rawArguments !== null && !Array.isArray(rawArguments))
    refuse('arguments are no list')
  const args = meaning.takes.map((kinds, i) => {
    const argument: unknown = Array.isArray(rawArguments) ? rawArguments[i] : undefined
    if (argument === undefined || argument === null) return refuse('argument is required')
    if (i === 0 && meaning.options && !meaning.options.some((option) => option === argument))
      refuse('no option')
    const plan = parsePlan(argument, fields)
    const fitting = kinds === 'any' ? plan.kinds : plan.kinds.filter((kind) => kinds.includes(kind))
    if (fitting.length === 0) refuse('argument of another type')
    return plan.literal === undefined ? plan : { ...plan, kinds: fitting.slice(0, 1) }
  })
  const [first] = args
  if (name === 'last' && parseDuration(String(first?.literal ?? '')) === undefined) refuse('no duration')
  if (name === 'expand' && !['text', 'number', 'boolean', 'date'].includes(first?.items?.type ?? ''))
    refuse('items')
  return {
    key: `${name}(${args.map(({ key }) => key).join(';')})`,
    kinds: [getResultKind(name, args)],
    call: { name, args },
  }
}

function getResultKind(name: string, args: readonly Plan[]): Kind {
  const [first] = args
  const gives = meanings[name]?.gives
  if (gives === 'inherit')
    return first?.kinds.find((kind) => kind === 'number' || kind === 'date') ?? 'number'
  if (gives === 'item') return first?.items?.type ?? 'text'
  if (gives === 'shape') return kindOfShape(first?.literal)
  return gives ?? 'number'
}

/** The type of a GeoJSON geometry in a text; none for collections and multiple features. */
function kindOfShape(text: unknown): Kind {
  let geo: unknown
  try {
    geo = JSON.parse(typeof text === 'string' ? text : '')
  } catch {
    refuse('no JSON')
  }
  if (!isPlainObject(geo)) refuse('no object')
  const kinds: Record<string, Kind> = {
    Point: 'point',
    LineString: 'line',
    MultiLineString: 'multiline',
    Polygon: 'polygon',
    MultiPolygon: 'multipolygon',
    GeometryCollection: 'geometry',
  }
  const type = String(geo.type)
  if (!has(kinds, type) || !(has(geo, 'coordinates') || has(geo, 'geometries'))) refuse('no GeoJSON')
  return kinds[type] as Kind
}

export const isAggregate = ({ call }: Plan): boolean => Boolean(call && meanings[call.name]?.aggregate)
export const isExpansion = ({ call }: Plan): boolean => call?.name === 'expand'
export const holds = (plan: Plan, is: (plan: Plan) => boolean): boolean =>
  is(plan) || (plan.call?.args.some((each) => holds(each, is)) ?? false)

/** The value of a plan over a row or a group. */
export function evaluate(plan: Plan, over: EvaluationInput, world: World): Cell {
  const { rows, grouped } = over
  const [first] = rows
  if (grouped?.has(plan.key) && first) return evaluate(plan, { rows: [first] }, world)
  if (plan.literal !== undefined) return constantAs(plan.literal, plan.kinds[0])
  if (plan.field) return first ? getCell(first.plain, plan.field) : null
  const { name, args } = plan.call ?? refuse('nothing')
  const meaning = meanings[name]
  if (plan.call && isExpansion(plan)) return first?.items.get(plan.key) ?? null
  if (!meaning?.aggregate) {
    return (
      meaning?.of?.(
        args.map((each) => evaluate(each, over, world)),
        world,
      ) ?? null
    )
  }
  const includedRows = rows.filter((row) => over.isCounted?.(row) ?? true)
  const [argument] = args
  if (!argument)
    return meaning.aggregate(
      includedRows.map(() => 1),
      world,
    )
  const values = includedRows.map((row) => evaluate(argument, { rows: [row] }, world))
  return meaning.aggregate(
    values.filter((value) => value !== null),
    world,
  )
}

function constantAs(literal: string | number | boolean | null, kind: Kind | undefined): Cell {
  if (kind === 'number') return parseNumber(literal) ?? null
  if (kind === 'date') return parseDate(literal) ?? null
  return literal
}

/** A field of a row. Nested values are text. */
export function getCell(
  plain: PlainRow,
  { known: field, deeper }: { known: FieldInfo; deeper: readonly string[] },
): Cell {
  const value = plain[field.path] ?? null
  if (deeper.length === 0) return cellAs(value, field.type, field.items?.type)
  let at: unknown = value
  for (const key of deeper) {
    if (Array.isArray(at)) {
      const index = /^-?\d+$/.test(key) ? Number(key) : NaN
      at = at[index < 0 ? at.length + index : index]
    } else if (isPlainObject(at)) at = has(at, key) ? at[key] : undefined
    else at = undefined
  }
  if (at === null || at === undefined) return null
  // Dates are written as the answer writes them.
  if (field.items?.type === 'date') return new Date(String(at)).toISOString()
  return typeof at === 'string' ? at : jsonText(at)
}

function cellAs(value: unknown, kind: Kind, items: Kind | undefined): Cell {
  if (value === null || value === undefined) return null
  if (kind === 'date') return new Instant(Date.parse(String(value)))
  if (kind === 'object') return new Json(value)
  if (kind === 'array') {
    const isTyped = items !== undefined && ['text', 'number', 'boolean', 'date'].includes(items)
    return isTyped ? (value as unknown[]).map((each) => cellAs(each, items, undefined)) : new Json(value)
  }
  if (shapeKinds.includes(kind)) return new Shape(value as GeoJson)
  return value as Cell
}
