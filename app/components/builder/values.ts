import { hasSpan } from '#functions/shapes/calendar.ts'
import { isCalendarDate, type Precision } from '#functions/shapes/field.ts'
import { isObject, isSame, type JsonObject } from './json.ts'

/** A field for queries, as returned by the server. */
export interface BuilderField {
  field: string
  name: string
  type: string
  precision?: Precision | undefined
  items?: { type: string } | undefined
  /** For numbers: whether it is a measure, not an identifier or code. */
  isAmount?: boolean
}

/** A function of the query language, as returned by the server. */
export interface BuilderFunction {
  name: string
  notes: string
  category: string
  signature: readonly {
    name: string
    types: readonly string[]
    required: boolean
    options?: readonly { value: string; label: string }[] | undefined
  }[]
  returns: { static?: { type: string } | undefined }
  aggregate: boolean
}
export type BuilderFunctions = Record<string, BuilderFunction>

/** The path of a field value; null for any other value. */
export function fieldIn(value: unknown): string | null {
  if (!isObject(value) || typeof value.field !== 'string' || Object.keys(value).length !== 1) return null
  return value.field
}

/** Name and arguments of a call; null for any other value. */
export function callIn(value: unknown): { name: string; args: unknown[] } | null {
  if (!isObject(value) || typeof value.function !== 'string') return null
  const { function: name, arguments: args, ...more } = value
  if (Object.keys(more).length || (args !== undefined && !Array.isArray(args))) return null
  return { name, args: args ?? [] }
}

/** Whether a value is a plain constant of the language. */
export function isConstant(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** A call as JSON; `arguments` is omitted if empty. */
export function call(name: string, args: unknown[] = []): JsonObject {
  return args.length ? { function: name, arguments: args } : { function: name }
}

/**
 * The type of a value as far as known: of the field, of the function's result, or inherited from the first typed argument; undefined
 * if unknown.
 */
export function findValueType(
  value: unknown,
  fields: readonly BuilderField[],
  functions: BuilderFunctions,
): string | undefined {
  const path = fieldIn(value)
  if (path !== null) return fields.find(({ field }) => field === path)?.type
  const call = callIn(value)
  if (!call) return isConstant(value) && value !== null ? constantType(value) : undefined
  const definition = functions[call.name]
  if (!definition) return undefined
  if (definition.returns.static) return definition.returns.static.type
  if (call.name === 'expand') {
    const list = fieldIn(call.args[0])
    return fields.find(({ field }) => field === list)?.items?.type
  }
  const types = call.args.flatMap((arg, i) =>
    definition.signature[i]?.options ? [] : (findValueType(arg, fields, functions) ?? []),
  )
  return types[0]
}

const constantType = (value: string | number | boolean) => (typeof value === 'string' ? 'text' : typeof value)

/** Whether a type is among the allowed ones. Unknown types are allowed, as the server validates them. */
export function suits(type: string | undefined, types: readonly string[]): boolean {
  if (type === undefined || types.length === 0 || types.includes('any')) return true
  return types.includes(type)
}

/** A constant from typed text: a number if the whole text is one. */
export function constantFrom(text: string, type: string | undefined): string | number | boolean {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (type !== 'text' && type !== 'date' && text.trim() !== '' && String(Number(text)) === text)
    return Number(text)
  return text
}

/** How a column is grouped: by value, by a unit of dates, by a part of dates, or in steps. */
export type Division =
  | { by: 'itself' }
  | { by: 'bucket'; unit: string }
  | { by: 'extract'; unit: string }
  | { by: 'steps'; width: number | string }

/** The default grouping of a field: dates by month, if they are as precise. */
export function getDefaultDivision(field: BuilderField | undefined): Division {
  if (field?.type !== 'date') return { by: 'itself' }
  const unit = isCalendarDate(field) && !hasSpan(field.precision, 'month') ? 'year' : 'month'
  return { by: 'bucket', unit }
}

/** The value that groups a field. Steps start at the multiple of the width below the number, also for negative ones. */
export function divideField(path: string, division: Division): JsonObject {
  const field = { field: path }
  if (division.by === 'itself') return field
  if (division.by !== 'steps') return call(division.by, [division.unit, field])
  const { width } = division
  const rest = call('remainder', [call('add', [call('remainder', [field, width]), width]), width])
  return call('subtract', [field, rest])
}

/** Field and grouping of a value; null if it has another form. */
export function divisionIn(value: unknown): { path: string; division: Division } | null {
  const path = fieldIn(value)
  if (path !== null) return { path, division: { by: 'itself' } }
  const call = callIn(value)
  const [first, second] = call?.args ?? []
  const inner = fieldIn(second)
  if ((call?.name === 'bucket' || call?.name === 'extract') && typeof first === 'string' && inner !== null)
    return { path: inner, division: { by: call.name, unit: first } }
  const stepPath = fieldIn(first)
  const width = callIn(second)?.args[1]
  if (stepPath === null || (typeof width !== 'number' && typeof width !== 'string')) return null
  const division: Division = { by: 'steps', width }
  return isSame(value, divideField(stepPath, division)) ? { path: stepPath, division } : null
}

/** Whether a value uses a fiscal year that may start in another month than January. */
export function usesCustomYear(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(usesCustomYear)
  if (isObject(value)) return Object.values(value).some(usesCustomYear)
  return value === 'customYear' || value === 'customQuarter' || value === 'customMonth'
}
