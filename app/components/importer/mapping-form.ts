import type { FormErrors } from '#app/components/form/issues.ts'
import { columnReadingNames, type ColumnReading, type ColumnReadings } from './column-reading.ts'
import type { FieldSchema } from '#functions/shapes/field.ts'
import type { Mapping, MappingValue } from '#functions/shapes/importer-mapping.ts'
import { transforms } from '#functions/shapes/importer-transforms.ts'

/** Origins of a field: none, a column, two columns as a point, a place name, a constant text, or JSON. */
const hows = ['none', 'column', 'point', 'place', 'constant', 'json'] as const
export type MappingWay = (typeof hows)[number]

/** One field of a mapping in its form. Inputs of other origins are kept while choosing. */
export interface FieldMade {
  how: MappingWay
  /** The column; for a point the longitude. */
  column: string
  /** For a point the latitude. */
  second: string
  /** The transform of the column's value; '' for none. */
  transform: string
  /** For a place name: its kind, the columns of region and country, a constant country, and which of several matches. */
  kind: string
  region: string
  country: string
  inCountry: string
  prefer: string
  /** For an area: its boundary set, and whether it is found by name or code only; '' for both. */
  set: string
  by: string
  constant: string
  json: string
}

/** The transforms without further arguments. */
export const plainTransforms = Object.entries(transforms)
  .filter(([, { arguments: list, atLeast }]) => (atLeast ?? list.filter((each) => each.required).length) <= 1)
  .map(([name, { notes }]) => ({ name, notes }))

const isPlain = (name: string) => plainTransforms.some((each) => each.name === name)
const nothing: FieldMade = {
  ...{ how: 'none', column: '', second: '', transform: '', constant: '', json: '' },
  ...{ kind: 'town', region: '', country: '', inCountry: '', prefer: '' },
  ...{ set: '', by: '' },
}

/** The kinds of places as options. */
export const placeChoices = [
  ['town', 'Towns'],
  ['region', 'States, provinces, regions'],
  ['country', 'Countries'],
  ['postalCode', 'Postal codes (United States)'],
  ['area', 'Areas of a boundary set'],
] as const

/** What texts are compared with to find an area, as options. */
export const areaChoices = [
  ['', 'Names and codes'],
  ['name', 'Names only'],
  ['code', 'Codes only'],
] as const

/** Parses a mapping value. What the form does not support becomes JSON, unchanged. */
export function parseMappingValue(value: MappingValue | undefined): FieldMade {
  if (value === undefined || value === null) return nothing
  const json = JSON.stringify(value, null, 2)
  const column = findColumn(value)
  if (column !== null) return { ...nothing, how: 'column', column, json }
  if (typeof value !== 'object') return { ...nothing, how: 'constant', constant: String(value), json }
  if (Array.isArray(value) || !('transform' in value) || value.defaultValue !== undefined)
    return { ...nothing, how: 'json', json }
  const columns = value.arguments.map(findColumn)
  const [first = null, second = null] = columns
  if (value.transform === 'createPoint' && columns.length === 2 && first !== null && second !== null)
    return { ...nothing, how: 'point', column: first, second, json }
  if (value.transform === 'findPlace') return parsePlaceName(value.arguments, json)
  if (value.transform === 'findArea') return parseAreaName(value.arguments, json)
  if (isPlain(value.transform) && columns.length === 1 && first !== null)
    return { ...nothing, how: 'column', column: first, transform: value.transform, json }
  return { ...nothing, how: 'json', json }
}

/** Parses a place name; anything but columns and one constant country becomes JSON. */
function parsePlaceName(parts: MappingValue[], json: string): FieldMade {
  const [name = null, kind = null, region = null, country = null, prefer = null] = parts
  const [column, regionColumn, countryColumn] = [name, region, country].map((part) =>
    findColumn(part ?? null),
  )
  const isForm =
    column !== null &&
    kind !== 'area' &&
    placeChoices.some(([choice]) => choice === kind) &&
    (region === null || regionColumn !== null) &&
    (country === null || countryColumn !== null || typeof country === 'string') &&
    (prefer === null || prefer === 'largest')
  if (!isForm) return { ...nothing, how: 'json', json }
  return {
    ...{ ...nothing, how: 'place', column: column ?? '', kind: String(kind), json },
    ...{ region: regionColumn ?? '', country: countryColumn ?? '' },
    ...{ inCountry: typeof country === 'string' ? country : '', prefer: prefer === null ? '' : 'largest' },
  }
}

/** Parses the name of an area; anything but a column in a set becomes JSON. */
function parseAreaName(parts: MappingValue[], json: string): FieldMade {
  const [name = null, set = null, by = null] = parts
  const column = findColumn(name)
  const choice = areaChoices.find(([each]) => each === (by ?? ''))
  if (column === null || typeof set !== 'string' || !choice) return { ...nothing, how: 'json', json }
  return { ...nothing, how: 'place', kind: 'area', column, set, by: choice[0], json }
}

/** The column of a plain field value; null for anything else. */
function findColumn(value: MappingValue): string | null {
  const isField = typeof value === 'object' && value !== null && !Array.isArray(value) && 'field' in value
  return isField && value.defaultValue === undefined ? value.field : null
}

/** Serializes a value; undefined for none. Invalid JSON is passed on as text, for the endpoint to reject. */
export function toMappingValue({
  how,
  column,
  second,
  transform,
  constant,
  json,
  ...place
}: FieldMade): MappingValue | undefined {
  const field = { field: column }
  if (how === 'column' && column) return transform ? { transform, arguments: [field] } : field
  if (how === 'point' && column && second)
    return { transform: 'createPoint', arguments: [field, { field: second }] }
  if (how === 'place' && column) return placeValue(field, place)
  if (how === 'constant' && constant !== '') return constant
  if (how !== 'json' || json.trim() === '') return undefined
  try {
    return JSON.parse(json) as MappingValue
  } catch {
    return json
  }
}

type PlacePart = Pick<FieldMade, 'kind' | 'region' | 'country' | 'inCountry' | 'prefer' | 'set' | 'by'>

function placeValue(
  field: MappingValue,
  { kind, region, country, inCountry, prefer, set, by }: PlacePart,
): MappingValue {
  if (kind === 'area') return { transform: 'findArea', arguments: [field, set, ...(by ? [by] : [])] }
  const within = country ? { field: country } : inCountry || null
  const parts = [field, kind, region ? { field: region } : null, within, prefer || null]
  // Trailing empty arguments are omitted.
  while (parts.at(-1) === null) parts.pop()
  return { transform: 'findPlace', arguments: parts }
}

/** The names of a field's inputs. */
export const inputName = (key: string, part: keyof FieldMade) => `m.${key}.${part}`

/** The names of the inputs of boundary sets, of the fields of a data type. */
export const setInputs = (schema: FieldSchema) => Object.keys(schema).map((key) => inputName(key, 'set'))

/** The errors of a form with mappings, those of boundary sets at their inputs. */
export function moveSetIssues(errors: FormErrors): FormErrors {
  const issues = errors.issues.map((issue) => {
    const [mapping, key, list, i] = issue.path
    const isOfSet = mapping === 'mapping' && list === 'arguments' && i === 1 && issue.path.length === 4
    return isOfSet ? { ...issue, path: [inputName(String(key), 'set')] } : issue
  })
  return { ...errors, issues }
}

/** Parses a mapping and column readings from a form: `target` lists the fields, `read` the columns. */
export function parseMappingForm(form: FormData): { mapping: Mapping; columns: ColumnReadings } {
  const text = (name: string) => String(form.get(name) ?? '')
  const targets = form.getAll('target').map(String)
  const mapping = targets.flatMap((key): [string, MappingValue][] => {
    const part = (name: keyof FieldMade) => text(inputName(key, name))
    const how = hows.find((each) => each === part('how')) ?? 'none'
    const value = toMappingValue({
      ...{ how, column: part('column'), second: part('second') },
      ...{ kind: part('kind') || 'town', region: part('region'), country: part('country') },
      ...{ inCountry: part('inCountry').trim(), prefer: part('prefer') },
      ...{ set: part('set'), by: part('by') },
      ...{ transform: part('transform'), constant: part('constant'), json: part('json') },
    })
    return value === undefined ? [] : [[key, value]]
  })
  return { mapping: Object.fromEntries(mapping), columns: columnsIn(form) }
}

function columnsIn(form: FormData): ColumnReadings {
  const columns = form.getAll('read').map((path): [string, ColumnReading] => {
    const oldReading = readingIn(form.get(`r.${String(path)}.kept`))
    const choices: [string, unknown][] = columnReadingNames.map((name): [string, unknown] => [
      name,
      form.get(`r.${String(path)}.${name}`) || undefined,
    ])
    const words = form.get(`r.${String(path)}.missing`)
    if (words !== null) choices.push(['missing', wordsIn(words)])
    const entries = [...Object.entries(oldReading), ...choices].filter(([, value]) => value !== undefined)
    // An option set back to its default is removed.
    const clearedNames = choices.filter(([, value]) => value === undefined).map(([name]) => name)
    return [String(path), Object.fromEntries(entries.filter(([name]) => !clearedNames.includes(name)))]
  })
  return Object.fromEntries(columns.filter(([, reading]) => Object.keys(reading).length > 0))
}

/** Words separated by commas, lower-cased, without duplicates. */
function wordsIn(text: FormDataEntryValue): string[] | undefined {
  const words = String(text)
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter(Boolean)
  return words.length > 0 ? [...new Set(words)] : undefined
}

function readingIn(text: FormDataEntryValue | null): ColumnReading {
  try {
    const reading: unknown = JSON.parse(typeof text === 'string' ? text : '{}')
    return typeof reading === 'object' && reading !== null ? reading : {}
  } catch {
    return {}
  }
}
