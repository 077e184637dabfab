import { fieldTypes, type FieldSchema, type FieldType } from '#functions/shapes/field.ts'
import type { ColumnReading, ColumnReadings } from '#functions/shapes/importer-columns.ts'
import type { Mapping, MappingValue } from '#functions/shapes/importer-mapping.ts'
import type { Guess } from './trial.ts'

/** The proposal as changed by a person: a data type and its mapping. */
type TypeProposal = Pick<Guess, 'schema' | 'temporal' | 'mapping' | 'columns'>

/** The names of a proposed field's inputs. */
export const fieldInput = (key: string, part: 'use' | 'name' | 'type' | 'missing') => `f.${key}.${part}`

/**
 * Applies a form's changes to the proposal: excluded fields, other names and types. A changed type loses settings that only the old
 * one has (measurement, rules). Fields that are not in the form are unchanged.
 */
export function applyFormChanges(form: FormData, guess: Guess): TypeProposal {
  const fieldNames = new Set(form.getAll('field').map(String))
  const keys = Object.keys(guess.schema).filter(
    (key) => !fieldNames.has(key) || form.has(fieldInput(key, 'use')),
  )
  const schema: FieldSchema = {}
  const mapping: Mapping = {}
  for (const key of keys) {
    const field = guess.schema[key]
    const value = guess.mapping[key]
    if (!field) continue
    const name = String(form.get(fieldInput(key, 'name')) ?? '').trim() || field.name
    const type = typeIn(form.get(fieldInput(key, 'type'))) ?? field.type
    schema[key] = type === field.type ? { ...field, name } : { name, type }
    if (value !== undefined) mapping[key] = value
  }
  const primary = guess.temporal?.primary
  const isKept = primary !== undefined && schema[primary]?.type === 'date'
  const first = Object.keys(schema).find((key) => schema[key]?.type === 'date')
  const temporal = isKept ? guess.temporal : first ? { primary: first } : null
  return { schema, temporal, mapping, columns: columnsIn(form, guess, fieldNames) }
}

/** The column readings, with the chosen words for missing values. */
function columnsIn(
  form: FormData,
  { columns, fields }: Guess,
  fieldNames: ReadonlySet<string>,
): ColumnReadings {
  const readings: Record<string, ColumnReading> = { ...columns }
  for (const { key, paths, missing: words } of fields) {
    const [path, ...others] = paths
    const open = words.filter(({ how }) => how !== 'usual').map(({ word }) => word.toLowerCase())
    if (!fieldNames.has(key) || path === undefined || others.length > 0 || open.length === 0) continue
    const { missing: _proposed, ...reading } = columns[path] ?? {}
    const missingWords = form.getAll(fieldInput(key, 'missing')).map((word) => String(word).toLowerCase())
    const missing = [...new Set(open.filter((word) => missingWords.includes(word)))]
    if (missing.length > 0) readings[path] = { ...reading, missing }
    else if (Object.keys(reading).length > 0) readings[path] = reading
    else delete readings[path]
  }
  return readings
}

/** Maximum number of searchable text fields in a new data type, as each is scanned for every search. */
const maxSearched = 12

/** The fields of a new data type, the first texts of them searchable. */
export function markSearchableTexts(schema: FieldSchema): FieldSchema {
  const texts = Object.keys(schema).filter((key) => schema[key]?.type === 'text')
  const sample = new Set(texts.slice(0, maxSearched))
  return Object.fromEntries(
    Object.entries(schema).map(([key, field]) => [key, sample.has(key) ? { ...field, search: true } : field]),
  )
}

const columnTypes = ['text', 'number', 'boolean', 'date'] as const satisfies readonly FieldType[]

/** Whether any column can be read as the type. */
export const isColumnType = (type: string): type is (typeof columnTypes)[number] =>
  (columnTypes as readonly string[]).includes(type)

/** The types that can be chosen for a proposed field: those that one column can fill, and its own. */
export function typesFor(type: FieldType): { value: FieldType; label: string }[] {
  const all = isColumnType(type) ? columnTypes : [type, ...columnTypes.slice(0, 1)]
  return all.map((value) => ({ value, label: fieldTypes[value] }))
}

function typeIn(text: FormDataEntryValue | null): FieldType | undefined {
  return typeof text === 'string' && Object.hasOwn(fieldTypes, text) ? (text as FieldType) : undefined
}

/**
 * A mapping to an existing data type: each field by the proposed column of the same key or name, a geometry by the only proposed one
 * of its type. Fields without a match are omitted.
 */
export function matchedTo(schema: FieldSchema, guess: Guess): Mapping {
  const matches = Object.entries(schema).flatMap(([key, field]): [string, MappingValue][] => {
    const same = Object.keys(guess.mapping).find((each) => isSame(each, key))
    const byName = guess.fields.find(
      ({ key: each, paths }) =>
        isSame(guess.schema[each]?.name ?? '', field.name) || paths.some((path) => isSame(path, field.name)),
    )?.key
    const sameTypeKeys = Object.keys(guess.schema).filter((each) => guess.schema[each]?.type === field.type)
    const only = isGeometry(field.type) && sameTypeKeys.length === 1 ? sameTypeKeys[0] : undefined
    const value = guess.mapping[same ?? byName ?? only ?? '']
    return value === undefined ? [] : [[key, value]]
  })
  return Object.fromEntries(matches)
}

const isGeometry = (type: FieldType) => fieldTypes[type].startsWith('GeoJSON')
const normalizeName = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
const isSame = (a: string, b: string) => normalizeName(a) !== '' && normalizeName(a) === normalizeName(b)
