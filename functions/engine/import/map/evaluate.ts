import { isPlainObject, getOwnProperty } from '#functions/shapes/fields/plain.ts'
import { splitKeyPath, type Mapping, type MappingValue } from '#functions/shapes/importer-mapping.ts'
import {
  transforms,
  type ArgumentType,
  type TransformArgument,
} from '#functions/shapes/importer-transforms.ts'
import { isBlank, isReason, missingIn, NoPlace, Refusal } from './reading.ts'
import type { ColumnReading, ColumnReadings } from './reading.ts'
import type { FindArea } from '#functions/engine/gazetteer/areas.ts'
import { areaRun, placeRun, type FindPlace } from './places.ts'
import { makers, type Run } from './transforms.ts'
import type { Zone } from '#functions/shapes/zone.ts'

/** Evaluates a part of a mapping for a row; undefined or null for no value; or the reason for rejecting the row. */
export type Evaluate = (row: Record<string, unknown>) => unknown

/** Mappings that are no constants. */
type MappingPart = Exclude<MappingValue, string | number | boolean | null | unknown[]>

interface EvaluateContext {
  zone: Zone
  columns: ColumnReadings
  /** Present if a mapping needs it. */
  phone: Run | undefined
  /** The same; null: there is no gazetteer. */
  findPlace: FindPlace | null | undefined
  /** Those of the boundary sets that the mapping names, by their ids. */
  areas: ReadonlyMap<string, FindArea>
}

/** A part of a mapping, compiled. `otherwise` is its default value, which is not yet in `evaluate`. */
export function evaluator(
  value: MappingValue,
  around: EvaluateContext,
): { evaluate: Evaluate; otherwise?: Evaluate } {
  if (!isPlainObject(value)) return { evaluate: () => value }
  const rest = value as MappingPart
  const evaluate =
    'field' in rest
      ? getter(rest.field)
      : transform(rest.transform, rest.arguments, value as MappingValue, around)
  if (rest.defaultValue === undefined) return { evaluate }
  return { evaluate, otherwise: evaluateWhole(rest.defaultValue, around) }
}

/** With its default value where it has none. */
function evaluateWhole(value: MappingValue, around: EvaluateContext): Evaluate {
  const { evaluate, otherwise } = evaluator(value, around)
  if (!otherwise) return evaluate
  return (row) => {
    const result = evaluate(row)
    return result instanceof NoPlace ? otherwise(row) : (result ?? otherwise(row))
  }
}

/** The first column of a part of a mapping; undefined for a constant. */
export function findFirstField(value: MappingValue): string | undefined {
  if (!isPlainObject(value)) return undefined
  const part = value as MappingPart
  if ('field' in part) return part.field
  for (const argument of part.arguments) {
    const field = findFirstField(argument)
    if (field !== undefined) return field
  }
  return undefined
}

/** Whether a mapping has the one transform that must be loaded. */
export function needsPhone(mapping: Mapping): boolean {
  return JSON.stringify(mapping).includes('"phone"')
}

/** Whether it may need the gazetteer, which then has to be loaded. */
export function needsPlaces(mapping: Mapping): boolean {
  return JSON.stringify(mapping).includes('"findPlace"')
}

/** A text with only white space is a missing value. Items of lists are addressed by index. */
function getter(field: string): Evaluate {
  const keys = splitKeyPath(field)
  const [only = ''] = keys
  if (keys.length === 1)
    return (row) => {
      const value = row[only]
      // Texts never have properties of their own.
      if (typeof value === 'string') return isBlank(value) ? undefined : value
      return Object.hasOwn(row, only) ? value : undefined
    }
  return (row) => {
    let value: unknown = row
    for (const key of keys) {
      if (!isPlainObject(value) && !Array.isArray(value)) return undefined
      value = getOwnProperty(value as Record<string, unknown>, key)
    }
    return present(value)
  }
}

function present(value: unknown): unknown {
  return typeof value === 'string' && isBlank(value) ? undefined : value
}

function transform(
  name: string,
  list: MappingValue[],
  value: MappingValue,
  around: EvaluateContext,
): Evaluate {
  const { arguments: parameters, atLeast } = transforms[name] ?? { arguments: [] }
  const field = findFirstField(value)
  const reading =
    (field === undefined
      ? undefined
      : getOwnProperty(around.columns as Record<string, ColumnReading>, field)) ?? {}
  const run = findRun(name, around, reading)
  // Mappings are checked before they are stored, so this is one that was stored by other means.
  if (!run) return () => new Refusal(`Invalid transform: ${name}`, name)
  const parts = list.map((part, index) => ({
    evaluate: withoutWords(part, evaluateWhole(part, around), around.columns),
    argument: parameters[Math.min(index, parameters.length - 1)],
  }))
  // All operands of a sum are required: without one it would be another number.
  const least = name === 'add' || name === 'subtract' ? parts.length : atLeast
  return (row) => {
    const values: unknown[] = []
    let present = 0
    for (const { evaluate, argument } of parts) {
      const result = evaluate(row)
      if (isReason(result)) return result
      const isThere = result !== null && result !== undefined
      if (isThere) present += 1
      else if (argument?.required && least === undefined) return undefined
      const fault = isThere && argument ? argumentFault(name, argument, result) : null
      if (fault !== null) return new Refusal(fault, result)
      values.push(isThere ? result : undefined)
    }
    if (least !== undefined)
      return present < least ? undefined : run(...values.filter((argument) => argument !== undefined))
    return run(...values)
  }
}

/**
 * A column's own words for a missing value count as none in expressions; a field that is the column itself handles them
 * in its reader.
 */
function withoutWords(part: MappingValue, evaluate: Evaluate, columns: ColumnReadings): Evaluate {
  if (!isPlainObject(part) || !('field' in part)) return evaluate
  const isMissing = missingIn(
    getOwnProperty(columns as Record<string, ColumnReading>, part.field as string) ?? {},
  )
  if (!isMissing) return evaluate
  return (row) => {
    const value = evaluate(row)
    return isMissing(value) ? undefined : value
  }
}

function findRun(name: string, around: EvaluateContext, reading: ColumnReading): Run | undefined {
  if (name === 'phone') return phoneRun(around.phone)
  if (name === 'findPlace') return placeRun(around.findPlace)
  if (name === 'findArea') return areaRun(around.areas)
  return makers[name]?.({ zone: around.zone, reading })
}

const phoneRun = (phone: Run | undefined): Run | undefined =>
  phone && ((number, country) => phone(String(number), country))

function argumentFault(transform: string, { name, types }: TransformArgument, value: unknown): string | null {
  if (types.includes('any')) return null
  const type = getValueType(value)
  if (types.includes(type as ArgumentType)) return null
  // WKT and GeoJSON texts are geometries; functions of geometries parse them.
  if (type === 'text' && types.includes('geometry')) return null
  return `Argument "${name}" for "${transform}" must be of type: ${types.join(', ')}, instead got ${type}`
}

function getValueType(value: unknown): ArgumentType | 'date' | 'map' {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  if (Array.isArray(value)) return 'list'
  if (value instanceof Date) return 'date'
  return isPlainObject(value) && typeof value.type === 'string' ? 'geometry' : 'map'
}
