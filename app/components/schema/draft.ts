import type {
  CodedValue,
  Field,
  FieldSchema,
  FieldType,
  Measurement,
  Precision,
  RegionLookup,
} from '#functions/shapes/field.ts'
import { findMeasurements } from '#functions/shapes/fields/measurements.ts'
import { prefixNumericKey } from '#functions/shapes/fields/numeric-key.ts'
import { listValidators } from '#functions/shapes/fields/validators.ts'
import { asType } from './code-lines.ts'

/** A field in the editor. Settings that its type does not have are kept, in case the type is changed back. */
export interface FieldDraft {
  /** Internal to the editor: constant while key and order change. */
  id: string
  /** The stored key; null for a new field. */
  was: string | null
  key: string
  /** Whether the key is still derived from the name. */
  isKeyMade: boolean
  name: string
  type: FieldType
  notes: string
  isSearched: boolean
  measurement: Measurement | null
  /** For dates; undefined: to the second. */
  precision: Precision | undefined
  /** Free text; '' for none. */
  unit: string
  values: CodedValue[]
  isIdentifier: boolean
  isAdditive: boolean
  /** The id of a set; '' for none. */
  region: string
  /** How it is calculated, with the draft id of its point field; null: not calculated. */
  regionOf: RegionLookup | null
  rules: Record<string, unknown>
  /** The items of a list. */
  items: FieldDraft | null
  /** The fields of a map. */
  fields: FieldDraft[]
  /** Its label on maps; '': not shown on maps. */
  label: string
}

/** The edited state. `primary`: the id of the date field that orders records. */
export interface TypeDraft {
  fields: FieldDraft[]
  primary: string | null
}

/** The same as stored in a data type. */
export interface TypeDocument {
  schema: FieldSchema
  temporal: { primary: string } | null
  mappingLabelSchema: Record<string, string> | null
}

let keyCount = 0
const newId = () => `field-${(keyCount += 1)}`

/** An empty field. */
export function emptyField(type: FieldType = 'text'): FieldDraft {
  return {
    ...{ id: newId(), was: null, key: '', isKeyMade: true, name: '', type, notes: '', isSearched: false },
    ...{
      measurement: null,
      precision: undefined,
      unit: '',
      values: [],
      isIdentifier: false,
      isAdditive: false,
    },
    ...{ region: '', regionOf: null, rules: {}, items: null, fields: [], label: '' },
  }
}

/** Converts a data type's document for the editor. With `isNew` it is a copy without stored keys. */
export function toTypeDraft(document: TypeDocument, isNew = false): TypeDraft {
  const fields = toFieldDrafts(document.schema, isNew)
  for (const field of fields) {
    field.label = document.mappingLabelSchema?.[field.key] ?? ''
    const { regionOf } = document.schema[field.key] ?? {}
    const point = fields.find(({ key }) => key === regionOf?.point)
    field.regionOf = regionOf ? { ...regionOf, point: point?.id ?? '' } : null
  }
  return { fields, primary: fields.find(({ key }) => key === document.temporal?.primary)?.id ?? null }
}

function toFieldDrafts(schema: FieldSchema, isNew: boolean): FieldDraft[] {
  return Object.entries(schema).map(([key, field]) => toFieldDraft(key, field, isNew))
}

function toFieldDraft(key: string, field: Field, isNew: boolean): FieldDraft {
  return {
    ...emptyField(field.type),
    ...{ was: isNew ? null : key, key, isKeyMade: false, name: field.name, notes: field.notes ?? '' },
    isSearched: field.search === true,
    measurement: field.measurement ?? null,
    precision: field.precision,
    ...{ unit: field.unit ?? '', values: field.values ?? [], region: field.region ?? '' },
    ...{ isIdentifier: field.identifier === true, isAdditive: field.additive === true },
    rules: field.validation ?? {},
    items: field.items ? toFieldDraft('', field.items, isNew) : null,
    fields: toFieldDrafts(field.schema ?? {}, isNew),
  }
}

/** Converts back to a document. Of two fields with the same key the later one wins; `draftIssues` reports it. */
export function toTypeDocument({ fields, primary }: TypeDraft): TypeDocument {
  const date = fields.find(({ id, type }) => id === primary && type === 'date')
  const labels = fields.filter(({ label }) => label.trim() !== '')
  return {
    schema: withRegions(toFieldSchema(fields), fields),
    temporal: date ? { primary: date.key } : null,
    mappingLabelSchema: labels.length
      ? Object.fromEntries(labels.map(({ key, label }) => [key, label.trim()]))
      : null,
  }
}

/** Adds calculations to the schema, with the current key of their point field. */
function withRegions(schema: FieldSchema, fields: FieldDraft[]): FieldSchema {
  for (const { key, type, regionOf } of fields) {
    const field = schema[key]
    if (!field || type !== 'text' || !regionOf) continue
    field.regionOf = { ...regionOf, point: fields.find(({ id }) => id === regionOf.point)?.key ?? '' }
  }
  return schema
}

function toFieldSchema(fields: FieldDraft[]): FieldSchema {
  return Object.fromEntries(fields.map((field) => [field.key, toField(field)]))
}

/** The types with coded values, and those with identifiers. */
export const isCodable = (type: FieldType) => type === 'text' || type === 'number' || type === 'boolean'
export const isNaming = (type: FieldType) => type === 'text' || type === 'number'

function toField(draft: FieldDraft): Field {
  const { name, type, notes, isSearched, precision, rules, items, fields } = draft
  const { unit, values, isIdentifier, isAdditive, region } = draft
  const measurement =
    draft.measurement && findMeasurements(type)?.[draft.measurement.type] && draft.measurement
  const validation = Object.fromEntries(
    listValidators(draft).flatMap(({ key }) =>
      Object.hasOwn(rules, key) && rules[key] !== undefined ? [[key, rules[key]]] : [],
    ),
  )
  return {
    name: name.trim(),
    type,
    ...(notes.trim() ? { notes: notes.trim() } : {}),
    ...(measurement ? { measurement } : {}),
    ...(type === 'date' && precision ? { precision } : {}),
    ...(type === 'array' && items ? { items: toField(items) } : {}),
    ...(type === 'object' && fields.length ? { schema: toFieldSchema(fields) } : {}),
    ...(Object.keys(validation).length ? { validation } : {}),
    ...(type === 'text' && isSearched ? { search: true } : {}),
    ...(type === 'number' && !measurement && unit.trim() ? { unit: unit.trim() } : {}),
    ...(isCodable(type) && values.length
      ? { values: values.map((each) => ({ ...each, value: asType(each.value, type) })) }
      : {}),
    ...(isNaming(type) && isIdentifier ? { identifier: true } : {}),
    ...(type === 'number' && isAdditive && !isIdentifier ? { additive: true } : {}),
    ...(isNaming(type) && region ? { region } : {}),
  }
}

/** The new keys of renamed fields by stored key, with which values are migrated. */
export function getRenamedKeys({ fields }: TypeDraft): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(({ was, key }) => (was !== null && was !== key ? [[was, key]] : [])),
  )
}

/** A key made from a name, of letters and digits: `Opened at` gives `openedAt`, `2019` `_2019`. '' if nothing is left. */
export function toFieldKey(name: string): string {
  const words = name
    .normalize('NFKD')
    // Combining accents, hyphens and apostrophes do not separate words.
    .replace(/[\u0300-\u036f'’-]/g, '')
    .replace(/[^0-9A-Za-z]+/g, ' ')
    .trim()
    .split(' ')
  const key = words
    .map((word, i) => (i === 0 ? lowerFirst(word) : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
  return prefixNumericKey(key.slice(0, 128))
}

/** `ID` becomes `id`, `openedAt` stays. */
const lowerFirst = (word: string) =>
  word === word.toUpperCase() ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1)

/** Renames a field; its key follows unless it was typed. */
export function renameField(field: FieldDraft, name: string): FieldDraft {
  return { ...field, name, key: field.isKeyMade ? toFieldKey(name) : field.key }
}

/** Changes the type of a field. A list gets an item. */
export function retypeField(field: FieldDraft, type: FieldType): FieldDraft {
  const items = type === 'array' ? (field.items ?? { ...emptyField(), name: 'Item' }) : field.items
  return { ...field, type, items }
}

/** The innermost item of nested lists, else the field itself. */
export function innermost(field: FieldDraft): FieldDraft {
  return field.type === 'array' && field.items ? innermost(field.items) : field
}

/** The field with its innermost item changed. */
export function withInnermost(field: FieldDraft, change: (inner: FieldDraft) => FieldDraft): FieldDraft {
  return field.type === 'array' && field.items
    ? { ...field, items: withInnermost(field.items, change) }
    : change(field)
}
