import type { Field, FieldSchema } from '#functions/shapes/field.ts'
import { isPlainObject, getOwnProperty } from '#functions/shapes/fields/plain.ts'
import {
  splitKeyPath,
  listNamedSets,
  type Mapping,
  type MappingValue,
  type NamedSet,
} from '#functions/shapes/importer-mapping.ts'
import type { Reject, SourceRow } from '../row.ts'
import type { OnConverted } from './conversions.ts'
import { createAreaFinder, type FindArea, type NamedAreas } from '#functions/engine/gazetteer/areas.ts'
import { placeFinder } from '#functions/engine/gazetteer/find.ts'
import type { Gazetteer } from '#functions/engine/gazetteer/file.ts'
import { evaluator, findFirstField, needsPhone, needsPlaces, type Evaluate } from './evaluate.ts'
import { reader, type ReaderContext, type Reader } from './read.ts'
import { NoPlace, Refusal, showValue, type ColumnReadings } from './reading.ts'
import type { Run } from './transforms.ts'
import { createZone } from '#functions/shapes/zone.ts'

export type { ColumnReadings } from './reading.ts'

export interface MapperOptions {
  /** The IANA time zone of the place, for times without an offset. */
  timeZone: string
  /** How columns are interpreted, where their texts are ambiguous. */
  columns?: ColumnReadings
  /** Loads the gazetteer, for mappings with place names; null: there is none. */
  gazetteer?: () => Promise<Gazetteer | null>
  /** Reads the areas of a boundary set, for mappings that find some. Called once for each set; throws without it. */
  areas?: (set: NamedSet) => Promise<NamedAreas>
}

/** The data of a record; issues by field; or null for an empty row. */
type MappedRow = { value: Record<string, unknown> } | { rejects: Reject[] } | null

/** Called for each place name without a unique point in an imported row. */
type OnNoPlace = (field: string, why: NoPlace) => void

/** Maps a row to a record. `onConverted` is called for each value of an imported row that is converted. */
export type MapRow = (row: SourceRow, onConverted?: OnConverted, onNoPlace?: OnNoPlace) => MappedRow

interface ChangedValue {
  name: string
  value: unknown
  convertedValue: unknown
}

interface MappedField {
  /** The field, as mappings write it. */
  name: string
  keys: string[]
  evaluate: Evaluate
  /** The default of a missing value; undefined: none. */
  otherwise: Evaluate | undefined
  read: Reader
  readDefault: Reader
  isConstant: boolean
}

/**
 * Compiles a valid mapping for a data type into a function of a row. Async, because the library for telephone numbers is
 * only loaded when needed. Missing values are left out; values of the wrong type are rejected, all of a row at once.
 * Targets without a field are ignored: see `listUnknownTargets`. Throws a RangeError for an unknown time zone.
 */
export async function mapper(
  mapping: Mapping,
  schema: FieldSchema,
  { timeZone, columns = {}, gazetteer, areas: readAreas }: MapperOptions,
): Promise<MapRow> {
  const zone = createZone(timeZone)
  // Those of the current row; reported only if it is imported.
  const changes: ChangedValue[] = []
  const noPlaces: [field: string, why: NoPlace][] = []
  const places = needsPlaces(mapping) ? await gazetteer?.() : undefined
  const findPlace = places && placeFinder(places)
  const areas = new Map<string, FindArea>()
  if (readAreas)
    for (const set of listNamedSets(mapping))
      areas.set(set.boundarySetId, createAreaFinder(await readAreas(set)))
  const phone = needsPhone(mapping) ? ((await import('./phone.ts')).phone as Run) : undefined
  const targets = Object.entries(complete(mapping, schema)).flatMap(([name, value]): MappedField[] => {
    const field = fieldAt(schema, splitKeyPath(name))
    if (!field) return []
    const path = findFirstField(value) ?? ''
    const { evaluate, otherwise } = evaluator(value, { zone, columns, phone, findPlace, areas })
    const isConstant = findFirstField(value) === undefined
    const from: ReaderContext = { path, columns, zone }
    const readDefault = reader(field, from)
    const onConverted = (value: unknown, converted: unknown) =>
      changes.push({ name, value, convertedValue: converted })
    const read = isConstant ? readDefault : reader(field, { ...from, onConverted })
    return [{ name, keys: splitKeyPath(name), evaluate, otherwise, read, readDefault, isConstant }]
  })
  const isAllConstant = targets.every(({ isConstant }) => isConstant)
  return (row, onConverted, onNoPlace) => {
    changes.length = 0
    noPlaces.length = 0
    const mappedRow = mapRow(row, targets, isAllConstant, noPlaces)
    if (onNoPlace && mappedRow && 'value' in mappedRow)
      for (const [name, reason] of noPlaces) onNoPlace(name, reason)
    if (onConverted && mappedRow && 'value' in mappedRow)
      for (const { name, value, convertedValue } of changes) onConverted(name, value, convertedValue)
    return mappedRow
  }
}

/** Targets of a mapping without a field in the schema. */
export function listUnknownTargets(mapping: Mapping, schema: FieldSchema): string[] {
  return Object.keys(mapping).filter((name) => !fieldAt(schema, splitKeyPath(name)))
}

/** Completes an empty mapping, which maps every field to the column with its name. */
export function complete(mapping: Mapping, schema: FieldSchema): Mapping {
  if (Object.keys(mapping).length > 0) return mapping
  return Object.fromEntries(Object.keys(schema).map((key): [string, MappingValue] => [key, { field: key }]))
}

const anything: Field = { name: 'value', type: 'object' }

/** The field at a path of keys through maps; undefined below a map without a schema. */
export function fieldAt(schema: FieldSchema, keys: readonly string[]): Field | undefined {
  const [key = '', ...rest] = keys
  const field = getOwnProperty(schema, key)
  if (!field || rest.length === 0) return field
  if (field.type !== 'object') return undefined
  return field.schema ? fieldAt(field.schema, rest) : anything
}

function mapRow(
  { at, value: row }: SourceRow,
  targets: MappedField[],
  isAllConstant: boolean,
  noPlaces: [field: string, why: NoPlace][],
): MappedRow {
  if (row === null || row === undefined) return null
  if (!isPlainObject(row))
    return { rejects: [{ at, field: null, message: 'Not a map of values.', value: showValue(row) }] }
  const value: Record<string, unknown> = {}
  const rejects: Reject[] = []
  let isEmpty = !isAllConstant
  for (const { name, keys, evaluate, otherwise, read, readDefault, isConstant } of targets) {
    const raw = evaluate(row)
    // An unresolved place name still counts as a value.
    if (raw instanceof NoPlace) {
      noPlaces.push([name, raw])
      isEmpty = false
    }
    let result = raw instanceof Refusal ? raw : raw instanceof NoPlace ? null : read(raw)
    if (result === null && otherwise) {
      const instead = otherwise(row)
      result = instead instanceof Refusal ? instead : instead instanceof NoPlace ? null : readDefault(instead)
    } else if (result !== null && !isConstant) isEmpty = false
    if (result === null) continue
    if (result instanceof Refusal)
      rejects.push({
        at,
        field: `${name}${result.within}`,
        message: result.message,
        value: showValue(result.value),
      })
    else if (keys.length === 1) value[name] = result
    else setAt(value, keys, result)
  }
  if (rejects.length > 0) return { rejects }
  return isEmpty ? null : { value }
}

function setAt(root: Record<string, unknown>, keys: string[], value: unknown): void {
  let map = root
  for (const key of keys.slice(0, -1)) {
    const inner = getOwnProperty(map, key)
    map = isPlainObject(inner) ? inner : ((map[key] = {}) as Record<string, unknown>)
  }
  map[keys.at(-1) ?? ''] = value
}
